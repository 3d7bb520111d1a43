import type { StartBasis } from './base-level.ts'
import { estimateColumns } from './estimate.ts'
import { ungradedWeights } from './grade-mix.ts'
import {
  clampScale,
  intervalPosition,
  isQuotedCell,
  MIN_RECENCY_SHARE,
  quotedCellFor,
  ungradedThinning,
} from './interval-scale.ts'
import type { FittedMarket } from './market.ts'
import { GRADE_COUNT, type ObservationColumns, selectRows } from './observation-columns.ts'
import { NORMAL_MEDIAN, quantile } from './quantile.ts'

/** Factors by which the predicted spread and interval must be scaled to cover 50 % and 80 % of the holdout rows. */
export type IntervalCalibration = {
  readonly spreadScale: number
  readonly lowerScale: number
  readonly upperScale: number
}

export const NO_CALIBRATION: IntervalCalibration = { spreadScale: 1, lowerScale: 1, upperScale: 1 }

/** Prior weight of uncalibrated intervals, in holdout rows. */
const PRIOR_ROWS = 60
/** Prior weight of the variant calibration, in devices, because errors within one held-out device are correlated. */
const PRIOR_DEVICES = 40
const MIN_ROWS = 2
/**
 * Share of held-out rows below and above the interval. The spreads and effects of the market were fitted with these rows, which
 * are therefore closer than prices that it has not seen: 82 % of them leave 80 % of unseen ones inside.
 */
const TAIL = 0.09
/** Limit per device, so that a popular device does not dominate; higher in a market of few devices. */
const MAX_ROWS_PER_DEVICE = 60
const TARGET_ROWS = 2_000
/** Approximate limit per market, from evenly sampled devices: a few thousand rows are enough for a quantile. */
const MAX_ROWS = 6_000

/**
 * Measures the coverage of intervals with the same estimate that responses use: half of the rows of each device are held out
 * and predicted from the other half, half of its variants from the others, and the whole device from the market without it.
 * `effectsWithoutPart`: the market's effects without each part of the devices.
 */
export function* calibrateOnHoldouts(
  market: FittedMarket,
  devices: readonly ObservationColumns[],
  channels: readonly string[],
  effectsWithoutPart: readonly FittedMarket['effects'][],
  basis: StartBasis = {},
): Generator<void, FittedMarket['calibration']> {
  const seen = calibrationSamples()
  const unseen = calibrationSamples()
  const unknown = calibrationSamples()
  const marketsWithoutPart = effectsWithoutPart.map((effects): FittedMarket => ({ ...market, effects }))
  const maxRowsPerDevice = Math.max(MAX_ROWS_PER_DEVICE, Math.ceil(TARGET_ROWS / Math.max(1, devices.length)))
  const holdoutRows = devices.reduce((sum, { size }) => sum + Math.min(size, 2 * MAX_ROWS_PER_DEVICE), 0)
  const deviceStep = Math.max(1, Math.ceil(holdoutRows / MAX_ROWS))
  for (let at = 0; at < devices.length; at += deviceStep) {
    const rows = devices[at] as ObservationColumns
    if (rows.size >= MIN_ROWS) {
      for (const [samples, groupOf] of [
        [seen, (at: number) => at],
        [unseen, variantIndexes(rows)],
      ] as const) {
        for (const half of [0, 1]) {
          const trainingRows: number[] = []
          const testRows: number[] = []
          for (let at = 0; at < rows.size; at += 1) (groupOf(at) % 2 === half ? testRows : trainingRows).push(at)
          if (trainingRows.length && testRows.length) addSamples(samples, market, rows, trainingRows, testRows)
        }
        yield
      }
    }
    if (devices.length > 1 && marketsWithoutPart.length) {
      const allRows = Array.from({ length: rows.size }, (_, row) => row)
      addSamples(unknown, marketsWithoutPart[at % marketsWithoutPart.length] as FittedMarket, rows, [], allRows)
      yield
    }
  }
  const variantCalibration = unseen.calibration(NO_CALIBRATION, PRIOR_ROWS)
  const priorRows = (PRIOR_DEVICES * unknown.size()) / Math.max(1, unknown.testCount())
  return {
    seen: seen.calibration(NO_CALIBRATION, PRIOR_ROWS),
    unseen: variantCalibration,
    unknown: unknown.calibration(variantCalibration, priorRows),
  }

  function addSamples(
    samples: ReturnType<typeof calibrationSamples>,
    marketWithoutRows: FittedMarket,
    rows: ObservationColumns,
    trainingRows: number[],
    testRows: number[],
  ): void {
    const minRecency = MIN_RECENCY_SHARE * rows.recency.reduce((most, one) => Math.max(most, one), 0)
    const isCounted = ungradedThinning(rows, ungradedWeights(marketWithoutRows, channels, rows))
    const comparedRows = testRows.filter(
      (row) => isQuotedCell(rows.cell[row]!) && rows.recency[row]! >= minRecency && isCounted(row),
    )
    if (!comparedRows.length) return
    const estimate = estimateColumns(marketWithoutRows, selectRows(rows, trainingRows), channels, 0, basis)
    if (!estimate.hasBasis) return
    samples.addTest()
    const step = Math.max(1, Math.ceil(comparedRows.length / maxRowsPerDevice))
    for (let at = 0; at < comparedRows.length; at += step) {
      const row = comparedRows[at]!
      const cell = quotedCellFor(rows.cell[row]!)
      const unlocked = rows.lnCents[row]! - estimate.lockOffset[rows.channel[row]!]!
      const distance = unlocked - estimate.quotedLevel[cell]!
      samples.add(
        Math.abs(distance) / (NORMAL_MEDIAN * estimate.spread[cell]!),
        intervalPosition(estimate, cell, distance),
      )
    }
  }
}

/** Consecutive numbers of the observed variants of a device. */
function variantIndexes(rows: ObservationColumns): (at: number) => number {
  const numbers = new Map<number, number>()
  const variantOf = (at: number) => Math.floor(rows.cell[at]! / GRADE_COUNT)
  for (let at = 0; at < rows.size; at += 1) {
    if (!numbers.has(variantOf(at))) numbers.set(variantOf(at), numbers.size)
  }
  return (at) => numbers.get(variantOf(at))!
}

function calibrationSamples() {
  const medianRatios: number[] = []
  /** Distances as a share of the half-width on their side; negative below the estimate. */
  const positions: number[] = []
  let tests = 0
  return {
    addTest(): void {
      tests += 1
    },
    testCount: () => tests,
    size: () => medianRatios.length,
    add(medianRatio: number, position: number): void {
      medianRatios.push(medianRatio)
      positions.push(position)
    },
    /** Shrunk towards `expected` with the prior weight `priorRows`. */
    calibration(expected: IntervalCalibration, priorRows: number): IntervalCalibration {
      const count = medianRatios.length
      if (!count) return expected
      const shrink = (measured: number, prior: number) =>
        clampScale((measured * count + prior * priorRows) / (count + priorRows))
      return {
        spreadScale: shrink(quantile(medianRatios, 0.5), expected.spreadScale),
        lowerScale: shrink(-quantile(positions, TAIL), expected.lowerScale),
        upperScale: shrink(quantile(positions, 1 - TAIL), expected.upperScale),
      }
    },
  }
}
