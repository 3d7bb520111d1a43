import type { Availability, Difficulty, FactLevel, FaultKind, PartKind } from './fault-kinds.ts'
import type { RepairNote } from './repair-notes.ts'

export type CostRange = { readonly minCents: number; readonly maxCents: number }

/** 0 to 10, 10 easiest. Scores are only comparable within a rubric, so the year it was given in is kept. */
export type RepairabilityScore = { readonly value: number; readonly rubricYear: number | null }

export type PartFact = {
  readonly kind: PartKind
  readonly name: string | null
  readonly cost: CostRange | null
  readonly availability: Availability | null
}

export type RepairFact = {
  readonly kind: FaultKind
  readonly name: string | null
  readonly difficulty: Difficulty | null
  readonly minutes: number | null
  readonly parts: readonly PartFact[]
  readonly guideUrl: string | null
}

export type FailurePoint = { readonly fault: FaultKind; readonly text: string }

/**
 * Facts of one source about one subject: a variant, a device, a line or a category. Null and an empty list of repairs, failure
 * points or notes mean "not stated"; an empty list of parts or tools means that there are none.
 */
export type FactRecord = {
  readonly level: FactLevel
  readonly subject: string
  readonly source: string
  readonly updatedAt: number
  readonly score: RepairabilityScore | null
  readonly repairs: readonly RepairFact[]
  readonly failurePoints: readonly FailurePoint[]
  readonly notes: readonly RepairNote[]
  readonly proprietaryParts: readonly string[] | null
  readonly specialTools: readonly string[] | null
  /** Components the subject does not have (a fan, a disc drive): repairs and failure points of wider levels do not apply. */
  readonly without: readonly FaultKind[]
}

/** Nothing stated. */
export const NO_FACTS: Omit<FactRecord, 'level' | 'subject' | 'source' | 'updatedAt'> = {
  score: null,
  repairs: [],
  failurePoints: [],
  notes: [],
  proprietaryParts: null,
  specialTools: null,
  without: [],
}

/** A fact with its level and source. `confidence` in percent, if it is an estimate. */
export type Sourced<T> = {
  readonly value: T
  readonly level: FactLevel
  readonly source: string
  readonly confidence?: number
  /** Share (0 to 1) of the organization's own booked costs in it, if there are any. */
  readonly ownShare?: number
}

/** Prefix of the source of every bundled fact. */
export const BUNDLED_SOURCE = 'bundled'

export function isBundled({ source }: { readonly source: string }): boolean {
  return source.startsWith(`${BUNDLED_SOURCE}: `)
}
