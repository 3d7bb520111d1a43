import { type DeviceFit, NORMAL_MEDIAN, type OwnDeviation, type Spreads } from './device-fit.ts'
import { type DeviceRows, RUNG_COUNT } from './device-rows.ts'
import type { Base, Market, Trade } from './market.ts'
import { median, quantile } from './median.ts'
import { RUNGS } from './rung.ts'
import type { ServedRung } from './served.ts'

/** Where learning starts, and what a market with few rows keeps. */
export const EXPECTED_SPREADS: Readonly<Record<Trade, Spreads>> = {
  resale: {
    listing: 0.1,
    rungFactor: [1, 1, 1, 1.1, 1.6, 1.1],
    cell: 0.05,
    variant: 0.045,
    slope: 0.35,
    device: 0.13,
    rung: 0.04,
    channel: 0.045,
    wander: 0.04,
  },
  buyback: {
    listing: 0.06,
    rungFactor: [1, 1, 1, 1.1, 1.6, 1.1],
    cell: 0.05,
    variant: 0.03,
    slope: 0.25,
    device: 0.12,
    rung: 0.04,
    channel: 0.045,
    wander: 0.04,
  },
}

/** Half-width of the middle 80 % of a normal distribution. */
export const NORMAL_REACH = 1.2816

/**
 * How distances really lie, in units of what was foretold: half of them within `middle` times the normal half, 80 % within
 * `reach`. Single listings have long tails; what siblings say of a variant has others.
 */
export type Shape = { readonly middle: number; readonly reach: number }

export const NORMAL_SHAPE: Shape = { middle: 1, reach: NORMAL_REACH }

/** What a variant has of its own is never less in any market measured; the storage steps were fitted on the same rows. */
const LEAST_VARIANT = 0.025

const GOOD = RUNGS.indexOf('Good')
const UNGRADED = RUNGS.indexOf('Ungraded')

/** Rows of a device that are looked at for the spread of listings. */
const ROWS_LOOKED_AT = 200

const blend = (own: number, weight: number, expected: number, firmness: number) =>
  (own * weight + expected * firmness) / (weight + firmness)

/** What is paid for most things here, about, and how much more cheaper ones differ before a market has said so. */
const USUAL_CENTS: Readonly<Record<Trade, number>> = { resale: 25_000, buyback: 17_000 }
const SLOPE = { expected: 0.5, spread: 0.25, least: 0, most: 1 } as const
/** Variance of ln distance of one normal value, and what devices of one price differ in besides. */
const LN_DISTANCE_VARIANCE = 1.23
const DEVICE_LN_VARIANCE = 0.1

export function usualPrice(devices: readonly DeviceRows[], trade: Trade): Market['usual'] {
  const seen = devices.map((rows) => median(rows.value))
  return { ln: seen.length ? median(seen) : Math.log(USUAL_CENTS[trade]), slope: SLOPE.expected }
}

/** About so many numbers of the storage steps are learnt from the variants they are measured on. */
const STORAGE_EFFECTS = 4

/** So many devices' worth of what is expected stand against what was found. */
const OWN_FIRMNESS = 30

/** A single distance says at most this much, in standard deviations: one odd device must not widen all ranges. */
const FARTHEST = 1.5
/** Mean square of normal values, each capped there. */
const NORMAL_SQUARE = 0.7785

/** A spread by moments: the squared distances less what chance alone explains, held to `expected` by `firmness` cases. */
function excess(expected: number, firmness: number, current: number, usual = expected) {
  let weight = firmness / usual ** 4
  let sum = weight * expected ** 2
  return {
    /** `chance`: the variance of `distance` without the spread that is being learnt, which enters `times` times. */
    add(distance: number, chance: number, times = 1): void {
      const total = chance + times * current ** 2
      const share = (times / total) ** 2
      weight += share
      sum += (share * (Math.min(distance * distance, FARTHEST ** 2 * total) / NORMAL_SQUARE - chance)) / times
    },
    // Halfway from the current value: the distances were measured under it, and a full step would swing past.
    value: (least: number, most: number, freedom = 1) =>
      Math.min(most, Math.sqrt((current ** 2 + freedom * Math.max(least ** 2, sum / weight)) / 2)),
  }
}

function shapeOf(distances: readonly number[], firmness: number, least: Shape): Shape {
  if (!distances.length) return NORMAL_SHAPE
  const count = distances.length
  const middle = blend(quantile(distances, 0.5) / NORMAL_MEDIAN, count, 1, firmness)
  const reach = blend(quantile(distances, 0.8), count, NORMAL_REACH, firmness)
  return { middle: Math.max(least.middle, Math.min(2, middle)), reach: Math.max(least.reach, Math.min(2.6, reach)) }
}

/** Rows that count this much beside the newest are looked at for the spread of listings. */
const RECENT = 0.25

/** Distances this small are rounding. */
const LEAST_DISTANCE = 0.05

/** By how much distances grow (ln) per unit of ln below the usual price, over devices, held to what is expected. */
function slopeOf(devices: readonly { below: number; ln: number; rows: number }[]): number {
  const weights = devices.map(({ rows }) => 1 / (LN_DISTANCE_VARIANCE / rows + DEVICE_LN_VARIANCE))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const mean = (of: (device: (typeof devices)[number]) => number) =>
    devices.reduce((sum, device, at) => sum + of(device) * (weights[at] as number), 0) / (total || 1)
  const belowMean = mean(({ below }) => below)
  const lnMean = mean(({ ln }) => ln)
  let xx = 1 / SLOPE.spread ** 2
  let xy = SLOPE.expected / SLOPE.spread ** 2
  devices.forEach(({ below, ln }, at) => {
    const weight = weights[at] as number
    xx += weight * (below - belowMean) ** 2
    xy += weight * (below - belowMean) * (ln - lnMean)
  })
  return Math.max(SLOPE.least, Math.min(SLOPE.most, xy / xx))
}

/** How far each node of the trees is from what its siblings say teaches how much to lean on siblings. */
export function spreadLearner(current: Spreads, usual: Market['usual'], factors: Float64Array, trade: Trade) {
  const start = EXPECTED_SPREADS[trade]
  const cell = excess(start.cell, 2, current.cell)
  const variant = excess(start.variant, 2, current.variant)
  const device = excess(start.device, 4, current.device)
  const rung = { squares: OWN_FIRMNESS * start.rung ** 2, count: OWN_FIRMNESS }
  const channel = { squares: OWN_FIRMNESS * start.channel ** 2, count: OWN_FIRMNESS }
  const wander = excess(start.wander, 30, current.wander, Math.max(start.wander, current.wander))
  let devices = 0
  let variants = 0
  const byPrice: { below: number; ln: number; rows: number }[] = []
  const standard: number[] = []
  const relative: number[] = []
  const levels: number[] = []
  const deviceLevels: number[] = []
  const byRung: number[][] = RUNGS.map(() => [])
  const byServed: number[][] = RUNGS.map(() => [])
  const byChannel = Array.from(factors, (): number[] => [])

  /** Squares of what was found, with what could not be found out: the more rows, the more the market speaks. */
  function addOwn(sum: { squares: number; count: number }, own: Iterable<OwnDeviation>): void {
    for (const { offset, variance, apart } of own) {
      // What nearly all rows of the device share is its level.
      if (apart < 0.1) continue
      sum.squares += offset ** 2 + variance
      sum.count += 1
    }
  }

  return {
    add(
      rows: DeviceRows,
      fit: DeviceFit,
      { known: listed, wide }: Pick<Base, 'known' | 'wide'>,
      answer: { readonly expected: Float64Array; readonly rungs: readonly ServedRung[]; readonly offset: Float64Array },
    ): void {
      const { pooled } = fit
      const factor = (at: number) => current.rungFactor[at % RUNG_COUNT] as number
      for (let c = 0; c < fit.weight.length; c += 1) {
        const weight = fit.weight[c] as number
        if (weight < 0.3 || c % RUNG_COUNT === UNGRADED) continue
        const chance = (fit.listing * factor(c)) ** 2 / weight
        const without = pooled.levelWithout[c] as number
        const withoutVariance = pooled.varianceWithout[c] as number
        const estimate = pooled.level[c] as number
        // The cell's own mean, recovered from the estimate it was mixed into.
        const own = estimate + (estimate - without) * (chance / withoutVariance)
        cell.add(own - without, withoutVariance - current.cell ** 2 + chance)
      }
      for (let v = 0; v < rows.steps.length; v += 1) {
        const precision = pooled.variantPrecision[v] as number
        if (precision === 0) continue
        const distance = (pooled.variantMean[v] as number) - (pooled.variantLevelWithout[v] as number)
        const variance = (pooled.variantVarianceWithout[v] as number) + 1 / precision
        variants += 1
        variant.add(distance, variance - current.variant ** 2)
        if (precision < pooled.devicePrecision || pooled.devicePrecision === 0)
          levels.push(Math.abs(distance) / Math.sqrt(variance))
      }
      if (listed && pooled.devicePrecision > 0) {
        devices += 1
        const unsure = current.device ** 2 + 1 / pooled.devicePrecision
        deviceLevels.push(Math.abs(pooled.deviceMean) / Math.sqrt(unsure))
        device.add(pooled.deviceMean, 1 / pooled.devicePrecision)
      }
      addOwn(channel, fit.channelOwn.values())
      addOwn(rung, fit.rungOwn)
      addWeeks(rows, fit)
      const step = Math.max(1, Math.floor(rows.size / ROWS_LOOKED_AT))
      let lnDistance = 0
      let looked = 0
      let recent = 0
      for (let row = 0; row < rows.size; row += 1) recent = Math.max(recent, RECENT * (rows.recency[row] as number))
      for (let row = 0; row < rows.size; row += step) {
        // What lies far back lies off because prices went on.
        if ((rows.recency[row] as number) < recent) continue
        const at = rows.cell[row] as number
        const number = rows.channel[row] as number
        // As if the row had not been there: its own pull is taken back.
        const distance = Math.abs(fit.residual[row] as number) / Math.sqrt(1 - (fit.pull[row] as number))
        const apart = distance / wide
        lnDistance += Math.log(Math.max(distance / (current.listing * factor(at)), LEAST_DISTANCE))
        looked += 1
        byRung[at % RUNG_COUNT]?.push(apart)
        byChannel[number]?.push(apart / factor(at))
        standard.push(apart / factor(at))
        relative.push(distance / (fit.listing * factor(at) * (factors[number] as number)))
        addServed(rows, fit, row, answer)
      }
      if (looked) byPrice.push({ below: usual.ln - median(rows.value), ln: lnDistance / looked, rows: looked })
    },
    learnt(): {
      spreads: Spreads
      listings: Shape
      served: readonly Shape[]
      levels: Shape
      devices: Shape
      factors: Float64Array
      usual: Market['usual']
    } {
      const rows = standard.length
      // Level, age and list slope were fitted on the same devices, which are closer to them than a new one will be.
      const freedom = Math.max(1, devices) / Math.max(1, devices - 1.5, devices / 2)
      const middle = rows ? quantile(standard, 0.5) / NORMAL_MEDIAN : current.listing
      const listing = Math.max(0.01, blend(middle, rows, start.listing, 10))
      const within = (own: number[], expected: number, firmness: number, least: number, most: number) => {
        const factor = own.length
          ? blend(quantile(own, 0.5) / NORMAL_MEDIAN / listing, own.length, expected, firmness)
          : expected
        return Math.max(least, Math.min(most, factor))
      }
      return {
        spreads: {
          ...current,
          listing,
          rungFactor: start.rungFactor.map((expected, at) => within(byRung[at] as number[], expected, 25, 0.5, 3)),
          cell: cell.value(0.01, 0.2),
          variant: variant.value(
            LEAST_VARIANT,
            0.2,
            Math.max(1, variants) / Math.max(1, variants - STORAGE_EFFECTS, variants / 2),
          ),
          device: device.value(0.05, 0.4, freedom),
          rung: Math.sqrt(rung.squares / rung.count),
          channel: Math.sqrt(channel.squares / channel.count),
          wander: wander.value(0.01, 0.25),
        },
        factors: Float64Array.from(byChannel, (own) => within(own, 1, 25, 0.4, 2.5)),
        usual: { ln: usual.ln, slope: slopeOf(byPrice) },
        listings: shapeOf(relative, 40, { middle: 0.5, reach: 0.8 }),
        served: byServed.map((distances) => shapeOf(distances, 40, { middle: 0.5, reach: 0.8 })),
        // The market was learnt from these very levels: they lie closer than a new one will, and a device more so than a variant.
        levels: shapeOf(levels, 20, { middle: 0.8, reach: 1.1 }),
        devices: shapeOf(deviceLevels, 8, NORMAL_SHAPE),
      }
    },
  }

  /** How far a listing is from the one number of its grade; of an ungraded one, from that of Good. */
  function addServed(
    rows: DeviceRows,
    fit: DeviceFit,
    row: number,
    { expected, rungs, offset }: Parameters<ReturnType<typeof spreadLearner>['add']>[3],
  ): void {
    const cell = rows.cell[row] as number
    const rung = cell % RUNG_COUNT
    const channel = rows.channel[row] as number
    const own = fit.channelOwn.get(channel)?.offset ?? 0
    const as = rung === UNGRADED ? GOOD : rung
    const target = cell - rung + as
    const served = rungs[as] as ServedRung
    const apart =
      (expected[cell] as number) +
      (fit.level[cell] as number) -
      (expected[target] as number) -
      (fit.level[target] as number)
    const distance = (fit.residual[row] as number) + (offset[channel] as number) + own + apart - served.center
    const listing = (fit.listing * (current.rungFactor[as] as number)) ** 2 * served.factor
    byServed[as]?.push(Math.abs(distance) / Math.sqrt((1 - (fit.pull[row] as number)) * (listing + served.between)))
  }

  /** How far the weeks of one variant lie apart, beyond what the number of their listings explains. */
  function addWeeks(rows: DeviceRows, fit: DeviceFit): void {
    const weight = new Float64Array(WEEKS)
    const sum = new Float64Array(WEEKS)
    // Rows lie sorted by cell, so those of a variant lie together.
    for (let row = 0; row < rows.size; ) {
      const variant = Math.floor((rows.cell[row] as number) / RUNG_COUNT)
      weight.fill(0)
      sum.fill(0)
      for (; row < rows.size && Math.floor((rows.cell[row] as number) / RUNG_COUNT) === variant; row += 1) {
        const trust = fit.trust[row] as number
        if (trust === 0) continue
        const week = Math.floor((rows.monthsAgo[row] as number) * WEEKS_PER_MONTH)
        const rung = (rows.cell[row] as number) % RUNG_COUNT
        const wide = (current.rungFactor[rung] as number) * (factors[rows.channel[row] as number] as number)
        const counts = trust / wide ** 2
        weight[week] = (weight[week] as number) + counts
        sum[week] = (sum[week] as number) + counts * (fit.residual[row] as number)
      }
      compareWeeks(weight, sum, fit.listing ** 2)
    }
  }

  function compareWeeks(weight: Float64Array, sum: Float64Array, noise: number): void {
    for (const lags of LAGS) {
      let pairs = 0
      for (let week = 0; week < WEEKS; week += 1) {
        const here = weight[week] as number
        if (here === 0) continue
        for (const lag of lags) {
          const there = weight[week + lag] ?? 0
          if (there === 0) continue
          pairs += 1
          const distance = (sum[week] as number) / here - (sum[week + lag] as number) / there
          wander.add(distance, noise * (1 / here + 1 / there), lag / WEEKS_PER_MONTH)
        }
      }
      if (pairs) return
    }
  }
}

const WEEKS = 54
const WEEKS_PER_MONTH = 30.4375 / 7
/**
 * Weeks between two that are compared, the best first: averages creep from week to week, so that only the longer ones show how far
 * prices go.
 */
const LAGS = [[4, 6, 8], [2, 3], [1]]
