/** The devices that fit a title, as an answer. */
import { describe, saidOf } from './attributes.ts'
import type { Coded } from './codes.ts'
import type { Known } from './known.ts'
import type { Reading } from './reading.ts'
import type { Refusal } from './refusal.ts'
import type { Candidate, Listing, Resolution } from './resolution.ts'
import { piecesOf } from './title-lexicon.ts'
import { chooseVariants, plainColor } from './variants.ts'

const MOST_CANDIDATES = 20

/** A device whose name was said. `isWhole`: with all that its name holds. `isUnsaid`: too much of it was left out. */
export type Fit = {
  readonly known: Known
  readonly isWhole: boolean
  readonly isUnsaid: boolean
  readonly isChipExact: boolean
  /** A number of the title was taken for a size or generation that the name holds. */
  readonly isByNumber: boolean
}

export type Found = {
  readonly reading: Reading
  readonly listing: Listing
  readonly refusal: Refusal | null
  readonly fits: readonly Fit[]
  readonly sureness: number
  readonly unmatched: readonly string[]
  readonly byCode?: readonly Coded[]
}

const NO_CODES: readonly Coded[] = []

export function present({
  reading,
  listing,
  refusal,
  fits,
  sureness,
  unmatched,
  byCode = NO_CODES,
}: Found): Resolution {
  const best = bestOf(fits)
  const only = best[0]
  const isMatched = refusal === null && best.length === 1 && only !== undefined && !only.isUnsaid
  const parts = byCode.length === 0 ? byCode : byCode.filter((one) => one.variant !== null && one.known === only?.known)
  const colors = listing.color ? piecesOf(listing.color).map(plainColor) : []
  const chosen = isMatched && only ? chooseVariants(only.known.device, saidOf(reading, colors)) : null
  const part = parts[0]
  const variants = parts.length === 1 && part?.variant ? [part.variant] : (chosen?.variants ?? [])
  const variant = variants.length === 1 ? (variants[0] ?? null) : null
  const share =
    refusal !== null ? 0 : isMatched ? sureness : Math.floor(Math.min(60, sureness) / Math.max(1, best.length))
  const candidates: Candidate[] = (isMatched ? best : fits.slice(0, MOST_CANDIDATES)).map(({ known }) => ({
    device: known.device,
    variant,
    confidence: share,
  }))
  const { attributes, conditions } = describe(reading, chosen)
  const isAmbiguous = refusal === 'contradiction' || (refusal === null && fits.length > 0)
  return {
    decision: isMatched ? 'matched' : isAmbiguous ? 'ambiguous' : 'unknown',
    device: isMatched && only ? only.known.device : null,
    variant,
    variants,
    alike: variant ? [] : (chosen?.alike ?? []),
    note: variant ? null : (chosen?.note ?? null),
    refusal,
    confidence: isMatched ? share : 0,
    attributes,
    conditions,
    unmatchedWords: unmatched,
    candidates,
  }
}

/** Where one name is said whole and the others only in part, the whole one is meant. */
function bestOf(fits: readonly Fit[]): readonly Fit[] {
  if (fits.length < 2) return fits
  const named = fits.filter((fit) => typeof fit.known.network === 'number')
  const withNetwork = named.length > 0 && named.length < fits.length ? named : fits
  // "Tab A8" is the name of one; that others are a "Tab A" of 8 inches does not make it doubtful.
  const plain = withNetwork.filter((fit) => !fit.isByNumber && fit.isWhole)
  const byNetwork = plain.length > 0 && withNetwork.some((fit) => fit.isByNumber) ? plain : withNetwork
  const exact = byNetwork.filter((fit) => fit.isChipExact)
  const list = exact.length > 0 ? exact : byNetwork
  const whole = list.filter((fit) => fit.isWhole)
  return whole.length === 1 && list.every((fit) => !fit.isUnsaid) ? whole : list
}
