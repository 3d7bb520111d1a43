import { type DefectGrade, isDefectGrade } from '../../catalog/grade.ts'
import { MONTH_MS } from '../../lib/time.ts'
import { type Trade, tradeOf } from '../model/observation.ts'
import type { VariantObservation } from './device-quotes.ts'
import type { Quote } from './quote.ts'

/** An observed price of a damaged, broken or dead device. */
export type DefectiveObservation = Omit<VariantObservation, 'grade'> & { readonly grade: DefectGrade }

/** An observed price of a defective device as a share of the estimated price of a Good one. */
export type ObservedDefectRatio = {
  readonly grade: DefectGrade
  readonly side: Trade
  readonly ratio: number
}

export const isWorkingObservation = (row: VariantObservation | DefectiveObservation): row is VariantObservation =>
  !isDefectGrade(row.grade)

/** The newest are enough to learn a ratio. */
const MAX_RATIOS = 200

/** Older prices are moved to today by the drift of the market. Rows are newest first. */
export function observedDefectRatios(
  rows: readonly DefectiveObservation[],
  quotes: ReadonlyMap<string, Quote>,
  now: number,
): ObservedDefectRatio[] {
  return rows.slice(0, MAX_RATIOS).flatMap(({ grade, side: priceSide, variantId, cents, observedAt }) => {
    const quote = quotes.get(variantId)
    const side = tradeOf({ side: priceSide })
    const good = quote?.[side].cents?.Good
    if (!quote || !good) return []
    const months = Math.max(0, (now - observedAt) / MONTH_MS)
    return [{ grade, side, ratio: (cents * Math.exp(quote.resale.driftPerMonth * months)) / good }]
  })
}
