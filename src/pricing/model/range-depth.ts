import type { DeviceFit } from './device-fit.ts'
import { uses } from './model-parts.ts'
import { GOOD, GRADE_COUNT, UNGRADED } from './observation-columns.ts'

/** How well a price is known: by no price of its device, of its variant, of its grade, or by so many of its grade. */
export const DEPTHS = [
  'device unknown',
  'variant unknown',
  'grade unknown',
  'few prices',
  'some prices',
  'many prices',
] as const
/** Recency weight of prices of a grade from which on there are few, some and many of them. */
const DEPTH_WEIGHTS = [1, 4, 15] as const

/** Factors on the spread, and on the half-widths below and above the price, of a normal distribution. */
export type RangeScale = { readonly spread: number; readonly lower: number; readonly upper: number }

/** The factors of each depth. */
export type RangeScales = readonly RangeScale[]

export const UNSCALED: RangeScale = { spread: 1, lower: 1, upper: 1 }
export const UNCALIBRATED: RangeScales = DEPTHS.map(() => UNSCALED)

export function depthOf({ pooled, trustedWeight }: DeviceFit, cell: number): number {
  if (pooled.devicePrecision === 0) return 0
  if (pooled.variantPrecision[Math.floor(cell / GRADE_COUNT)] === 0) return 1
  const ungraded = cell % GRADE_COUNT === GOOD ? trustedWeight[cell + UNGRADED - GOOD]! : 0
  const weight = trustedWeight[cell]! + ungraded
  if (!uses('ranges by depth')) return 3
  return 2 + DEPTH_WEIGHTS.filter((least) => weight >= least).length
}
