import { median } from '../../src/pricing/model/quantile.ts'
import { medianOf } from './median-error.ts'

/** A listing of one cell: its price on the day of the quote, and the error of the quote. */
export type CellListing = { readonly cell: string; readonly price: number; readonly error: number }

export type OracleError = {
  /** Median error of the best single number per cell: the median of its own listings. */
  readonly oracle: number
  /** Median error of the served prices on the same listings. */
  readonly served: number
  readonly count: number
}

/** In smaller cells the median is one of the listings, so its error is meaningless. */
const MIN_LISTINGS = 5

/**
 * Lower bound on the error of any model with one number per variant and grade: the median of the tested listings themselves. A
 * better model can only gain the difference to it.
 */
export function oracleError(listings: readonly CellListing[]): OracleError {
  const cells = [...Map.groupBy(listings, ({ cell }) => cell).values()].filter((cell) => cell.length >= MIN_LISTINGS)
  const oracleErrors = cells.flatMap((cell) => {
    const cellMedian = median(cell.map(({ price }) => price))
    return cell.map(({ price }) => Math.abs(cellMedian - price) / price)
  })
  const servedErrors = cells.flatMap((cell) => cell.map(({ error }) => error))
  return { oracle: medianOf(oracleErrors), served: medianOf(servedErrors), count: servedErrors.length }
}
