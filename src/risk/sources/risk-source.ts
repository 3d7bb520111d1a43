import type { Identifier } from '../identifier/identifier.ts'
import type { SourceResult } from '../source-facts.ts'

/** Somebody who may know something about a device. */
export type RiskSource = {
  readonly name: string
  /** Never rejects: a source that fails says so. `null` when identifiers of this kind are none of its business. */
  readonly lookUp: (identifier: Identifier, now: number) => Promise<SourceResult | null>
}
