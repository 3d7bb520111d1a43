import { MARKET_GRADES } from '../../catalog/grade.ts'
import type { BaseLevel } from './base-level.ts'
import type { DeviceDeviation } from './device-deviations.ts'
import type { DeviceFit, Spreads } from './device-fit.ts'
import type { FittedMarket } from './market.ts'
import { uses } from './model-parts.ts'
import type { Trade } from './observation.ts'
import { GRADE_COUNT, type ObservationColumns, UNGRADED } from './observation-columns.ts'
import { median, NORMAL_MEDIAN, quantile } from './quantile.ts'

/** Initial values of the fit; a market with few rows keeps them. */
export const EXPECTED_SPREADS: Readonly<Record<Trade, Spreads>> = {
  resale: {
    listing: 0.1,
    gradeFactor: [1, 1, 1, 1.1, 1.6, 1.1],
    cell: 0.05,
    variant: 0.045,
    device: 0.13,
    channel: 0.045,
    volatility: 0.04,
  },
  buyback: {
    listing: 0.06,
    gradeFactor: [1, 1, 1, 1.1, 1.6, 1.1],
    cell: 0.05,
    variant: 0.03,
    device: 0.12,
    channel: 0.045,
    volatility: 0.04,
  },
}

/** Spread (ln) of iPhones around their curve and the market's level, before any price; other families add `CURVE_SPREAD`. */
export const PRIOR_DEVICE_SPREAD = Math.hypot(0.09, 0.07)

/** Lower limit in all measured markets; the measured value is too small, because storage steps are fitted on the same rows. */
const MIN_VARIANT_SPREAD = 0.025

/** Rows per device sampled for the spread of listings. */
const SAMPLED_ROWS = 200

const blend = (own: number, weight: number, expected: number, priorWeight: number) =>
  (own * weight + expected * priorWeight) / (weight + priorWeight)

/** Priors of the typical price, and of how much more the prices of cheaper devices vary (`SLOPE`). */
const TYPICAL_CENTS: Readonly<Record<Trade, number>> = { resale: 25_000, buyback: 17_000 }
const SLOPE = { expected: 0.5, spread: 0.25, min: 0, max: 1 } as const
/** Variance of the ln distance of one normal value, and the additional variance between devices of the same price. */
const LN_DISTANCE_VARIANCE = 1.23
const DEVICE_LN_VARIANCE = 0.1

export function typicalPrice(devices: readonly ObservationColumns[], trade: Trade): FittedMarket['typicalPrice'] {
  const medians = devices.map((rows) => median(rows.lnCents))
  return { ln: medians.length ? median(medians) : Math.log(TYPICAL_CENTS[trade]), slope: SLOPE.expected }
}

/** Prior weight of the expected deviation of a channel, in devices. */
const DEVIATION_PRIOR_WEIGHT = 30

/** Cap on a single distance in standard deviations, so that one unusual device does not widen all intervals. */
const MAX_DEVIATION = 1.5
/** Mean square of normal values capped at `MAX_DEVIATION`. */
const NORMAL_SQUARE = 0.7785

/** Method-of-moments estimate of a spread: squared distances minus sampling variance, shrunk towards `expected`. */
function spreadEstimator(expected: number, priorWeight: number, current: number, typical = expected) {
  let weight = priorWeight / typical ** 4
  let sum = weight * expected ** 2
  return {
    /** `samplingVariance`: variance of `distance` without the estimated spread, whose variance enters `times` times. */
    add(distance: number, samplingVariance: number, times = 1): void {
      const total = samplingVariance + times * current ** 2
      const share = (times / total) ** 2
      weight += share
      sum +=
        (share * (Math.min(distance * distance, MAX_DEVIATION ** 2 * total) / NORMAL_SQUARE - samplingVariance)) / times
    },
    // Damped: the distances were measured under the current value, and a full step would overshoot.
    value: (min: number, max: number) =>
      Math.min(max, Math.sqrt((current ** 2 + Math.max(min ** 2, sum / weight)) / 2)),
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
  const mean = (value: (device: (typeof devices)[number]) => number) =>
    devices.reduce((sum, device, at) => sum + value(device) * weights[at]!, 0) / (total || 1)
  const belowMean = mean(({ below }) => below)
  const lnMean = mean(({ ln }) => ln)
  let xx = 1 / SLOPE.spread ** 2
  let xy = SLOPE.expected / SLOPE.spread ** 2
  devices.forEach(({ below, ln }, at) => {
    const weight = weights[at]!
    xx += weight * (below - belowMean) ** 2
    xy += weight * (below - belowMean) * (ln - lnMean)
  })
  return Math.max(SLOPE.min, Math.min(SLOPE.max, xy / xx))
}

/** Estimates the spreads from the distances between each node of the trees and the prediction of its siblings. */
export function spreadLearner(
  current: Spreads,
  typical: FittedMarket['typicalPrice'],
  channelFactors: Float64Array,
  trade: Trade,
) {
  const start = EXPECTED_SPREADS[trade]
  const cellSpread = spreadEstimator(start.cell, 2, current.cell)
  const variantSpread = spreadEstimator(start.variant, 2, current.variant)
  const deviceSpread = spreadEstimator(start.device, 4, current.device)
  const channelDeviations = { squares: DEVIATION_PRIOR_WEIGHT * start.channel ** 2, count: DEVIATION_PRIOR_WEIGHT }
  const volatility = spreadEstimator(
    start.volatility,
    30,
    current.volatility,
    Math.max(start.volatility, current.volatility),
  )
  const byPrice: { below: number; ln: number; rows: number }[] = []
  const scaledDistances: number[] = []
  const distancesByGrade: number[][] = MARKET_GRADES.map(() => [])
  const distancesByChannel = Array.from(channelFactors, (): number[] => [])

  /** Adds squared deviations and their remaining variance. */
  function addDeviations(sum: { squares: number; count: number }, deviations: Iterable<DeviceDeviation>): void {
    for (const { offset, variance, otherRowsShare } of deviations) {
      // A deviation shared by nearly all rows of the device is its level.
      if (otherRowsShare < 0.1) continue
      sum.squares += offset ** 2 + variance
      sum.count += 1
    }
  }

  return {
    add(
      rows: ObservationColumns,
      fit: DeviceFit,
      { hasBasis, spreadFactor }: Pick<BaseLevel, 'hasBasis' | 'spreadFactor'>,
    ): void {
      const { pooled } = fit
      const listingSpread = current.listing * spreadFactor
      const factor = (at: number) => current.gradeFactor[at % GRADE_COUNT]!
      for (let cell = 0; cell < fit.trustedWeight.length; cell += 1) {
        const weight = fit.trustedWeight[cell]!
        if (weight < 0.3 || cell % GRADE_COUNT === UNGRADED) continue
        const samplingVariance = (listingSpread * factor(cell)) ** 2 / weight
        const levelWithout = pooled.levelWithout[cell]!
        const varianceWithout = pooled.varianceWithout[cell]!
        const estimate = pooled.level[cell]!
        // The cell's own mean, recovered from the pooled estimate.
        const cellMean = estimate + (estimate - levelWithout) * (samplingVariance / varianceWithout)
        cellSpread.add(cellMean - levelWithout, varianceWithout - current.cell ** 2 + samplingVariance)
      }
      for (let variant = 0; variant < rows.device.variants.length; variant += 1) {
        const precision = pooled.variantPrecision[variant]!
        if (precision === 0) continue
        const distance = pooled.variantMean[variant]! - pooled.variantLevelWithout[variant]!
        const variance = pooled.variantVarianceWithout[variant]! + 1 / precision
        variantSpread.add(distance, variance - current.variant ** 2)
      }
      if (hasBasis && pooled.devicePrecision > 0) {
        deviceSpread.add(pooled.deviceMean, 1 / pooled.devicePrecision)
      }
      addDeviations(channelDeviations, fit.channelDeviations.values())
      addWeeklyDifferences(rows, fit, listingSpread)
      const step = Math.max(1, Math.floor(rows.size / SAMPLED_ROWS))
      let lnDistanceSum = 0
      let sampledRows = 0
      let minRecency = 0
      for (let row = 0; row < rows.size; row += 1) minRecency = Math.max(minRecency, RECENT * rows.recency[row]!)
      for (let row = 0; row < rows.size; row += step) {
        // Old rows differ because prices moved.
        if (rows.recency[row]! < minRecency) continue
        const cell = rows.cell[row]!
        const channel = rows.channel[row]!
        // Leave-one-out distance: corrected for the row's own leverage.
        const distance = Math.abs(fit.residual[row]!) / Math.sqrt(1 - fit.leverage[row]!)
        const scaledDistance = distance / spreadFactor
        lnDistanceSum += Math.log(Math.max(distance / (current.listing * factor(cell)), MIN_DISTANCE))
        sampledRows += 1
        distancesByGrade[cell % GRADE_COUNT]?.push(scaledDistance)
        distancesByChannel[channel]?.push(scaledDistance / factor(cell))
        scaledDistances.push(scaledDistance / factor(cell))
      }
      if (sampledRows)
        byPrice.push({ below: typical.ln - median(rows.lnCents), ln: lnDistanceSum / sampledRows, rows: sampledRows })
    },
    result(): {
      spreads: Spreads
      factors: Float64Array
      typicalPrice: FittedMarket['typicalPrice']
    } {
      const rows = scaledDistances.length
      const measuredSpread = rows ? quantile(scaledDistances, 0.5) / NORMAL_MEDIAN : current.listing
      const listing = Math.max(0.01, blend(measuredSpread, rows, start.listing, 10))
      const spreadFactor = (distances: number[], expected: number, priorWeight: number, min: number, max: number) => {
        const factor = distances.length
          ? blend(quantile(distances, 0.5) / NORMAL_MEDIAN / listing, distances.length, expected, priorWeight)
          : expected
        return Math.max(min, Math.min(max, factor))
      }
      return {
        spreads: {
          ...current,
          listing,
          gradeFactor: start.gradeFactor.map((expected, grade) =>
            uses('spread factor of a grade')
              ? spreadFactor(distancesByGrade[grade] as number[], expected, 25, 0.5, 3)
              : expected,
          ),
          cell: cellSpread.value(0.01, 0.2),
          variant: variantSpread.value(MIN_VARIANT_SPREAD, 0.2),
          device: deviceSpread.value(0.05, 0.4),
          channel: Math.sqrt(channelDeviations.squares / channelDeviations.count),
          volatility: uses('measured volatility') ? volatility.value(0.01, 0.25) : start.volatility,
        },
        factors: Float64Array.from(distancesByChannel, (distances) =>
          uses('spread factor of a channel') ? spreadFactor(distances, 1, 25, 0.4, 2.5) : 1,
        ),
        typicalPrice: {
          ln: typical.ln,
          slope: uses('measured slope of spread by price') ? spreadSlope(byPrice) : SLOPE.expected,
        },
      }
    },
  }

  /** Adds the differences between the weekly means of one variant, to estimate the volatility. */
  function addWeeklyDifferences(rows: ObservationColumns, fit: DeviceFit, listingSpread: number): void {
    const weight = new Float64Array(WEEKS)
    const sum = new Float64Array(WEEKS)
    // Rows are sorted by cell, so those of a variant are contiguous.
    for (let row = 0; row < rows.size; ) {
      const variant = Math.floor(rows.cell[row]! / GRADE_COUNT)
      weight.fill(0)
      sum.fill(0)
      for (; row < rows.size && Math.floor(rows.cell[row]! / GRADE_COUNT) === variant; row += 1) {
        const trust = fit.trust[row]!
        if (trust === 0) continue
        const week = Math.floor(rows.monthsAgo[row]! * WEEKS_PER_MONTH)
        const grade = rows.cell[row]! % GRADE_COUNT
        const spreadFactor = current.gradeFactor[grade]! * channelFactors[rows.channel[row]!]!
        const rowWeight = trust / spreadFactor ** 2
        weight[week] = weight[week]! + rowWeight
        sum[week] = sum[week]! + rowWeight * fit.residual[row]!
      }
      compareWeeks(weight, sum, listingSpread ** 2)
    }
  }

  function compareWeeks(weight: Float64Array, sum: Float64Array, noise: number): void {
    for (const lags of LAGS) {
      let pairs = 0
      for (let week = 0; week < WEEKS; week += 1) {
        const weekWeight = weight[week]!
        if (weekWeight === 0) continue
        for (const lag of lags) {
          const laggedWeight = weight[week + lag] ?? 0
          if (laggedWeight === 0) continue
          pairs += 1
          const distance = sum[week]! / weekWeight - sum[week + lag]! / laggedWeight
          volatility.add(distance, noise * (1 / weekWeight + 1 / laggedWeight), lag / WEEKS_PER_MONTH)
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
