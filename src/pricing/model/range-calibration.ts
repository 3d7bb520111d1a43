/**
 * Split conformal calibration of ranges: prices of each device are held out, estimated without them, and compared with the
 * estimate. The range of a price is as wide as the held-out prices of the same market demand that were known as well.
 */
import type { StartBasis } from './base-level.ts'
import { estimateColumns } from './estimate.ts'
import { ungradedWeights } from './grade-mix.ts'
import { isotonicDescending } from './isotonic.ts'
import type { FittedMarket } from './market.ts'
import { GRADE_COUNT, type ObservationColumns, selectRows } from './observation-columns.ts'
import { NORMAL_HALF_WIDTH80, NORMAL_MEDIAN, quantile } from './quantile.ts'
import { isQuotedCell, MIN_RECENCY_SHARE, quotedCellFor, ungradedThinning } from './quoted-rows.ts'
import { DEPTHS, depthOf, type RangeScale, type RangeScales, UNSCALED } from './range-depth.ts'
import { mainSource, type SourceScales } from './source-ranges.ts'

/** Prior weight of the next coarser group, in held-out prices. */
const PRIOR_ROWS = 30
/** Prior weight for unknown devices, in devices, because errors within one held-out device are correlated. */
const PRIOR_DEVICES = 5
const MIN_ROWS = 2
/** Share of held-out prices below and above an 80 % range. */
const TAIL = 0.1
const MIN_SCALE = 0.2
const MAX_SCALE = 20
/** Minimum spread (ln): prices are rounded. */
const MIN_SPREAD = 0.004
/** Limit per device, so that a popular device does not dominate; higher in a market of few devices. */
const MAX_ROWS_PER_DEVICE = 60
const TARGET_ROWS = 2_000
/** Approximate limit per market, from evenly sampled devices: a few thousand rows are enough for a quantile. */
const MAX_ROWS = 6_000

/**
 * Holds out half of the rows of each device, half of its variants, and the whole device, and estimates them with the estimate
 * that responses use. `effectsWithoutPart`: the market's effects without each part of the devices.
 */
export function* calibrateRanges(
  market: FittedMarket,
  devices: readonly ObservationColumns[],
  channels: readonly string[],
  effectsWithoutPart: readonly FittedMarket['effects'][],
  basis: StartBasis = {},
): Generator<void, { rangeScales: RangeScales; sourceScales: SourceScales }> {
  const samples = DEPTHS.map((): number[] => [])
  const bySource = new Map<string, number[][]>()
  let unknownDevices = 0
  const marketsWithoutPart = effectsWithoutPart.map((effects): FittedMarket => ({ ...market, effects }))
  const maxRowsPerDevice = Math.max(MAX_ROWS_PER_DEVICE, Math.ceil(TARGET_ROWS / Math.max(1, devices.length)))
  const holdoutRows = devices.reduce((sum, { size }) => sum + Math.min(size, 2 * MAX_ROWS_PER_DEVICE), 0)
  const deviceStep = Math.max(1, Math.ceil(holdoutRows / MAX_ROWS))
  for (let at = 0; at < devices.length; at += deviceStep) {
    const rows = devices[at] as ObservationColumns
    if (rows.size >= MIN_ROWS) {
      for (const groupOf of [(row: number) => row, variantIndexes(rows)]) {
        for (const half of [0, 1]) {
          const trainingRows: number[] = []
          const testRows: number[] = []
          for (let row = 0; row < rows.size; row += 1) (groupOf(row) % 2 === half ? testRows : trainingRows).push(row)
          if (trainingRows.length && testRows.length) addSamples(market, rows, trainingRows, testRows)
        }
        yield
      }
    }
    if (devices.length > 1 && marketsWithoutPart.length) {
      const allRows = Array.from({ length: rows.size }, (_, row) => row)
      if (addSamples(marketsWithoutPart[at % marketsWithoutPart.length] as FittedMarket, rows, [], allRows))
        unknownDevices += 1
      yield
    }
  }
  const unknownDevice = samples[0] as number[]
  const priorRows = (PRIOR_DEVICES * unknownDevice.length) / Math.max(1, unknownDevices)
  const ofMarket = depthScales(samples, { variant: UNSCALED, seen: UNSCALED }, (variant) =>
    scaleOf(unknownDevice, variant, priorRows),
  )
  const rangeScales: RangeScales = ofMarket.scales
  // A market of one source needs no groups.
  const groups = bySource.size > 1 ? [...bySource] : []
  const sourceScales = groups.map(
    ([source, group]) => [source, depthScales(group, ofMarket, () => rangeScales[0] as RangeScale).scales] as const,
  )
  return { rangeScales, sourceScales: new Map(sourceScales) }

  /** Adds the distances of the test rows from their estimate, in standard deviations. */
  function addSamples(
    marketWithoutRows: FittedMarket,
    rows: ObservationColumns,
    trainingRows: number[],
    testRows: number[],
  ): boolean {
    const minRecency = MIN_RECENCY_SHARE * rows.recency.reduce((most, one) => Math.max(most, one), 0)
    const isCounted = ungradedThinning(rows, ungradedWeights(marketWithoutRows, channels, rows))
    const comparedRows = testRows.filter(
      (row) => isQuotedCell(rows.cell[row]!) && rows.recency[row]! >= minRecency && isCounted(row),
    )
    if (!comparedRows.length) return false
    const knownRows = selectRows(rows, trainingRows)
    const source = mainSource(knownRows, channels)
    const estimate = estimateColumns(marketWithoutRows, knownRows, channels, 0, basis)
    if (!estimate.hasBasis) return false
    const step = Math.max(1, Math.ceil(comparedRows.length / maxRowsPerDevice))
    for (let at = 0; at < comparedRows.length; at += step) {
      const row = comparedRows[at]!
      const cell = quotedCellFor(rows.cell[row]!)
      const unlocked = rows.lnCents[row]! - estimate.lockOffset[rows.channel[row]!]!
      const distance = unlocked - estimate.quotedLevel[cell]!
      const depth = depthOf(estimate.fit, cell)
      const scaled = distance / Math.max(MIN_SPREAD, estimate.spread[cell]!)
      samples[depth]?.push(scaled)
      if (source === null) continue
      const group = bySource.get(source) ?? DEPTHS.map((): number[] => [])
      group[depth]?.push(scaled)
      bySource.set(source, group)
    }
    return true
  }
}

/** The factors of each depth; depths with few distances are similar to those of the next coarser group. */
function depthScales(
  [unknownDevice = [], unknownVariant = [], ...seenSamples]: readonly (readonly number[])[],
  parents: { readonly variant: RangeScale; readonly seen: RangeScale },
  deviceScale: (variant: RangeScale) => RangeScale,
) {
  const variant = scaleOf(unknownVariant, parents.variant, PRIOR_ROWS)
  const seen = scaleOf(seenSamples.flat(), parents.seen, PRIOR_ROWS)
  const scales = [
    deviceScale(variant),
    variant,
    ...seenSamples.map((distances) => scaleOf(distances, seen, PRIOR_ROWS)),
  ]
  // A further price never lowers the confidence.
  const spreads = isotonicDescending(
    scales.map(({ spread }) => spread),
    [unknownDevice, unknownVariant, ...seenSamples].map(({ length }) => length + 1),
  )
  return { variant, seen, scales: scales.map((scale, depth) => ({ ...scale, spread: spreads[depth]! })) }
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

/** Quantiles of the distances in those of a normal distribution, shrunk towards `parent` with the weight `priorRows`. */
function scaleOf(distances: readonly number[], parent: RangeScale, priorRows: number): RangeScale {
  const count = distances.length
  if (!count) return parent
  const shrink = (measured: number, prior: number) =>
    Math.max(MIN_SCALE, Math.min(MAX_SCALE, (measured * count + prior * priorRows) / (count + priorRows)))
  return {
    spread: shrink(quantile(distances.map(Math.abs), 0.5) / NORMAL_MEDIAN, parent.spread),
    lower: shrink(-quantile(distances, TAIL) / NORMAL_HALF_WIDTH80, parent.lower),
    upper: shrink(quantile(distances, 1 - TAIL) / NORMAL_HALF_WIDTH80, parent.upper),
  }
}
