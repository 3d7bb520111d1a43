import { quantile } from '../../src/pricing/model/quantile.ts'
import type { QuotePrediction } from './accuracy.ts'
import { medianOf } from './median-error.ts'

/** Predictions for one set in one kind of split. */
export type SplitResult = {
  readonly set: string
  readonly kind: string
  readonly predictions: readonly QuotePrediction[]
}

/** Scale that the intervals of a set need, compared with the scale that the other sets need. */
export type LeaveOneSetOut = {
  readonly set: string
  readonly kind: string
  readonly cover: number
  /** Factor on the intervals for 80 % cover, and measured error / expected error. */
  readonly requiredScale: number
  readonly error: number
  /** Median factor of the other sets, and the cover of intervals scaled by it. */
  readonly otherSetsScale: number
  readonly coverByOthers: number
}

/**
 * Leaves out whole sets: an interval scale learned on the other sets is applied to the one left out. If it is close to one and
 * improves little, nothing general is left to learn, and `cover` is the expectation for an unknown set.
 */
export function leaveOneSetOut(results: readonly SplitResult[]): LeaveOneSetOut[] {
  const measured = results.map(({ set, kind, predictions }) => {
    const positions = predictions.map((row) => row.intervalPosition)
    const expected = predictions.reduce((sum, row) => sum + (100 - row.confidence) / 400, 0) / predictions.length
    return {
      set,
      kind,
      positions,
      requiredScale: quantile(positions, 0.8),
      error: medianOf(predictions.map((row) => row.error)) / expected,
    }
  })
  const coverAt = (positions: readonly number[], scale: number) =>
    positions.filter((share) => share <= scale).length / positions.length
  return measured.map(({ set, kind, positions, requiredScale, error }) => {
    const otherScales = measured
      .filter((result) => result.kind === kind && result.set !== set)
      .map((result) => result.requiredScale)
    const otherSetsScale = otherScales.length ? quantile(otherScales, 0.5) : 1
    return {
      set,
      kind,
      cover: coverAt(positions, 1),
      requiredScale,
      error,
      otherSetsScale,
      coverByOthers: coverAt(positions, otherSetsScale),
    }
  })
}
