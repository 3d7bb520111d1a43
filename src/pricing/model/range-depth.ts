import type { DeviceFit } from './device-fit.ts'
import { GRADE_COUNT } from './observation-columns.ts'

/** How well a price is known: by no price of its device, by none of its variant, or by some. */
export const DEPTHS = ['device unknown', 'variant unknown', 'variant known'] as const

/** Factors on the spread, and on the half-widths below and above the price, of a normal distribution. */
export type RangeScale = { readonly spread: number; readonly lower: number; readonly upper: number }

/** The factors of each depth. */
export type RangeScales = readonly RangeScale[]

export const UNSCALED: RangeScale = { spread: 1, lower: 1, upper: 1 }
export const UNCALIBRATED: RangeScales = DEPTHS.map(() => UNSCALED)

export function depthOf({ pooled }: Pick<DeviceFit, 'pooled'>, cell: number): number {
  if (pooled.devicePrecision === 0) return 0
  return pooled.variantPrecision[Math.floor(cell / GRADE_COUNT)] === 0 ? 1 : 2
}
