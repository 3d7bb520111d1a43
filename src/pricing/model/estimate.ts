import { RANKED_GRADE_COUNT } from '../../catalog/grade.ts'
import { isPriceOf } from '../country-market.ts'
import { type BorrowedLevel, baseLevel, expectedCells, type StartBasis } from './base-level.ts'
import { channelEffects, lockOffsets } from './channel-offsets.ts'
import { countryLevel } from './country-levels.ts'
import { leadByDenseCells } from './dense-cells.ts'
import { type DeviceFit, fitDevice } from './device-fit.ts'
import { gradeOffsets, ungradedWeights } from './grade-mix.ts'
import { isotonicDescending } from './isotonic.ts'
import { type FittedMarket, marketDrift, timeVariance } from './market.ts'
import { riseWithMemory } from './memory-order.ts'
import { uses } from './model-parts.ts'
import type { DeviceInput, Observation } from './observation.ts'
import { createChannelIndex, GRADE_COUNT, type ObservationColumns, observationColumns } from './observation-columns.ts'
import { NORMAL_HALF_WIDTH80 } from './quantile.ts'
import { depthOf, type RangeScale, UNSCALED } from './range-depth.ts'
import { halfLifeDays } from './recency.ts'
import { rangeScalesOf } from './source-ranges.ts'

export type FittedMarkets = {
  readonly resale: FittedMarket
  readonly buyback: FittedMarket
  /** For the markets of one country: the markets fitted to all countries, which it borrows from. */
  readonly world?: FittedMarkets
}

/** Resale or buyback estimate for all cells of one device. */
export type SideEstimate = {
  readonly market: FittedMarket
  readonly rows: ObservationColumns
  readonly fit: DeviceFit
  readonly channels: readonly string[]
  /** Price (ln) of each channel relative to the same channel without a carrier lock. */
  readonly lockOffset: Float64Array
  /** Of effects that depend on the price. */
  readonly priceFactor: number
  /** ln cents per cell of an unlocked sale; a worse grade of a variant is never above a better one. */
  readonly level: Float64Array
  /** ln cents per cell as served: the median over all channels in which the grade trades. */
  readonly quotedLevel: Float64Array
  /** Standard deviation (ln) of a single deal around `quotedLevel`: spread of listings and uncertainty of the level. */
  readonly spread: Float64Array
  /** Half-widths (ln) of the interval that contains 80 % of single deals, below and above `quotedLevel`. */
  readonly lowerHalfWidth: Float64Array
  readonly upperHalfWidth: Float64Array
  /** False if there is no launch price, no sibling and no own row to estimate from. */
  readonly hasBasis: boolean
}

function estimateSide(
  market: FittedMarket,
  device: DeviceInput,
  observations: readonly Observation[],
  now: number,
  basis: StartBasis = {},
): SideEstimate {
  const registry = createChannelIndex()
  const rows = observationColumns(device, observations, market.trade, registry, {
    now,
    driftPerMonth: marketDrift(market, device.make),
    halfLifeDays: halfLifeDays(market.spreads),
    keepWhenCrowded: 'newest',
  })
  const stalenessVariance = timeVariance(market, device.make, monthsSinceNewest(rows))
  return estimateColumns(market, rows, registry.names, stalenessVariance, basis)
}

/** `stalenessVariance`: variance of the price movement since the newest observation. */
export function estimateColumns(
  market: FittedMarket,
  rows: ObservationColumns,
  channels: readonly string[],
  stalenessVariance: number,
  basis: StartBasis = {},
): SideEstimate {
  const base = baseLevel(market, rows.device, rows.now, basis, rows.lnCents)
  const expected = expectedCells(rows.storage, base, market)
  const extraVariance = boostStaleRows(rows.weight, base.spreads.listing ** 2, stalenessVariance)
  const fit = fitDevice(rows, expected, channelEffects(market, channels, base.priceFactor), base.spreads, base.variance)
  const cells = expected.length
  const offsets = gradeOffsets(market, channels, rows, fit, base.spreads)
  const level = new Float64Array(cells)
  const quotedLevel = new Float64Array(cells)
  const spread = new Float64Array(cells)
  const lowerHalfWidth = new Float64Array(cells)
  const upperHalfWidth = new Float64Array(cells)
  const rangeScales = rangeScalesOf(market, rows, channels)
  for (let from = 0; from < cells; from += GRADE_COUNT) {
    const raw: number[] = []
    const weights: number[] = []
    for (let cell = from; cell < from + GRADE_COUNT; cell += 1) {
      raw.push(expected[cell]! + fit.level[cell]!)
      weights.push(fit.trustedWeight[cell]! + 1)
      const listingVariance = (base.spreads.listing * base.spreads.gradeFactor[cell - from]!) ** 2
      const deal = Math.sqrt(listingVariance + fit.variance[cell]!)
      const scale = base.isFirst ? UNSCALED : (rangeScales[depthOf(fit, cell)] as RangeScale)
      spread[cell] = scale.spread * deal
      lowerHalfWidth[cell] = scale.lower * NORMAL_HALF_WIDTH80 * deal
      upperHalfWidth[cell] = scale.upper * NORMAL_HALF_WIDTH80 * deal
    }
    level.set(descendingByGrade(raw, weights), from)
  }
  const lockOffset = lockOffsets(market, channels, base.priceFactor)
  for (let from = 0; from < cells; from += GRADE_COUNT) {
    for (let grade = 0; grade < GRADE_COUNT; grade += 1)
      quotedLevel[from + grade] = level[from + grade]! + offsets[grade]!
  }
  if (uses('dense cells')) leadByDenseCells(rows, lockOffset, ungradedWeights(market, channels, rows), quotedLevel)
  for (let from = 0; from < cells; from += GRADE_COUNT) {
    const weights = offsets.map((_, grade) => fit.trustedWeight[from + grade]! + 1)
    quotedLevel.set(descendingByGrade([...quotedLevel.subarray(from, from + GRADE_COUNT)], weights), from)
  }
  if (uses('more memory never costs less')) riseWithMemory(rows.device.variants, fit.trustedWeight, quotedLevel)
  // Held-out prices are current ones; add the variance of the time without observations.
  const timeSpread = Math.sqrt(extraVariance)
  for (let cell = 0; cell < cells; cell += 1) {
    spread[cell] = Math.hypot(spread[cell]!, timeSpread)
    lowerHalfWidth[cell] = Math.hypot(lowerHalfWidth[cell]!, NORMAL_HALF_WIDTH80 * timeSpread)
    upperHalfWidth[cell] = Math.hypot(upperHalfWidth[cell]!, NORMAL_HALF_WIDTH80 * timeSpread)
  }
  return {
    market,
    rows,
    fit,
    channels,
    lockOffset,
    priceFactor: base.priceFactor,
    level,
    quotedLevel,
    spread,
    lowerHalfWidth,
    upperHalfWidth,
    hasBasis: base.hasBasis || fit.pooled.devicePrecision > 0,
  }
}

/** Ungraded has no rank and stays unchanged. */
function descendingByGrade(values: readonly number[], weights: readonly number[]): number[] {
  return [...isotonicDescending(values.slice(0, RANKED_GRADE_COUNT), weights), ...values.slice(RANKED_GRADE_COUNT)]
}

/** Share of the volatility that is specific to a device; the rest moves all devices and their expected prices. */
const DEVICE_VOLATILITY_SHARE = 0.1

/**
 * Old rows still show where prices were before they moved: all rows together get at least half the weight of one observation
 * with the added variance of that time. Returns the variance since the newest row that their weights do not account for.
 */
function boostStaleRows(weight: Float64Array, listingVariance: number, stalenessVariance: number): number {
  let total = 0
  for (let at = 0; at < weight.length; at += 1) total += weight[at]!
  const deviceVariance = DEVICE_VOLATILITY_SHARE * stalenessVariance
  const minTotal = (0.5 * listingVariance) / (listingVariance + deviceVariance)
  if (total === 0 || total >= 1 || !uses('minimum weight of stale rows')) return stalenessVariance
  if (total < minTotal) {
    for (let at = 0; at < weight.length; at += 1) weight[at] = (weight[at]! * minTotal) / total
  }
  return (
    stalenessVariance -
    deviceVariance +
    Math.max(0, deviceVariance - listingVariance * (1 / Math.max(total, minTotal) - 1))
  )
}

function monthsSinceNewest(rows: ObservationColumns): number {
  let newest = Number.POSITIVE_INFINITY
  for (let at = 0; at < rows.size; at += 1) newest = Math.min(newest, rows.monthsAgo[at]!)
  return rows.size ? newest : 0
}

/** What launch price and age alone say about resale, without any observation. */
export const firstResaleEstimate = (market: FittedMarket, device: DeviceInput, now: number): SideEstimate =>
  estimateSide(market, device, [], now)

/** Estimates both sides; buyback starts from the resale estimate of this device. */
export function estimateDevice(
  markets: FittedMarkets,
  device: DeviceInput,
  observations: readonly Observation[],
  now: number,
): { resale: SideEstimate; buyback: SideEstimate } {
  const { world } = markets
  const { country } = markets.resale
  const domestic = observations.filter(({ market }) => isPriceOf(country, market))
  const hasForeignPrices = world && (world.resale.rowCount > 0 || domestic.length < observations.length)
  const borrowed = hasForeignPrices ? borrowedLevel(world.resale, country, device, observations, now) : undefined
  const basis: StartBasis = borrowed ? { borrowedFor: () => borrowed } : {}
  const resale = estimateSide(markets.resale, device, domestic, now, basis)
  const { deviceMean, devicePrecision } = resale.fit.pooled
  const observedDevices = new Map([[device.deviceId, { deviation: deviceMean, precision: devicePrecision }]])
  const resaleWithDevice = { ...markets.resale, observedDevices }
  const buyback = estimateSide(markets.buyback, device, domestic, now, { ...basis, resale: resaleWithDevice })
  return { resale, buyback }
}

/** Estimate of a device from the prices of all other countries, moved to the expected level of this country. */
export function borrowedLevel(
  world: FittedMarket,
  country: string,
  device: DeviceInput,
  observations: readonly Observation[],
  now: number,
): BorrowedLevel {
  const foreign = observations.filter(({ market }) => !isPriceOf(country, market))
  const side = estimateSide(world, device, foreign, now)
  const base = baseLevel(world, device, now)
  const { devicePrecision, deviceMean } = side.fit.pooled
  const deviation = (deviceMean * devicePrecision) / (devicePrecision + 1 / base.variance)
  const countryShift = countryLevel(country, 'resale') - countryLevel(world.country, 'resale')
  return {
    level: base.mean + deviation + countryShift,
    variance: devicePrecision > 0 ? 0 : base.variance - world.spreads.device ** 2,
    hasBasis: side.hasBasis,
  }
}
