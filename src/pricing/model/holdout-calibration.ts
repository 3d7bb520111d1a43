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

/** What the foretold spread and range had to be multiplied by to hold half and 80 % of what was hidden. */
export type IntervalCalibration = {
  readonly spreadScale: number
  readonly lowerScale: number
  readonly upperScale: number
}

export const NO_CALIBRATION: IntervalCalibration = { spreadScale: 1, lowerScale: 1, upperScale: 1 }

/** Ranges as foretold stand for this many hidden rows. */
const PRIOR_ROWS = 60
/** Rows of one hidden device lie off together: what hidden variants taught stands for this many devices. */
const PRIOR_DEVICES = 40
const MIN_ROWS = 2
/** A device has at most this many of them: one that everybody sells is not the market. In a market of few devices it may have more. */
const MAX_ROWS_PER_DEVICE = 60
const TARGET_ROWS = 2_000
/** A market has at most about this many, from devices that are evenly picked: a quantile of some thousand rows is sure enough. */
const MAX_ROWS = 6_000
/** Half of all normal values lie within this many standard deviations. */
const NORMAL_MEDIAN = 0.6745

/**
 * The proof of a range is what it holds. Half of the rows of each device are hidden and foretold from the other half, half of its
 * variants from the others, and the whole device from what the market would say without it, by the very estimate that answers are made of.
 * `without`: the market's effects without each part of the devices.
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

/** The observed variants of a device, numbered. */
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
  /** Below zero: as a share of the reach below; above zero: of the reach above. */
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
    /** Held to what is expected by `firmness` rows. */
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
