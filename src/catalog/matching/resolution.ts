/** The result of matching a title. */
import type { Attribute, Device, Variant } from '../device.ts'
import type { MatchRejection } from './rejection.ts'
import type { VariantNote } from './variant-choice.ts'

/** A listing; everything but the text is optional. */
export type TitleListing = {
  /** A title, or a model's name. */
  readonly text: string
  /** Make from its own field; no other make is considered then. */
  readonly make?: string | null
  readonly storage?: string | null
  readonly ram?: string | null
  readonly color?: string | null
  /** Whether a device that is defective or sold for parts matches like others; otherwise it is rejected as `for_parts`. */
  readonly mayBeDefective?: boolean
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
  /** Only if the decision is `matched`. */
  readonly device: Device | null
  /** Only if a single variant fits everything stated. */
  readonly variant: Variant | null
  /** The variant is known from a part number, which states all its attributes. */
  readonly hasPartNumber: boolean
  /** The variants that fit; several if, for example, the color is not stated, none if no such variant was sold. */
  readonly variants: readonly Variant[]
  /** If no variant has the stated storage or memory: those that fit everything else. Of several sizes: those of the smallest. */
  readonly similarVariants: readonly Variant[]
  /** Why there is no variant although the device is matched. */
  readonly variantNote: VariantNote | null
  /** Why nothing is matched. */
  readonly rejection: MatchRejection | null
  readonly confidence: number
  /** Stated beside the name: storage, ram, color, size, year, chip, graphics, generation, carrier, lock, connectivity. */
  readonly attributes: readonly Attribute[]
  /** Stated conditions in one spelling each: "like new", "cracked". */
  readonly conditions: readonly string[]
  /** Words for a device that does not work or is sold for parts, and for a wanted ad. */
  readonly defectWords: readonly string[]
  readonly wantedWords: readonly string[]
  /** Words without a known meaning. */
  readonly unmatchedWords: readonly string[]
  /** Best first; for `matched` the device itself. */
  readonly candidates: readonly MatchCandidate[]
}
