import { median } from '../../src/pricing/model/quantile.ts'
import { medianOf } from './median-error.ts'

/** A listing of one cell: its price as of the day of the answer, and how far the answer was from it. */
export type CellListing = { readonly cell: string; readonly price: number; readonly error: number }

export type OracleError = {
  /** Middle error of the one number that each cell's own listings would have chosen, had they been known. */
  readonly oracle: number
  /** Middle error of what was served, on the same listings. */
  readonly served: number
  readonly count: number
}

/** In a cell of fewer listings the median is one of them, and its error says nothing. */
const MIN_LISTINGS = 5

/**
 * The floor of any answer that has one number for a variant and grade: the median of the very listings it is held against. What is
 * above it, a better engine could gain; what is below it, no engine could without telling listings apart.
 */
export function oracleError(listings: readonly CellListing[]): OracleError {
  const judged = [...Map.groupBy(listings, ({ cell }) => cell).values()].filter((cell) => cell.length >= MIN_LISTINGS)
  const best = judged.flatMap((cell) => {
    const number = median(cell.map(({ price }) => price))
    return cell.map(({ price }) => Math.abs(number - price) / price)
  })
  const served = judged.flatMap((cell) => cell.map(({ error }) => error))
  return { oracle: medianOf(best), served: medianOf(served), count: served.length }
}
