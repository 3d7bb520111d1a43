/** How the amounts of a list compare with what is known of the same devices: the wrong currency or unit moves all of them. */
import { isDefectGrade } from '../catalog/grade.ts'
import type { FirstPriceRanges } from './first-price-ranges.ts'
import type { NewObservation } from './model/observation.ts'
import { median } from './model/quantile.ts'

export type PriceLevel = {
  /** Median of amount ÷ known price. */
  readonly ratio: number
  /** Rows that were compared. */
  readonly rows: number
  /** Whether observed prices were known, not only launch price and age. */
  readonly isObserved: boolean
}

/** The price of a row's device in its market, grade and side, in US cents. */
export type KnownPrice = { readonly cents: number; readonly isObserved: boolean }
export type KnownPrices = (row: NewObservation) => KnownPrice | null

const MIN_ROWS = 4
/** One device may have changed its price; a wrong unit moves all of them. */
const MIN_DEVICES = 3
/** Beyond these a list is asked about. Launch price and age alone are right within a factor, but not within a half. */
const LIMITS = { observed: { low: 0.6, high: 1.6 }, unobserved: { low: 0.35, high: 2.6 } }

/** The level of a list; null if too few of its devices are known. Observed prices count before first prices. */
export function levelOf(rows: readonly NewObservation[], knownPriceOf: KnownPrices): PriceLevel | null {
  const compared = rows.flatMap((row) => {
    const known = isDefectGrade(row.terms.grade) ? null : knownPriceOf(row)
    const { deviceId } = row.subject
    return known ? [{ ratio: row.cents / known.cents, isObserved: known.isObserved, deviceId }] : []
  })
  const observed = compared.filter(({ isObserved }) => isObserved)
  const isEnough = (each: typeof compared) =>
    each.length >= MIN_ROWS && new Set(each.map(({ deviceId }) => deviceId)).size >= MIN_DEVICES
  const used = isEnough(observed) ? observed : compared
  if (!isEnough(used)) return null
  return {
    ratio: median(used.map(({ ratio }) => ratio)),
    rows: used.length,
    isObserved: used === observed,
  }
}

/** Whether a person has to confirm that these are the amounts, their currency and their unit. */
export function isDoubtfulLevel({ ratio, isObserved }: PriceLevel): boolean {
  const { low, high } = isObserved ? LIMITS.observed : LIMITS.unobserved
  return ratio > high || ratio < low
}

/** What launch price and age say. */
export const firstPrices =
  (firstPriceOf: FirstPriceRanges): KnownPrices =>
  ({ subject, terms, observedAt }) => {
    const { deviceId, configuration } = subject
    const range = firstPriceOf({
      deviceId,
      configuration,
      grade: terms.grade,
      isQuote: terms.side === 'quote',
      observedAt,
    })
    return range ? { cents: Math.sqrt(range.low * range.high), isObserved: false } : null
  }
