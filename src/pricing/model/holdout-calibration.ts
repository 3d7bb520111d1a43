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
import type { FittedMarket, StartBasis } from './market.ts'
import { GRADE_COUNT, type ObservationColumns, selectRows } from './observation-columns.ts'
import { quantile } from './quantile.ts'

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
/** Limit per device, so that a popular device does not dominate; higher in a market of few devices. */
const MAX_ROWS_PER_DEVICE = 60
const TARGET_ROWS = 2_000
/** Approximate limit per market, from evenly sampled devices: a few thousand rows are enough for a quantile. */
const MAX_ROWS = 6_000
/** Half of all normal values lie within this many standard deviations. */
const NORMAL_MEDIAN = 0.6745

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
  const unaware = effectsWithoutPart.map((effects): FittedMarket => ({ ...market, effects }))
  const most = Math.max(MAX_ROWS_PER_DEVICE, Math.ceil(TARGET_ROWS / Math.max(1, devices.length)))
  const hidden = devices.reduce((sum, { size }) => sum + Math.min(size, 2 * MAX_ROWS_PER_DEVICE), 0)
  const apart = Math.max(1, Math.ceil(hidden / MAX_ROWS))
  for (let at = 0; at < devices.length; at += apart) {
    const rows = devices[at] as ObservationColumns
    if (rows.size >= MIN_ROWS) {
      for (const [collect, group] of [
        [seen, (at: number) => at],
        [unseen, variantIndexes(rows)],
      ] as const) {
        for (const half of [0, 1]) {
          const known: number[] = []
          const foretold: number[] = []
          for (let at = 0; at < rows.size; at += 1) (group(at) % 2 === half ? foretold : known).push(at)
          if (known.length && foretold.length) look(collect, market, rows, known, foretold)
        }
        yield
      }
    }
    if (devices.length > 1 && unaware.length) {
      const everything = Array.from({ length: rows.size }, (_, row) => row)
      look(unknown, unaware[at % unaware.length] as FittedMarket, rows, [], everything)
      yield
    }
  }
  const ofVariants = unseen.outcome(NO_CALIBRATION, PRIOR_ROWS)
  return {
    seen: seen.outcome(NO_CALIBRATION, PRIOR_ROWS),
    unseen: ofVariants,
    unknown: unknown.outcome(ofVariants, (PRIOR_DEVICES * unknown.size()) / Math.max(1, unknown.looks())),
  }

  function look(
    collect: ReturnType<typeof calibrationSamples>,
    by: FittedMarket,
    rows: ObservationColumns,
    known: number[],
    foretold: number[],
  ): void {
    const recent = MIN_RECENCY_SHARE * rows.recency.reduce((most, one) => Math.max(most, one), 0)
    const isCounted = ungradedThinning(rows, ungradedWeights(by, channels, rows))
    const answered = foretold.filter(
      (row) => isQuotedCell(rows.cell[row] as number) && (rows.recency[row] as number) >= recent && isCounted(row),
    )
    if (!answered.length) return
    const answer = estimateColumns(by, selectRows(rows, known), channels, 0, basis)
    if (!answer.hasBasis) return
    collect.begin()
    const step = Math.max(1, Math.ceil(answered.length / most))
    for (let at = 0; at < answered.length; at += step) {
      const row = answered[at] as number
      const as = quotedCellFor(rows.cell[row] as number)
      const unlocked = (rows.lnCents[row] as number) - (answer.lockOffset[rows.channel[row] as number] as number)
      const distance = unlocked - (answer.quotedLevel[as] as number)
      collect.add(
        Math.abs(distance) / (NORMAL_MEDIAN * (answer.spread[as] as number)),
        intervalPosition(answer, as, distance),
      )
    }
  }
}

/** Consecutive numbers of the observed variants of a device. */
function variantIndexes(rows: ObservationColumns): (at: number) => number {
  const numbers = new Map<number, number>()
  const variantOf = (at: number) => Math.floor((rows.cell[at] as number) / GRADE_COUNT)
  for (let at = 0; at < rows.size; at += 1) {
    if (!numbers.has(variantOf(at))) numbers.set(variantOf(at), numbers.size)
  }
  return (at) => numbers.get(variantOf(at)) as number
}

function calibrationSamples() {
  const middles: number[] = []
  /** Distances as a share of the half-width on their side; negative below the estimate. */
  const reached: number[] = []
  let looks = 0
  return {
    begin(): void {
      looks += 1
    },
    looks: () => looks,
    size: () => middles.length,
    add(middle: number, share: number): void {
      middles.push(middle)
      reached.push(share)
    },
    /** Shrunk towards `expected` with the prior weight `firmness`, in rows. */
    outcome(expected: IntervalCalibration, firmness: number): IntervalCalibration {
      const count = middles.length
      if (!count) return expected
      const held = (found: number, value: number) => clampScale((found * count + value * firmness) / (count + firmness))
      return {
        spreadScale: held(quantile(middles, 0.5), expected.spreadScale),
        lowerScale: held(-quantile(reached, 0.1), expected.lowerScale),
        upperScale: held(quantile(reached, 0.9), expected.upperScale),
      }
    },
  }
}
