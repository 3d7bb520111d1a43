/** How the own prices of one device move its variants and grades: partial pooling around the level of its organization. */
import { GRADE_COUNT } from '../model/observation-columns.ts'
import { pool } from '../model/partial-pooling.ts'
import { median } from '../model/quantile.ts'
import type { Distance } from './own-distances.ts'

/** Where the own prices of a device are expected. */
export type LevelOfPrices = {
  readonly level: number
  /** Spread of single prices around it. */
  readonly spread: number
  /** Further distance (ln) of each grade, by grade index. */
  readonly grades: readonly number[]
}

/** Beyond so many spreads from the others a price counts as if it were there: one in ten moves no price by more than 5 %. */
const MAX_SPREADS = 2.5
/** Expected deviations (ln) of a device, a variant and a grade from the organization's level. */
export const DEVICE_SPREAD = 0.08
const VARIANT_SPREAD = 0.1
const CELL_SPREAD = 0.05
/** Beyond this (ln) from the median a price is an error, not the organization's level. */
export const MAX_DISTANCE = 0.5

/** The deviations of a device's cells from the level, from its own prices. */
export function poolDevice(
  distances: readonly Pick<Distance, 'cell' | 'ln' | 'weight'>[],
  variants: number,
  { level, spread, grades }: LevelOfPrices,
) {
  const weight = new Float64Array(variants * GRADE_COUNT)
  const sum = new Float64Array(weight.length)
  const deviations = distances.map(({ ln, cell }) => ({ cell, ln: ln - level - grades[cell % GRADE_COUNT]! }))
  const limited = limitedByOthers(deviations, MAX_SPREADS * spread)
  for (const [at, { cell, weight: rowWeight }] of distances.entries()) {
    weight[cell] = weight[cell]! + rowWeight
    sum[cell] = sum[cell]! + rowWeight * limited[at]!
  }
  const pooled = pool({
    variants,
    gradeCount: GRADE_COUNT,
    precision: weight.map((cellWeight) => cellWeight / spread ** 2),
    mean: sum.map((value, cell) => (weight[cell]! > 0 ? value / weight[cell]! : 0)),
    deviceMean: 0,
    deviceVariance: DEVICE_SPREAD ** 2,
    variantVariance: VARIANT_SPREAD ** 2,
    cellVariance: new Float64Array(GRADE_COUNT).fill(CELL_SPREAD ** 2),
  })
  return { weight, pooled }
}

/** Prices beyond the limit from the middle of their variant and grade, or of the device if these are few, count as if they were at it. */
function limitedByOthers(
  deviations: readonly { readonly cell: number; readonly ln: number }[],
  limit: number,
): number[] {
  const middleOf = (group: typeof deviations) =>
    group.length >= AGREEING_PRICES ? median(Float64Array.from(group, ({ ln }) => ln)) : null
  const ofDevice = middleOf(deviations)
  const byCell = new Map([...Map.groupBy(deviations, ({ cell }) => cell)].map(([cell, own]) => [cell, middleOf(own)]))
  return deviations.map(({ cell, ln }) => {
    const middle = byCell.get(cell) ?? ofDevice
    return middle === null ? ln : Math.max(middle - limit, Math.min(middle + limit, ln))
  })
}

/** Distance of each price of a device from the estimate of its other prices; none if it is the only one. */
export function heldOutDistances(
  distances: readonly Pick<Distance, 'cell' | 'ln' | 'weight'>[],
  served: LevelOfPrices,
): number[] {
  if (distances.length < 2) return []
  const variants = distances.reduce((most, { cell }) => Math.max(most, Math.floor(cell / GRADE_COUNT) + 1), 0)
  const { pooled } = poolDevice(distances, variants, served)
  return distances.map(({ cell, ln, weight }) => {
    const residual = ln - served.level - served.grades[cell % GRADE_COUNT]! - pooled.level[cell]!
    const leverage = (weight * pooled.variance[cell]!) / served.spread ** 2
    return Math.abs(residual) / Math.max(0.05, 1 - leverage)
  })
}

/** Number of agreeing own prices of a device that are accepted, however far they are from the common ones. */
const AGREEING_PRICES = 3

/** The median of distances if enough of them are near it. */
export function agreedCenter(distances: readonly number[]): number | null {
  const center = median(Float64Array.from(distances))
  return distances.filter((ln) => isNear(ln, center)).length >= AGREEING_PRICES ? center : null
}

export const isNear = (ln: number, center: number) => Math.abs(ln - center) <= MAX_DISTANCE
