import { GRADE_COUNT, gradeIndex, type ObservationColumns } from './observation-columns.ts'
import { MAX_STANDARD_ERRORS, outlierWeight } from './outlier-weight.ts'
import { type PoolingResult, pool } from './partial-pooling.ts'
import { median, medianBetween } from './quantile.ts'

/** Standard deviations of ln price at each level of the tree. */
export type Spreads = {
  /** One listing around the level of its cell. */
  readonly listing: number
  /** Factor on `listing` by grade: prices of worse grades differ more. */
  readonly gradeFactor: readonly number[]
  readonly cell: number
  readonly variant: number
  readonly slope: number
  readonly device: number
  /** Deviation of a grade (`grade`) or channel (`channel`) of one device from the market's effect. */
  readonly grade: number
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
  readonly gradeDeviations: readonly DeviceDeviation[]
  /** Spread of single listings around their cell on this device. */
  readonly listingSpread: number
  /** Weight of each row before outlier weighting: newer rows and those of channels with a small spread count more. */
  readonly baseWeight: Float64Array
  /** Distance of each row from its cell's level, its outlier weight, and its leverage on that level. */
  readonly residual: Float64Array
  readonly trust: Float64Array
  readonly leverage: Float64Array
  /** Number and weight of the rows per cell that were not rejected as outliers. */
  readonly trustedCount: Int32Array
  readonly trustedWeight: Float64Array
}

/** A deviation specific to this device, its variance, and the share (by weight) of the device's rows that it does not cover. */
export type DeviceDeviation = { readonly offset: number; readonly variance: number; readonly otherRowsShare: number }

/** Ungraded rows have no deviation of their own: they inform the level of the variant. */
function cellVariances(variance: number): Float64Array {
  const byRung = new Float64Array(GRADE_COUNT).fill(variance)
  byRung[UNGRADED] = 0
  return byRung
}

export function treeVariances(spreads: Spreads, deviceVariance: number) {
  return {
    deviceMean: 0,
    deviceVariance,
    slopeVariance: spreads.slope ** 2,
    variantVariance: spreads.variant ** 2,
    cellVariance: cellVariances(spreads.cell ** 2),
  }
}

const PASSES = 4
const UNGRADED = gradeIndex('Ungraded')
/** Half of all normal values lie within this many standard deviations. */
export const NORMAL_MEDIAN = 0.6745
/** Mean distance of normal values from their mean, each capped at one standard deviation. */
const NORMAL_CAPPED_MEAN = 0.6313
/** With this many rows a device's own spread has half the weight. */
const ROWS_FOR_HALF_WEIGHT = 30
/** From this many rows on a cell starts from its median, which one junk row does not distort. */
const MIN_ROWS_FOR_MEDIAN = 3
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
  const { size, weight: baseWeight } = rows
  const cells = rows.combinedSteps.length * GRADE_COUNT
  const groups = groupRows(rows)
  const { groupOfRow: of, cell: cellOf, channel: channelOf, count } = groups
  const plain = new Float64Array(size)
  const share = new Float64Array(size)
  const trusted = new Float64Array(size).fill(1)
  const residual = new Float64Array(size)
  const pull = new Float64Array(size)
  /** Weight, sum of weighted distances and number of the accepted rows of each group. */
  const sums: GroupSums = {
    weight: new Float64Array(count),
    sum: new Float64Array(count),
    trustedCount: new Int32Array(count),
  }
  let fresh = 0
  for (let at = 0; at < size; at += 1) {
    const group = of[at] as number
    const channel = channelOf[group] as number
    const wide = channels.spreadFactor[channel] as number
    const start = (expected[cellOf[group] as number] as number) + (channels.offset[channel] as number)
    const distance = (rows.lnCents[at] as number) - start
    const counts = (baseWeight[at] as number) / (wide * wide)
    plain[at] = distance
    share[at] = counts
    fresh += baseWeight[at] as number
  }
  const few = size <= FEW_ROWS
  if (few) rejectGrossOutliers(plain, trusted, spreads, priorVariance)
  for (let at = 0; at < size; at += 1) {
    if (trusted[at] === 0) continue
    const group = of[at] as number
    sums.weight[group] = (sums.weight[group] as number) + (share[at] as number)
    sums.sum[group] = (sums.sum[group] as number) + (share[at] as number) * (plain[at] as number)
    sums.trustedCount[group] = (sums.trustedCount[group] as number) + 1
  }
  const precision = new Float64Array(cells)
  const mean = new Float64Array(cells)
  const weight = new Float64Array(cells)
  const kept = new Int32Array(cells)
  const own = deviationLearner(groups)
  let listing = spreads.listing
  const tree = {
    steps: rows.combinedSteps,
    gradeCount: GRADE_COUNT,
    precision,
    mean,
    ...treeVariances(spreads, priorVariance),
  }
  const pooled: PoolingResult = pool(tree)
  const rungVariance = new Float64Array(GRADE_COUNT)
  const center = new Float64Array(count)
  const treePull = new Float64Array(count)
  const ownPull = new Float64Array(count)
  const scale = new Float64Array(count)

  for (let pass = 0; pass < (size ? PASSES : 0); pass += 1) {
    for (let rung = 0; rung < GRADE_COUNT; rung += 1) {
      rungVariance[rung] = (listing * (spreads.gradeFactor[rung] as number)) ** 2
    }
    weight.fill(0)
    mean.fill(0)
    kept.fill(0)
    for (let group = 0; group < count; group += 1) {
      const cell = cellOf[group] as number
      const counts = sums.weight[group] as number
      weight[cell] = (weight[cell] as number) + counts
      mean[cell] = (mean[cell] as number) + (sums.sum[group] as number) - counts * own.of(group)
      kept[cell] = (kept[cell] as number) + (sums.trustedCount[group] as number)
    }
    for (let cell = 0; cell < cells; cell += 1) {
      const sum = weight[cell] as number
      mean[cell] = sum > 0 ? (mean[cell] as number) / sum : 0
      precision[cell] = sum / (rungVariance[cell % GRADE_COUNT] as number)
    }
    if (pass === 0) startFromMedians(rows, plain, weight, mean)
    pool(tree, pooled)
    for (let group = 0; group < count; group += 1) {
      const cell = cellOf[group] as number
      const variance = rungVariance[cell % GRADE_COUNT] as number
      center[group] = (pooled.level[cell] as number) + own.of(group)
      treePull[group] = (pooled.variance[cell] as number) / variance
      ownPull[group] = own.pull(group)
      scale[group] = 1 / ((channels.spreadFactor[channelOf[group] as number] as number) * Math.sqrt(variance))
    }
    sums.weight.fill(0)
    sums.sum.fill(0)
    sums.trustedCount.fill(0)
    let near = 0
    for (let at = 0; at < size; at += 1) {
      const group = of[at] as number
      const distance = (plain[at] as number) - (center[group] as number)
      const believed = trusted[at] as number
      const counts = share[at] as number
      const byTree = treePull[group] as number
      const byOwn = ownPull[group] as number
      const leverage = Math.min(0.95, counts * (believed * byTree + byOwn))
      residual[at] = distance
      pull[at] = leverage
      const rest = 1 - leverage
      // A rejected row has no leverage; its distance is that of an independent observation. With few rows, each is compared with
      // the estimate of the others regardless of its own weight; otherwise it would alternate between accepted and rejected from
      // pass to pass. With many rows, old ones are judged more strictly, because prices have moved.
      const sure = few ? rest * (rest + byTree + byOwn) : believed === 0 ? 1 + byTree : rest
      const apart = (Math.abs(distance) * (scale[group] as number)) / Math.sqrt(sure)
      near += (baseWeight[at] as number) * Math.min(apart, 1)
      const trustNow = outlierWeight(apart)
      trusted[at] = trustNow
      if (trustNow === 0) continue
      sums.weight[group] = (sums.weight[group] as number) + trustNow * counts
      sums.sum[group] = (sums.sum[group] as number) + trustNow * counts * (plain[at] as number)
      sums.trustedCount[group] = (sums.trustedCount[group] as number) + 1
    }
    if (pass > 0) {
      // Distances are capped at one, so that junk does not widen the spread. A row at the estimate adds nothing to the sum, so it
      // can only lower the spread.
      const found = (listing * near) / NORMAL_CAPPED_MEAN
      listing = (found + spreads.listing * ROWS_FOR_HALF_WEIGHT) / (fresh + ROWS_FOR_HALF_WEIGHT)
    }
    if (pass < PASSES - 1) own.learn(sums, pooled.level, listing ** 2, spreads)
  }
  const level = pooled.level.slice()
  const variance = pooled.variance.slice()
  for (let cell = 0; cell < cells; cell += 1) {
    level[cell] = (level[cell] as number) + (own.rung[cell % GRADE_COUNT] as number)
    variance[cell] = (variance[cell] as number) + own.rungVariance(cell % GRADE_COUNT, listing ** 2, spreads)
  }
  return {
    level,
    variance,
    pooled,
    channelDeviations: own.channels(),
    gradeDeviations: own.rungs(),
    listingSpread: listing,
    baseWeight: share,
    residual,
    trust: trusted,
    leverage: pull,
    trustedCount: kept,
    trustedWeight: weight,
  }
}

/** Groups of rows with the same cell and channel; `channelIndex` numbers only the channels of this device. */
type RowGroups = {
  readonly count: number
  /** The group of each row. */
  readonly groupOfRow: Int32Array
  readonly cell: readonly number[]
  readonly channel: readonly number[]
  readonly channelIndex: readonly number[]
  readonly channelIndexes: ReadonlyMap<number, number>
}

type GroupSums = { readonly weight: Float64Array; readonly sum: Float64Array; readonly trustedCount: Int32Array }

function groupRows(rows: ObservationColumns): RowGroups {
  const of = new Int32Array(rows.size)
  const cell: number[] = []
  const channel: number[] = []
  const local: number[] = []
  const locals = new Map<number, number>()
  /** The group of each channel in the current cell; rows are sorted by cell. */
  const current: number[] = []
  let began = 0
  let last = -1
  for (let at = 0; at < rows.size; at += 1) {
    if (rows.cell[at] !== last) {
      last = rows.cell[at] as number
      began = cell.length
    }
    const name = rows.channel[at] as number
    let group = current[name] ?? -1
    if (group < began) {
      group = cell.length
      current[name] = group
      let number = locals.get(name)
      if (number === undefined) {
        number = locals.size
        locals.set(name, number)
      }
      cell.push(last)
      channel.push(name)
      local.push(number)
    }
    of[at] = group
  }
  return { count: cell.length, groupOfRow: of, cell, channel, channelIndex: local, channelIndexes: locals }
}

/**
 * Deviations that cut across the tree: a grade of this device in all its variants, a channel of this device in all its
 * grades. They are estimated alternately with the tree, each shrunk according to the weight of its rows.
 */
function deviationLearner({ count, cell: cellOf, channelIndex: local, channelIndexes: locals }: RowGroups) {
  const rung = new Float64Array(GRADE_COUNT)
  const rungWeight = new Float64Array(GRADE_COUNT)
  const channel = new Float64Array(locals.size)
  const channelWeight = new Float64Array(locals.size)
  let rungFirm = 0
  let channelFirm = 0
  let noise = 0
  let total = 0
  const rungOf = (group: number) => (cellOf[group] as number) % GRADE_COUNT
  /** A deviation shared by all rows of the device is its level: with a single channel the channel deviation is zero. */
  const apart = (weight: number) => (total > 0 ? 1 - weight / total : 0)
  return {
    rung,
    of: (group: number): number => (channel[local[group] as number] as number) + (rung[rungOf(group)] as number),
    /** Leverage of a row of this group on the deviations, per unit of its weight. */
    pull(group: number): number {
      if (channelFirm === 0) return 0
      const ofChannel = channelWeight[local[group] as number] as number
      const ofRung = rungWeight[rungOf(group)] as number
      const byRung = rungOf(group) === UNGRADED ? 0 : apart(ofRung) / (ofRung + rungFirm)
      return apart(ofChannel) / (ofChannel + channelFirm) + byRung
    },
    rungVariance(at: number, variance: number, spreads: Spreads): number {
      return at === UNGRADED ? 0 : variance / ((rungWeight[at] as number) + variance / spreads.grade ** 2)
    },
    channels() {
      const out = new Map<number, DeviceDeviation>()
      for (const [name, at] of locals) {
        const weight = channelWeight[at] as number
        out.set(name, {
          offset: channel[at] as number,
          variance: noise / (weight + channelFirm),
          otherRowsShare: apart(weight),
        })
      }
      return out
    },
    rungs(): DeviceDeviation[] {
      return Array.from(rung, (offset, at) => {
        const weight = rungWeight[at] as number
        return {
          offset,
          variance: noise / (weight + rungFirm),
          otherRowsShare: weight > 0 && at !== UNGRADED ? apart(weight) : 0,
        }
      })
    },
    learn({ weight, sum }: GroupSums, level: Float64Array, variance: number, spreads: Spreads): void {
      noise = variance
      channelFirm = variance / spreads.channel ** 2
      rungFirm = variance / spreads.grade ** 2
      channelWeight.fill(0)
      rungWeight.fill(0)
      channel.fill(0)
      total = 0
      for (let group = 0; group < count; group += 1) {
        const counts = weight[group] as number
        const c = local[group] as number
        const r = rungOf(group)
        const start = (level[cellOf[group] as number] as number) + (rung[r] as number)
        channelWeight[c] = (channelWeight[c] as number) + counts
        rungWeight[r] = (rungWeight[r] as number) + counts
        channel[c] = (channel[c] as number) + (sum[group] as number) - counts * start
        total += counts
      }
      for (let c = 0; c < channel.length; c += 1) {
        channel[c] = (channel[c] as number) / ((channelWeight[c] as number) + channelFirm)
      }
      rung.fill(0)
      for (let group = 0; group < count; group += 1) {
        const r = rungOf(group)
        const start = (level[cellOf[group] as number] as number) + (channel[local[group] as number] as number)
        rung[r] = (rung[r] as number) + (sum[group] as number) - (weight[group] as number) * start
      }
      for (let r = 0; r < GRADE_COUNT; r += 1) {
        rung[r] = r === UNGRADED ? 0 : (rung[r] as number) / ((rungWeight[r] as number) + rungFirm)
      }
    },
  }
}

function startFromMedians(
  rows: ObservationColumns,
  plain: Float64Array,
  weight: Float64Array,
  mean: Float64Array,
): void {
  // Rows are sorted by cell.
  for (let from = 0; from < rows.size; ) {
    const cell = rows.cell[from] as number
    let to = from
    while (to < rows.size && rows.cell[to] === cell) to += 1
    if (to - from >= MIN_ROWS_FOR_MEDIAN && (weight[cell] as number) > 0) mean[cell] = medianBetween(plain, from, to)
    from = to
  }
}

/**
 * Among few rows a single junk row would shift the first estimate so far that honest rows are rejected. Rows far from both the
 * expected value and the median start with weight zero.
 */
function rejectGrossOutliers(
  plain: Float64Array,
  trusted: Float64Array,
  spreads: Spreads,
  priorVariance: number,
): void {
  const { listing, cell, variant, grade: rung, channel } = spreads
  const gate =
    MAX_STANDARD_ERRORS * Math.sqrt(priorVariance + listing ** 2 + cell ** 2 + variant ** 2 + rung ** 2 + channel ** 2)
  const center = plain.length >= MIN_ROWS_FOR_MEDIAN ? median(plain) : 0
  for (let at = 0; at < plain.length; at += 1) {
    const distance = plain[at] as number
    if (Math.min(Math.abs(distance), Math.abs(distance - center)) > gate) trusted[at] = 0
  }
}
