import type { VariantInput } from './observation.ts'
import { GRADE_COUNT } from './observation-columns.ts'

/** Weight of a variant without prices beside one with some. */
const UNOBSERVED_WEIGHT = 0.01
/** Sweeps over all pairs; the last one leaves no pair in the wrong order. */
const SWEEPS = 3

/** Whether a variant has at least the storage and memory of another one and is the same otherwise. */
export function hasMoreMemory(variant: VariantInput, than: VariantInput): boolean {
  return (
    (variant.otherAttributes ?? '') === (than.otherAttributes ?? '') &&
    (variant.storageGb ?? 0) >= (than.storageGb ?? 0) &&
    (variant.ramGb ?? 0) >= (than.ramGb ?? 0)
  )
}

/**
 * More storage or memory never costs less in the same grade: contradicting prices meet at their mean, weighted by the prices
 * of each variant, so that an unobserved variant follows an observed one. Changes `level`, one value per cell.
 */
export function riseWithMemory(
  variants: readonly VariantInput[],
  trustedWeight: Float64Array,
  level: Float64Array,
): void {
  if (variants.length < 2) return
  const weight = variants.map((_, at) =>
    trustedWeight
      .subarray(at * GRADE_COUNT, (at + 1) * GRADE_COUNT)
      .reduce((sum, cell) => sum + cell, UNOBSERVED_WEIGHT),
  )
  const order = variants
    .map((variant, at) => ({ variant, at }))
    .sort(
      (a, b) =>
        (a.variant.storageGb ?? 0) - (b.variant.storageGb ?? 0) || (a.variant.ramGb ?? 0) - (b.variant.ramGb ?? 0),
    )
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    const isLast = sweep === SWEEPS - 1
    for (let larger = 1; larger < order.length; larger += 1) {
      for (let smaller = 0; smaller < larger; smaller += 1) {
        const [less, more] = [order[smaller]!, order[larger]!]
        if (!hasMoreMemory(more.variant, less.variant)) continue
        for (let grade = 0; grade < GRADE_COUNT; grade += 1) {
          const [below, above] = [less.at * GRADE_COUNT + grade, more.at * GRADE_COUNT + grade]
          if (level[above]! >= level[below]!) continue
          const [weightBelow, weightAbove] = [weight[less.at]!, weight[more.at]!]
          const mean = (level[below]! * weightBelow + level[above]! * weightAbove) / (weightBelow + weightAbove)
          level[above] = isLast ? level[below]! : mean
          if (!isLast) level[below] = mean
        }
      }
    }
  }
}
