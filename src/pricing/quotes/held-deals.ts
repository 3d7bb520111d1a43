/**
 * Deals far from what is known of their device: a wrong digit, a lot price or another currency. They are stored, but do not count for
 * prices until own prices of other days or lists agree with them, or a person releases them.
 */
import { dayNumber } from '../../lib/time.ts'
import { type Trade, tradeOf } from '../model/observation.ts'
import type { VariantObservation } from './device-quotes.ts'
import { ownDistances } from './own-distances.ts'
import type { Quote } from './quote.ts'

/** A price that was recorded with the outcome of an appraisal. */
export type DealOfAppraisal = { readonly appraisalId: string; readonly isReleased: boolean }

export type HeldDeal = {
  readonly appraisalId: string
  readonly trade: Trade
  readonly cents: number
  /** The common price of the same variant and grade. */
  readonly expectedCents: number
  readonly observedAt: number
}

/** A deal is in doubt beyond this distance (ln) from the common price, or beyond its range if that is wider. */
const MAX_DISTANCE = Math.log(1.6)
const TIMES_HALF_RANGE = 1.25
/** However wide the range, twice the price is in doubt. */
const MAX_LIMIT = Math.log(1.9)
/** So many other prices confirm a deal, each within this distance (ln). */
const MIN_AGREEING = 2
const AGREEMENT = Math.log(1.25)

type Measured<Row> = { readonly row: Row; readonly ln: number; readonly limit: number; readonly expectedCents: number }

/** Own prices of a device without its held deals, and these. */
export function splitHeldDeals<Row extends VariantObservation>(
  common: readonly Quote[],
  rows: readonly Row[],
  now: number,
): { readonly counted: Row[]; readonly held: HeldDeal[] } {
  if (rows.every(({ deal }) => !deal || deal.isReleased)) return { counted: [...rows], held: [] }
  const measured = rows.map((row) => measure(common, row, now))
  const isHeld = ({ row, ln, limit }: Measured<Row>) => {
    const { deal } = row
    if (!deal || deal.isReleased || Math.abs(ln) <= limit) return false
    const agreeing = measured.filter((other) => isIndependent(row, other.row) && Math.abs(other.ln - ln) <= AGREEMENT)
    return agreeing.length < MIN_AGREEING
  }
  const counted: Row[] = []
  const held: HeldDeal[] = []
  for (const entry of measured) {
    const { row, expectedCents } = entry
    if (!row.deal || !isHeld(entry)) counted.push(row)
    else {
      const { appraisalId } = row.deal
      held.push({ appraisalId, trade: tradeOf(row), cents: row.cents, expectedCents, observedAt: row.observedAt })
    }
  }
  return { counted, held }
}

function measure<Row extends VariantObservation>(common: readonly Quote[], row: Row, now: number): Measured<Row> {
  const trade = tradeOf(row)
  const [distance] = ownDistances(common, [row], trade, now)
  if (!distance) return { row, ln: 0, limit: Number.POSITIVE_INFINITY, expectedCents: row.cents }
  const quote = common.find(({ variantId }) => variantId === row.variantId)
  const expectedCents = Math.round(row.cents * Math.exp(-distance.ln))
  const ranges = Object.values(quote?.[trade].interval ?? {})
  const amounts = Object.values(quote?.[trade].cents ?? {})
  const halfRange = Math.max(
    0,
    ...ranges.map(({ low, high }, at) => {
      const amount = Math.max(1, amounts[at] ?? 1)
      return Math.abs(Math.log(distance.ln > 0 ? Math.max(1, high) / amount : amount / Math.max(1, low)))
    }),
  )
  const limit = Math.min(MAX_LIMIT, Math.max(MAX_DISTANCE, TIMES_HALF_RANGE * halfRange))
  return { row, ln: distance.ln, limit, expectedCents }
}

/** Deals of one day may have the same error. */
const isIndependent = (deal: VariantObservation, other: VariantObservation) =>
  tradeOf(other) === tradeOf(deal) &&
  (!other.deal ||
    (other.deal.appraisalId !== deal.deal?.appraisalId &&
      (other.deal.isReleased || dayNumber(other.observedAt) !== dayNumber(deal.observedAt))))
