import type { Identifier } from '../identifier/identifier.ts'
import type { SourceResult } from '../source-facts.ts'

/** A source of facts about a device. */
export type RiskSource = {
  readonly name: string
  /** Never rejects: a failure is part of the result. `null` if it does not cover identifiers of this kind. */
  readonly lookUp: (identifier: Identifier, now: number) => Promise<SourceResult | null>
}
