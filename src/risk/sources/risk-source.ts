import type { SourceAnswer } from '../facts.ts'
import type { Identifier } from '../identifier/identifier.ts'

/** Somebody who may know something about a device. */
export type Source = {
  readonly name: string
  /** Never rejects: a source that fails says so. `null` when identifiers of this kind are none of its business. */
  readonly ask: (identifier: Identifier, now: number) => Promise<SourceAnswer | null>
}
