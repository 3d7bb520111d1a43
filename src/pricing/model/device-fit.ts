import { cellRanges } from './cell-ranges.ts'
import { type DeviceDeviation, deviationLearner, type GroupSums, groupRows } from './device-deviations.ts'
import { uses } from './model-parts.ts'
import { GRADE_COUNT, type ObservationColumns, UNGRADED } from './observation-columns.ts'
import { MAX_STANDARD_ERRORS, outlierWeight } from './outlier-weight.ts'
import { type PoolingResult, pool } from './partial-pooling.ts'
import { median } from './quantile.ts'

/** Standard deviations of ln price at each level of the tree. */
export type Spreads = {
  /** One listing around the level of its cell. */
  readonly listing: number
  /** Factor on `listing` by grade: prices of worse grades differ more. */
  readonly gradeFactor: readonly number[]
  readonly cell: number
  readonly variant: number
  readonly device: number
  /** Deviation of a channel of one device from the market's effect. */
  readonly channel: number
  /** Random-walk volatility of a device's prices around the drift, per month; grows with the square root of time. */
  readonly volatility: number
}

/** The market's effects of each channel: its price offset, and the factor on the spread of its listings. */
export type ChannelEffects = { readonly offset: Float64Array; readonly spreadFactor: Float64Array }

export type DeviceFit = {
  /** Estimate of every cell as a deviation from its expected value, and its variance. */
  readonly level: Float64Array
  readonly variance: Float64Array
  readonly pooled: PoolingResult
  /** This device's deviation from the market's offset of each channel. */
  readonly channelDeviations: ReadonlyMap<number, DeviceDeviation>
  /** Weight of each row before outlier weighting: newer rows and those of channels with a small spread count more. */
  readonly baseWeight: Float64Array
  /** Distance of each row from its cell's level, its outlier weight, and its leverage on that level. */
  readonly residual: Float64Array
  readonly trust: Float64Array
  readonly leverage: Float64Array
  /** Weight of the rows per cell that were not rejected as outliers. */
  readonly trustedWeight: Float64Array
}

/** Ungraded rows have no deviation of their own: they inform the level of the variant. */
function cellVariances(variance: number): Float64Array {
  const byGrade = new Float64Array(GRADE_COUNT).fill(variance)
  byGrade[UNGRADED] = 0
  return byGrade
}

export function treeVariances(spreads: Spreads, deviceVariance: number) {
  return {
    deviceMean: 0,
    deviceVariance,
    variantVariance: spreads.variant ** 2,
    cellVariance: cellVariances(spreads.cell ** 2),
  }
}

const PASSES = 4
/** From this many rows on a cell starts from its median, which one junk row does not distort. */
const MIN_ROWS_FOR_MEDIAN = 3
/** Outliers are judged against at least this spread (ln) of devices around the prior; the spread used for first-price intervals may be smaller. */
const MIN_OUTLIER_PRIOR_SPREAD = 0.2
/** With more rows the medians of the cells are robust enough without rejecting gross outliers first. */
const FEW_ROWS = 64

/**
 * Estimates the levels of one device's cells from its rows, as deviations from `expected` (one value per cell). Rows far from
 * all others lose their weight; the rest is shrinkage along the tree. Rows of one cell and channel differ only in their
 * amount, so each pass visits the rows once and works on these groups otherwise.
 */
export function fitDevice(
  rows: ObservationColumns,
  expected: Float64Array,
  channels: ChannelEffects,
  spreads: Spreads,
  priorVariance: number,
): DeviceFit {
  const { size, weight: observationWeight } = rows
  const cells = rows.device.variants.length * GRADE_COUNT
  const groups = groupRows(rows)
  const { groupOfRow, cell: cellOf, channel: channelOf, count } = groups
  const deviation = new Float64Array(size)
  const baseWeight = new Float64Array(size)
  const trust = new Float64Array(size).fill(1)
  const residual = new Float64Array(size)
  const leverage = new Float64Array(size)
  const sums: GroupSums = { weight: new Float64Array(count), sum: new Float64Array(count) }
  for (let at = 0; at < size; at += 1) {
    const group = groupOfRow[at]!
    const channel = channelOf[group]!
    const spreadFactor = channels.spreadFactor[channel]!
    const expectedLn = expected[cellOf[group]!]! + channels.offset[channel]!
    deviation[at] = rows.lnCents[at]! - expectedLn
    baseWeight[at] = observationWeight[at]! / (spreadFactor * spreadFactor)
  }
  const hasFewRows = size <= FEW_ROWS
  const isJudgedByOthers = hasFewRows && uses('judging each of few rows against the others')
  if (hasFewRows && uses('rejection of gross outliers among few rows'))
    rejectGrossOutliers(deviation, trust, spreads, priorVariance)
  for (let at = 0; at < size; at += 1) {
    if (trust[at] === 0) continue
    const group = groupOfRow[at]!
    sums.weight[group] = sums.weight[group]! + baseWeight[at]!
    sums.sum[group] = sums.sum[group]! + baseWeight[at]! * deviation[at]!
  }
  const precision = new Float64Array(cells)
  const mean = new Float64Array(cells)
  const weight = new Float64Array(cells)
  const deviations = deviationLearner(groups)
  const tree = {
    variants: rows.device.variants.length,
    gradeCount: GRADE_COUNT,
    precision,
    mean,
    ...treeVariances(spreads, priorVariance),
  }
  const pooled: PoolingResult = pool(tree)
  const gradeVariance = spreads.gradeFactor.map((factor) => (spreads.listing * factor) ** 2)
  const center = new Float64Array(count)
  const treeLeverage = new Float64Array(count)
  const deviationLeverage = new Float64Array(count)
  const scale = new Float64Array(count)

  for (let pass = 0; pass < (size ? PASSES : 0); pass += 1) {
    weight.fill(0)
    mean.fill(0)
    for (let group = 0; group < count; group += 1) {
      const cell = cellOf[group]!
      const groupWeight = sums.weight[group]!
      weight[cell] = weight[cell]! + groupWeight
      mean[cell] = mean[cell]! + sums.sum[group]! - groupWeight * deviations.offsetOf(group)
    }
    for (let cell = 0; cell < cells; cell += 1) {
      const cellWeight = weight[cell]!
      mean[cell] = cellWeight > 0 ? mean[cell]! / cellWeight : 0
      precision[cell] = cellWeight / gradeVariance[cell % GRADE_COUNT]!
    }
    if (pass === 0 && uses('start from cell medians')) startFromMedians(rows, deviation, trust, mean)
    pool(tree, pooled)
    for (let group = 0; group < count; group += 1) {
      const cell = cellOf[group]!
      const variance = gradeVariance[cell % GRADE_COUNT]!
      center[group] = pooled.level[cell]! + deviations.offsetOf(group)
      deviationLeverage[group] = deviations.leverageOf(group)
      treeLeverage[group] = pooled.variance[cell]! / variance
      scale[group] = 1 / (channels.spreadFactor[channelOf[group]!]! * Math.sqrt(variance))
    }
    sums.weight.fill(0)
    sums.sum.fill(0)
    for (let at = 0; at < size; at += 1) {
      const group = groupOfRow[at]!
      const distance = deviation[at]! - center[group]!
      const previousTrust = trust[at]!
      const rowWeight = baseWeight[at]!
      const fromTree = treeLeverage[group]!
      const fromDeviations = deviationLeverage[group]!
      const rowLeverage = Math.min(0.95, rowWeight * (previousTrust * fromTree + fromDeviations))
      residual[at] = distance
      leverage[at] = rowLeverage
      const residualShare = 1 - rowLeverage
      // A rejected row has no leverage; its distance is that of an independent observation. With few rows, each is compared with
      // the estimate of the others regardless of its own weight; otherwise it would alternate between accepted and rejected from
      // pass to pass. With many rows, old ones are judged more strictly, because prices have moved.
      const varianceFactor = isJudgedByOthers
        ? residualShare * (residualShare + fromTree + fromDeviations)
        : previousTrust === 0
          ? 1 + fromTree
          : residualShare
      const standardErrors = (Math.abs(distance) * scale[group]!) / Math.sqrt(varianceFactor)
      const newTrust = outlierWeight(standardErrors)
      trust[at] = newTrust
      if (newTrust === 0) continue
      sums.weight[group] = sums.weight[group]! + newTrust * rowWeight
      sums.sum[group] = sums.sum[group]! + newTrust * rowWeight * deviation[at]!
    }
    if (pass < PASSES - 1) deviations.update(sums, pooled.level, spreads.listing ** 2, spreads)
  }
  return {
    level: pooled.level,
    variance: pooled.variance,
    pooled,
    channelDeviations: deviations.channelDeviations(),
    baseWeight,
    residual,
    trust,
    leverage,
    trustedWeight: weight,
  }
}

function startFromMedians(
  rows: ObservationColumns,
  deviation: Float64Array,
  trust: Float64Array,
  mean: Float64Array,
): void {
  for (const { cell, from, to } of cellRanges(rows)) {
    if (to - from < MIN_ROWS_FOR_MEDIAN) continue
    const trusted = deviation.subarray(from, to).filter((_, at) => trust[from + at]! > 0)
    if (trusted.length >= MIN_ROWS_FOR_MEDIAN) mean[cell] = median(trusted)
  }
}

/**
 * Among few rows a single junk row would shift the first estimate so far that honest rows are rejected. Rows far from both the
 * expected value and the median start with weight zero.
 */
function rejectGrossOutliers(
  deviation: Float64Array,
  trust: Float64Array,
  spreads: Spreads,
  priorVariance: number,
): void {
  const { listing, cell, variant, channel } = spreads
  const prior = Math.max(Math.sqrt(priorVariance), MIN_OUTLIER_PRIOR_SPREAD)
  const maxDistance = MAX_STANDARD_ERRORS * Math.hypot(prior, listing, cell, variant, channel)
  const center = deviation.length >= MIN_ROWS_FOR_MEDIAN ? median(deviation) : 0
  for (let at = 0; at < deviation.length; at += 1) {
    const distance = deviation[at]!
    if (Math.min(Math.abs(distance), Math.abs(distance - center)) > maxDistance) trust[at] = 0
  }
}
