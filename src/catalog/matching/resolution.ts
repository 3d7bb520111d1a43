/** What the resolver answers. */
import type { Attribute, Device, Variant } from '../device.ts'
import type { MatchRejection } from './rejection.ts'
import type { VariantNote } from './variant-choice.ts'

/** A listing as somebody wrote it; every part but the text may be missing. */
export type TitleListing = {
  /** A title, or a model's name. */
  readonly text: string
  /** Given beside the text: then no other make is thought of. */
  readonly make?: string | null
  readonly storage?: string | null
  readonly ram?: string | null
  readonly color?: string | null
}

export type MatchDecision = 'matched' | 'ambiguous' | 'unknown'

export type MatchCandidate = {
  readonly device: Device
  readonly variant: Variant | null
  /** 0–100. */
  readonly confidence: number
}

export type Resolution = {
  readonly decision: MatchDecision
  /** Only where the decision is `matched`. */
  readonly device: Device | null
  /** Only where a single variant fits everything that was said. */
  readonly variant: Variant | null
  /** The variants that fit; several where a color or the like was left open, none where no such one was sold. */
  readonly variants: readonly Variant[]
  /** Where no variant has the storage or memory that was said: those that fit everything else that was said. */
  readonly similarVariants: readonly Variant[]
  /** Why no variant is given although the device is known. */
  readonly variantNote: VariantNote | null
  /** Why nothing is matched. */
  readonly rejection: MatchRejection | null
  readonly confidence: number
  /** What was read beside the name: storage, ram, color, size, year, chip, generation, carrier, lock, connectivity. */
  readonly attributes: readonly Attribute[]
  /** What was said of the condition, in one spelling each: "like new", "cracked". */
  readonly conditions: readonly string[]
  /** Words nobody could place. */
  readonly unmatchedWords: readonly string[]
  /** Best first; for `matched` the device itself. */
  readonly candidates: readonly MatchCandidate[]
}
