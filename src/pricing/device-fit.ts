import { type DeviceRows, RUNG_COUNT } from './device-rows.ts'
import { median } from './median.ts'
import { trust } from './outlier-gate.ts'
import { type Pooled, pool } from './pooling.ts'

/** How much prices differ, as standard deviations of ln price, at each level of the tree. */
export type Spreads = {
  /** One listing around the level of its cell. */
  readonly listing: number
  /** The same per rung, as a factor: broken phones differ more. */
  readonly rungFactor: readonly number[]
  readonly cell: number
  readonly variant: number
  readonly slope: number
  readonly device: number
  /** How far a grade of one device, or a channel on one device, strays from what the whole market pays for it. */
  readonly rung: number
  readonly channel: number
}

export type DeviceFit = {
  /** Estimate of every cell as a deviation from what was expected, and its variance. */
  readonly level: Float64Array
  readonly variance: Float64Array
  readonly pooled: Pooled
  /** What this device's listings in a channel add to the market's own offset, and the variance of that. */
  readonly channelOwn: ReadonlyMap<number, { readonly offset: number; readonly variance: number }>
  /** Spread of single listings around their cell on this device. */
  readonly listing: number
  /** Distance of each row from its cell's level, trust in it, and its pull on that level. */
  readonly residual: Float64Array
  readonly trust: Float64Array
  readonly pull: Float64Array
  /** Believed rows per cell: their number and their weight. */
  readonly kept: Int32Array
  readonly weight: Float64Array
}

export function treeVariances(spreads: Spreads, deviceVariance: number) {
  return {
    deviceMean: 0,
    deviceVariance,
    slopeVariance: spreads.slope ** 2,
    variantVariance: spreads.variant ** 2,
    cellVariance: spreads.cell ** 2,
  }
}

const PASSES = 4
const SWEEPS = 1
/** Half of all normal values lie within this many standard deviations. */
export const NORMAL_MEDIAN = 0.6745
/** Mean distance of normal values from their mean, each capped at one standard deviation. */
const NORMAL_NEAR = 0.6313
/** A device's own spread is believed half when it has this many rows. */
const ROWS_OF_HALF_TRUST = 30
/** A cell's start is its median from this many rows on: a mean of three with one junk row among them starts astray. */
const MEDIAN_FROM = 3

/**
 * The levels of one device's cells from its rows, as deviations from `expected` (one value per cell). Rows far from what
 * all the others say lose their weight; the rest is shrinkage along the tree.
 */
export function fitDevice(
  rows: DeviceRows,
  expected: Float64Array,
  offsets: Float64Array,
  spreads: Spreads,
  priorVariance: number,
): DeviceFit {
  const { size, cell: cellOf, recency } = rows
  const cells = rows.steps.length * RUNG_COUNT
  const plain = new Float64Array(size)
  for (let at = 0; at < size; at += 1) {
    const offset = offsets[rows.channel[at] as number] ?? 0
    plain[at] = (rows.value[at] as number) - (expected[cellOf[at] as number] as number) - offset
  }
  const deviation = plain.slice()
  const trusted = new Float64Array(size).fill(1)
  const residual = new Float64Array(size)
  const pull = new Float64Array(size)
  const precision = new Float64Array(cells)
  const mean = new Float64Array(cells)
  const weight = new Float64Array(cells)
  const kept = new Int32Array(cells)
  const own = ownDeviations(rows)
  let listing = spreads.listing
  const pooled: Pooled = pool(poolInput())

  function poolInput() {
    return {
      steps: rows.steps,
      rungs: RUNG_COUNT,
      precision,
      mean,
      ...treeVariances(spreads, priorVariance),
    }
  }

  const rungVariance = new Float64Array(RUNG_COUNT)
  for (let pass = 0; pass < (size ? PASSES : 0); pass += 1) {
    for (let rung = 0; rung < RUNG_COUNT; rung += 1) {
      rungVariance[rung] = (listing * (spreads.rungFactor[rung] as number)) ** 2
    }
    weight.fill(0)
    mean.fill(0)
    kept.fill(0)
    for (let at = 0; at < size; at += 1) {
      const believed = trusted[at] as number
      if (believed === 0) continue
      const cell = cellOf[at] as number
      const share = believed * (recency[at] as number)
      weight[cell] = (weight[cell] as number) + share
      mean[cell] = (mean[cell] as number) + share * (deviation[at] as number)
      kept[cell] = (kept[cell] as number) + 1
    }
    for (let cell = 0; cell < cells; cell += 1) {
      const sum = weight[cell] as number
      mean[cell] = sum > 0 ? (mean[cell] as number) / sum : 0
      precision[cell] = sum / (rungVariance[cell % RUNG_COUNT] as number)
    }
    if (pass === 0) startFromMedians(rows, deviation, kept, mean)
    pool(poolInput(), pooled)
    let near = 0
    for (let at = 0; at < size; at += 1) {
      const cell = cellOf[at] as number
      const variance = rungVariance[cell % RUNG_COUNT] as number
      const distance = (deviation[at] as number) - (pooled.level[cell] as number)
      const believed = trusted[at] as number
      const spread = pooled.variance[cell] as number
      const leverage = Math.min(0.95, (believed * (recency[at] as number) * spread) / variance + own.pull(at))
      residual[at] = distance
      pull[at] = leverage
      // A row that was shut out pulls nothing; its distance is that of a stranger.
      const apart = Math.abs(distance) / Math.sqrt(variance * (believed === 0 ? 1 + spread / variance : 1 - leverage))
      trusted[at] = trust(apart)
      near += Math.min(apart, 1)
    }
    if (pass > 0) {
      // Capped at one, distances of honest listings and of junk weigh alike: the spread is that of the honest ones. A row at
      // the estimate adds nothing to the sum, so it can only make the device look calmer.
      const scale = (listing * near) / NORMAL_NEAR
      listing = (scale + spreads.listing * ROWS_OF_HALF_TRUST) / (size + ROWS_OF_HALF_TRUST)
    }
    if (pass < PASSES - 1) own.learn(plain, deviation, pooled.level, trusted, listing ** 2, spreads)
  }
  const level = pooled.level.slice()
  const variance = pooled.variance.slice()
  for (let cell = 0; cell < cells; cell += 1) {
    level[cell] = (level[cell] as number) + (own.rung[cell % RUNG_COUNT] as number)
    variance[cell] = (variance[cell] as number) + own.rungVariance(cell % RUNG_COUNT, listing ** 2, spreads)
  }
  return { level, variance, pooled, channelOwn: own.channels(), listing, residual, trust: trusted, pull, kept, weight }
}

/**
 * Deviations that cut across the tree: a grade of this device in all its variants, a channel on this device in all its
 * grades. They are found by turns with the tree, each shrunk by what its rows can bear.
 */
function ownDeviations(rows: DeviceRows) {
  const { size, cell: cellOf, recency, channel: channelOf } = rows
  const numbers = new Map<number, number>()
  const local = new Int32Array(size)
  for (let at = 0; at < size; at += 1) {
    const channel = channelOf[at] as number
    let number = numbers.get(channel)
    if (number === undefined) {
      number = numbers.size
      numbers.set(channel, number)
    }
    local[at] = number
  }
  const count = numbers.size
  const rung = new Float64Array(RUNG_COUNT)
  const rungWeight = new Float64Array(RUNG_COUNT)
  const channel = new Float64Array(count)
  const channelWeight = new Float64Array(count)
  let rungFirm = 0
  let channelFirm = 0
  let noise = 0
  return {
    rung,
    pull(at: number): number {
      const share = recency[at] as number
      if (channelFirm === 0) return 0
      return (
        share / ((channelWeight[local[at] as number] as number) + channelFirm) +
        share / ((rungWeight[(cellOf[at] as number) % RUNG_COUNT] as number) + rungFirm)
      )
    },
    rungVariance(at: number, variance: number, spreads: Spreads): number {
      return variance / ((rungWeight[at] as number) + variance / spreads.rung ** 2)
    },
    channels() {
      const out = new Map<number, { offset: number; variance: number }>()
      for (const [name, at] of numbers) {
        out.set(name, {
          offset: channel[at] as number,
          variance: noise / ((channelWeight[at] as number) + channelFirm),
        })
      }
      return out
    },
    learn(
      plain: Float64Array,
      deviation: Float64Array,
      level: Float64Array,
      trusted: Float64Array,
      variance: number,
      spreads: Spreads,
    ): void {
      noise = variance
      channelFirm = variance / spreads.channel ** 2
      rungFirm = variance / spreads.rung ** 2
      channelWeight.fill(0)
      rungWeight.fill(0)
      for (let at = 0; at < size; at += 1) {
        const share = (trusted[at] as number) * (recency[at] as number)
        const c = local[at] as number
        const r = (cellOf[at] as number) % RUNG_COUNT
        channelWeight[c] = (channelWeight[c] as number) + share
        rungWeight[r] = (rungWeight[r] as number) + share
      }
      for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
        const channelSum = new Float64Array(count)
        for (let at = 0; at < size; at += 1) {
          const cell = cellOf[at] as number
          const c = local[at] as number
          const rest = (plain[at] as number) - (level[cell] as number) - (rung[cell % RUNG_COUNT] as number)
          channelSum[c] = (channelSum[c] as number) + (trusted[at] as number) * (recency[at] as number) * rest
        }
        for (let c = 0; c < count; c += 1) {
          channel[c] = (channelSum[c] as number) / ((channelWeight[c] as number) + channelFirm)
        }
        const rungSum = new Float64Array(RUNG_COUNT)
        for (let at = 0; at < size; at += 1) {
          const cell = cellOf[at] as number
          const r = cell % RUNG_COUNT
          const rest = (plain[at] as number) - (level[cell] as number) - (channel[local[at] as number] as number)
          rungSum[r] = (rungSum[r] as number) + (trusted[at] as number) * (recency[at] as number) * rest
        }
        for (let r = 0; r < RUNG_COUNT; r += 1) {
          rung[r] = (rungSum[r] as number) / ((rungWeight[r] as number) + rungFirm)
        }
      }
      for (let at = 0; at < size; at += 1) {
        const r = (cellOf[at] as number) % RUNG_COUNT
        deviation[at] = (plain[at] as number) - (channel[local[at] as number] as number) - (rung[r] as number)
      }
    },
  }
}

function startFromMedians(rows: DeviceRows, deviation: Float64Array, kept: Int32Array, mean: Float64Array): void {
  // Rows lie sorted by cell.
  for (let from = 0; from < rows.size; ) {
    const cell = rows.cell[from] as number
    const to = from + (kept[cell] as number)
    if (to - from >= MEDIAN_FROM) {
      mean[cell] = median(deviation.subarray(from, to))
    }
    from = to
  }
}
