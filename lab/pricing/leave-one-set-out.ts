import { quantile } from '../../src/pricing/model/quantile.ts'
import type { QuotePrediction } from './accuracy.ts'
import { medianOf } from './median-error.ts'

/** What was foretold of one set in one kind of split. */
export type SplitResult = { readonly set: string; readonly kind: string; readonly foretold: readonly QuotePrediction[] }

/** A set as others would have it: by how much its ranges and errors had to be scaled, and what the other sets say of that. */
export type LeaveOneSetOut = {
  readonly set: string
  readonly kind: string
  readonly cover: number
  /** What ranges had to be multiplied by to hold 80 %, and what the error was beside the expected one. */
  readonly requiredScale: number
  readonly error: number
  /** The middle of what the other sets needed, and what ranges scaled by it would have held here. */
  readonly otherSetsScale: number
  readonly coverByOthers: number
}

/**
 * Whole sets left out: a scale for all ranges, learnt on the other sets, is tried on the one left out. Where it is close to one and
 * helps little, there is nothing general left to learn, and `cover` is what a set that nobody has seen may expect.
 */
export function leaveOneSetOut(results: readonly SplitResult[]): LeaveOneSetOut[] {
  const measured = results.map(({ set, kind, foretold }) => {
    const reached = foretold.map((row) => row.intervalPosition)
    const expected = foretold.reduce((sum, row) => sum + (100 - row.confidence) / 400, 0) / foretold.length
    return {
      set,
      kind,
      reached,
      needed: quantile(reached, 0.8),
      error: medianOf(foretold.map((row) => row.error)) / expected,
    }
  })
  const held = (reached: readonly number[], scale: number) =>
    reached.filter((share) => share <= scale).length / reached.length
  return measured.map(({ set, kind, reached, needed, error }) => {
    const rest = measured.filter((one) => one.kind === kind && one.set !== set).map((one) => one.needed)
    const others = rest.length ? quantile(rest, 0.5) : 1
    return {
      set,
      kind,
      cover: held(reached, 1),
      requiredScale: needed,
      error,
      otherSetsScale: others,
      coverByOthers: held(reached, others),
    }
  })
}
