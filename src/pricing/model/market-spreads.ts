import { type DeviceDeviation, type DeviceFit, NORMAL_MEDIAN, type Spreads } from './device-fit.ts'
import { MARKET_GRADES } from './grade.ts'
import type { GradeMix } from './grade-mix.ts'
import { ungradedThinning } from './interval-scale.ts'
import type { BaseLevel, FittedMarket, Trade } from './market.ts'
import { GRADE_COUNT, type ObservationColumns } from './observation-columns.ts'
import { median, quantile } from './quantile.ts'

/** Initial values of the fit; a market with few rows keeps them. */
export const EXPECTED_SPREADS: Readonly<Record<Trade, Spreads>> = {
  resale: {
    listing: 0.1,
    gradeFactor: [1, 1, 1, 1.1, 1.6, 1.1],
    cell: 0.05,
    variant: 0.045,
    slope: 0.35,
    device: 0.13,
    grade: 0.04,
    channel: 0.045,
    volatility: 0.04,
  },
  buyback: {
    listing: 0.06,
    gradeFactor: [1, 1, 1, 1.1, 1.6, 1.1],
    cell: 0.05,
    variant: 0.03,
    slope: 0.25,
    device: 0.12,
    grade: 0.04,
    channel: 0.045,
    volatility: 0.04,
  },
}

/** Half-width of the middle 80 % of a normal distribution. */
export const NORMAL_HALF_WIDTH80 = 1.2816

/**
 * Actual distribution of errors in units of the predicted standard deviation: 50 % are within `medianScale` times the normal
 * median, 80 % within `halfWidth80`. Single listings have long tails.
 */
export type ErrorShape = { readonly medianScale: number; readonly halfWidth80: number }

export const NORMAL_ERROR_SHAPE: ErrorShape = { medianScale: 1, halfWidth80: NORMAL_HALF_WIDTH80 }

/** Lower limit in all measured markets; the measured value is too small, because storage steps are fitted on the same rows. */
const MIN_VARIANT_SPREAD = 0.025

const GOOD = MARKET_GRADES.indexOf('Good')
const UNGRADED = MARKET_GRADES.indexOf('Ungraded')

/** Rows per device sampled for the spread of listings. */
const SAMPLED_ROWS = 200

const blend = (own: number, weight: number, expected: number, priorWeight: number) =>
  (own * weight + expected * priorWeight) / (weight + priorWeight)

/** Priors of the typical price, and of how much more the prices of cheaper devices vary (`SLOPE`). */
const TYPICAL_CENTS: Readonly<Record<Trade, number>> = { resale: 25_000, buyback: 17_000 }
const SLOPE = { expected: 0.5, spread: 0.25, least: 0, most: 1 } as const
/** Variance of the ln distance of one normal value, and the additional variance between devices of the same price. */
const LN_DISTANCE_VARIANCE = 1.23
const DEVICE_LN_VARIANCE = 0.1

export function typicalPrice(devices: readonly ObservationColumns[], trade: Trade): FittedMarket['typicalPrice'] {
  const seen = devices.map((rows) => median(rows.lnCents))
  return { ln: seen.length ? median(seen) : Math.log(TYPICAL_CENTS[trade]), slope: SLOPE.expected }
}

/** Approximate number of storage effects fitted on the same variants (degrees of freedom). */
const STORAGE_EFFECT_COUNT = 4

/** Prior weight of the expected deviation, in devices. */
const DEVIATION_PRIOR_WEIGHT = 30

/** Cap on a single distance in standard deviations, so that one unusual device does not widen all intervals. */
const MAX_DEVIATION = 1.5
/** Mean square of normal values capped at `MAX_DEVIATION`. */
const NORMAL_SQUARE = 0.7785

/** Method-of-moments estimate of a spread: squared distances minus sampling variance, shrunk towards `expected`. */
function spreadEstimator(expected: number, priorWeight: number, current: number, usual = expected) {
  let weight = priorWeight / usual ** 4
  let sum = weight * expected ** 2
  return {
    /** `chance`: variance of `distance` without the estimated spread, whose variance enters `times` times. */
    add(distance: number, chance: number, times = 1): void {
      const total = chance + times * current ** 2
      const share = (times / total) ** 2
      weight += share
      sum += (share * (Math.min(distance * distance, MAX_DEVIATION ** 2 * total) / NORMAL_SQUARE - chance)) / times
    },
    // Damped: the distances were measured under the current value, and a full step would overshoot.
    value: (least: number, most: number, freedom = 1) =>
      Math.min(most, Math.sqrt((current ** 2 + freedom * Math.max(least ** 2, sum / weight)) / 2)),
  }
}

function errorShape(distances: readonly number[], priorWeight: number, min: ErrorShape): ErrorShape {
  if (!distances.length) return NORMAL_ERROR_SHAPE
  const count = distances.length
  const middle = blend(quantile(distances, 0.5) / NORMAL_MEDIAN, count, 1, priorWeight)
  const reach = blend(quantile(distances, 0.8), count, NORMAL_HALF_WIDTH80, priorWeight)
  return {
    medianScale: Math.max(min.medianScale, Math.min(2, middle)),
    halfWidth80: Math.max(min.halfWidth80, Math.min(2.6, reach)),
  }
}

/** Minimum recency relative to the newest row for rows that the spread of listings is measured on. */
const RECENT = 0.25

/** Smaller distances are rounding. */
const MIN_DISTANCE = 0.05

/** Regression slope of ln distance on ln below the typical price over all devices, shrunk towards the prior. */
function spreadSlope(devices: readonly { below: number; ln: number; rows: number }[]): number {
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

/** Estimates the spreads from the distances between each node of the trees and the prediction of its siblings. */
export function spreadLearner(
  current: Spreads,
  usual: FittedMarket['typicalPrice'],
  factors: Float64Array,
  trade: Trade,
) {
  const start = EXPECTED_SPREADS[trade]
  const cell = spreadEstimator(start.cell, 2, current.cell)
  const variant = spreadEstimator(start.variant, 2, current.variant)
  const device = spreadEstimator(start.device, 4, current.device)
  const rung = { squares: DEVIATION_PRIOR_WEIGHT * start.grade ** 2, count: DEVIATION_PRIOR_WEIGHT }
  const channel = { squares: DEVIATION_PRIOR_WEIGHT * start.channel ** 2, count: DEVIATION_PRIOR_WEIGHT }
  const wander = spreadEstimator(
    start.volatility,
    30,
    current.volatility,
    Math.max(start.volatility, current.volatility),
  )
  let devices = 0
  let variants = 0
  const byPrice: { below: number; ln: number; rows: number }[] = []
  const standard: number[] = []
  const relative: number[] = []
  const byRung: number[][] = MARKET_GRADES.map(() => [])
  const byServed: number[][] = MARKET_GRADES.map(() => [])
  const byChannel = Array.from(factors, (): number[] => [])

  /** Adds squared deviations and their remaining variance. */
  function addOwn(sum: { squares: number; count: number }, own: Iterable<DeviceDeviation>): void {
    for (const { offset, variance, otherRowsShare: apart } of own) {
      // A deviation shared by nearly all rows of the device is its level.
      if (apart < 0.1) continue
      sum.squares += offset ** 2 + variance
      sum.count += 1
    }
  }

  return {
    add(
      rows: ObservationColumns,
      fit: DeviceFit,
      { hasBasis: listed, spreadFactor: wide }: Pick<BaseLevel, 'hasBasis' | 'spreadFactor'>,
      answer: {
        readonly expected: Float64Array
        readonly rungs: readonly GradeMix[]
        readonly offset: Float64Array
        readonly ungradedWeight: Float64Array
      },
    ): void {
      const { pooled } = fit
      const factor = (at: number) => current.gradeFactor[at % GRADE_COUNT] as number
      for (let c = 0; c < fit.trustedWeight.length; c += 1) {
        const weight = fit.trustedWeight[c] as number
        if (weight < 0.3 || c % GRADE_COUNT === UNGRADED) continue
        const chance = (fit.listingSpread * factor(c)) ** 2 / weight
        const without = pooled.levelWithout[c] as number
        const withoutVariance = pooled.varianceWithout[c] as number
        const estimate = pooled.level[c] as number
        // The cell's own mean, recovered from the pooled estimate.
        const own = estimate + (estimate - without) * (chance / withoutVariance)
        cell.add(own - without, withoutVariance - current.cell ** 2 + chance)
      }
      for (let v = 0; v < rows.combinedSteps.length; v += 1) {
        const precision = pooled.variantPrecision[v] as number
        if (precision === 0) continue
        const distance = (pooled.variantMean[v] as number) - (pooled.variantLevelWithout[v] as number)
        const variance = (pooled.variantVarianceWithout[v] as number) + 1 / precision
        variants += 1
        variant.add(distance, variance - current.variant ** 2)
      }
      if (listed && pooled.devicePrecision > 0) {
        devices += 1
        device.add(pooled.deviceMean, 1 / pooled.devicePrecision)
      }
      addOwn(channel, fit.channelDeviations.values())
      addOwn(rung, fit.gradeDeviations)
      addWeeks(rows, fit)
      const step = Math.max(1, Math.floor(rows.size / SAMPLED_ROWS))
      let lnDistance = 0
      let looked = 0
      let recent = 0
      for (let row = 0; row < rows.size; row += 1) recent = Math.max(recent, RECENT * (rows.recency[row] as number))
      const isCounted = ungradedThinning(rows, answer.ungradedWeight)
      for (let row = 0; row < rows.size; row += step) {
        // Old rows differ because prices moved.
        if ((rows.recency[row] as number) < recent) continue
        const at = rows.cell[row] as number
        const number = rows.channel[row] as number
        // Leave-one-out distance: corrected for the row's own leverage.
        const distance = Math.abs(fit.residual[row] as number) / Math.sqrt(1 - (fit.leverage[row] as number))
        const apart = distance / wide
        lnDistance += Math.log(Math.max(distance / (current.listing * factor(at)), MIN_DISTANCE))
        looked += 1
        byRung[at % GRADE_COUNT]?.push(apart)
        byChannel[number]?.push(apart / factor(at))
        standard.push(apart / factor(at))
        relative.push(distance / (fit.listingSpread * factor(at) * (factors[number] as number)))
        if (isCounted(row)) addServed(rows, fit, row, answer)
      }
      if (looked) byPrice.push({ below: usual.ln - median(rows.lnCents), ln: lnDistance / looked, rows: looked })
    },
    learnt(): {
      spreads: Spreads
      listingErrors: ErrorShape
      quoteErrors: readonly ErrorShape[]
      factors: Float64Array
      typicalPrice: FittedMarket['typicalPrice']
    } {
      const rows = standard.length
      // Degrees of freedom: level, age and list slope were fitted on the same devices.
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
          gradeFactor: start.gradeFactor.map((expected, at) => within(byRung[at] as number[], expected, 25, 0.5, 3)),
          cell: cell.value(0.01, 0.2),
          variant: variant.value(
            MIN_VARIANT_SPREAD,
            0.2,
            Math.max(1, variants) / Math.max(1, variants - STORAGE_EFFECT_COUNT, variants / 2),
          ),
          device: device.value(0.05, 0.4, freedom),
          grade: Math.sqrt(rung.squares / rung.count),
          channel: Math.sqrt(channel.squares / channel.count),
          volatility: wander.value(0.01, 0.25),
        },
        factors: Float64Array.from(byChannel, (own) => within(own, 1, 25, 0.4, 2.5)),
        typicalPrice: { ln: usual.ln, slope: spreadSlope(byPrice) },
        listingErrors: errorShape(relative, 40, { medianScale: 0.5, halfWidth80: 0.8 }),
        quoteErrors: byServed.map((distances) => errorShape(distances, 40, { medianScale: 0.5, halfWidth80: 0.8 })),
      }
    },
  }

  /** Adds the distance of a listing from the served price of its grade (Good for ungraded listings). */
  function addServed(
    rows: ObservationColumns,
    fit: DeviceFit,
    row: number,
    { expected, rungs, offset }: Parameters<ReturnType<typeof spreadLearner>['add']>[3],
  ): void {
    const cell = rows.cell[row] as number
    const rung = cell % GRADE_COUNT
    const channel = rows.channel[row] as number
    const own = fit.channelDeviations.get(channel)?.offset ?? 0
    const as = rung === UNGRADED ? GOOD : rung
    const target = cell - rung + as
    const served = rungs[as] as GradeMix
    const apart =
      (expected[cell] as number) +
      (fit.level[cell] as number) -
      (expected[target] as number) -
      (fit.level[target] as number)
    const distance = (fit.residual[row] as number) + (offset[channel] as number) + own + apart - served.center
    const listing = (fit.listingSpread * (current.gradeFactor[as] as number)) ** 2 * served.varianceFactor
    byServed[as]?.push(
      Math.abs(distance) / Math.sqrt((1 - (fit.leverage[row] as number)) * (listing + served.betweenVariance)),
    )
  }

  /** Adds the differences between the weekly means of one variant, to estimate the volatility. */
  function addWeeks(rows: ObservationColumns, fit: DeviceFit): void {
    const weight = new Float64Array(WEEKS)
    const sum = new Float64Array(WEEKS)
    // Rows are sorted by cell, so those of a variant are contiguous.
    for (let row = 0; row < rows.size; ) {
      const variant = Math.floor((rows.cell[row] as number) / GRADE_COUNT)
      weight.fill(0)
      sum.fill(0)
      for (; row < rows.size && Math.floor((rows.cell[row] as number) / GRADE_COUNT) === variant; row += 1) {
        const trust = fit.trust[row] as number
        if (trust === 0) continue
        const week = Math.floor((rows.monthsAgo[row] as number) * WEEKS_PER_MONTH)
        const rung = (rows.cell[row] as number) % GRADE_COUNT
        const wide = (current.gradeFactor[rung] as number) * (factors[rows.channel[row] as number] as number)
        const counts = trust / wide ** 2
        weight[week] = (weight[week] as number) + counts
        sum[week] = (sum[week] as number) + counts * (fit.residual[row] as number)
      }
      compareWeeks(weight, sum, fit.listingSpread ** 2)
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
 * Lags in weeks between compared weekly means, best first: adjacent weeks are correlated, so longer lags measure the
 * volatility better.
 */
const LAGS = [[4, 6, 8], [2, 3], [1]]
