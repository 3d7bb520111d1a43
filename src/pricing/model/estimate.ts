import { MONTH_MS } from '../../lib/time.ts'
import { countryLevel } from './country-levels.ts'
import { type DeviceFit, fitDevice, type Spreads } from './device-fit.ts'
import { deviceIntervalScale } from './device-interval-scale.ts'
import { applyDrift } from './drift.ts'
import { RANKED_GRADE_COUNT } from './grade.ts'
import { type GradeMix, gradeMixes, quantileOfMix } from './grade-mix.ts'
import type { IntervalCalibration } from './holdout-calibration.ts'
import { isotonicDescending } from './isotonic.ts'
import {
  type BorrowedLevel,
  baseLevel,
  channelEffects,
  channelOffset,
  channelVariance,
  expectedCells,
  type FittedMarket,
  lockOffsets,
  marketDrift,
  type StartBasis,
  timeVariance,
} from './market.ts'
import { type ErrorShape, NORMAL_HALF_WIDTH80 } from './market-spreads.ts'
import { type ChannelFields, channelOf, type DeviceInput, type Observation } from './observation.ts'
import {
  BUYBACK_SIDES,
  createChannelIndex,
  GRADE_COUNT,
  gradeIndex,
  type ObservationColumns,
  observationColumns,
  RESALE_SIDES,
} from './observation-columns.ts'
import { halfLifeDays } from './recency.ts'

const GOOD = gradeIndex('Good')
const UNGRADED = gradeIndex('Ungraded')

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
  /** ln cents per cell of an unlocked sale; a worse grade of a variant is never above a better one. */
  readonly level: Float64Array
  /** ln cents per cell as served: the median over all channels in which the grade trades. */
  readonly quotedLevel: Float64Array
  /** Standard deviation (ln) of a single deal around `quotedLevel`: spread of listings and uncertainty of the level. */
  readonly spread: Float64Array
  /** Half-widths (ln) of the interval that contains 80 % of single deals, below and above `quotedLevel`. */
  readonly lowerHalfWidth: Float64Array
  readonly upperHalfWidth: Float64Array
  /** The market's spreads, adjusted to this device. */
  readonly spreads: Spreads
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
  const sides = market.trade === 'resale' ? RESALE_SIDES : BUYBACK_SIDES
  const rows = observationColumns(device, observations, sides, registry, {
    now,
    driftPerMonth: marketDrift(market, device.make),
    halfLifeDays: halfLifeDays(market.spreads),
    keepWhenCrowded: 'newest',
  })
  const wandered = timeVariance(market, device.make, monthsSinceNewest(rows))
  return estimateColumns(market, rows, registry.names, wandered, basis)
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
  const expected = expectedCells(rows.storage, base, rows.ageYears, market)
  const stale = boostStaleRows(rows.weight, base.spreads.listing ** 2, stalenessVariance)
  const fit = fitDevice(rows, expected, channelEffects(market, channels), base.spreads, base.variance)
  const settled = 1 - 1 / (1 + fit.pooled.devicePrecision * base.variance)
  const cells = expected.length
  const mix = gradeMixes(market, channels, rows, fit, base.spreads)
  const gradeless = rowsOfGrade(market, UNGRADED) > rowsOfGrade(market, GOOD)
  const level = new Float64Array(cells)
  const served = new Float64Array(cells)
  const spread = new Float64Array(cells)
  const below = new Float64Array(cells)
  const above = new Float64Array(cells)
  for (let from = 0; from < cells; from += GRADE_COUNT) {
    const raw: number[] = []
    const weights: number[] = []
    const outcome = calibrationFor(market, fit, from / GRADE_COUNT, settled)
    for (let cell = from; cell < from + GRADE_COUNT; cell += 1) {
      raw.push((expected[cell] as number) + (fit.level[cell] as number))
      weights.push((fit.trustedWeight[cell] as number) + 1)
      const rung = mix[cell - from] as GradeMix
      const single = (fit.listingSpread * (market.spreads.gradeFactor[cell - from] as number)) ** 2
      const shape = market.quoteErrors[cell - from] as ErrorShape
      const unsure = levelVariance(fit, cell, gradeless) + rung.uncertainty
      const deal = dealSpread(shape, single * rung.varianceFactor + rung.betweenVariance, unsure, 0)
      const uneven = rung.betweenVariance > SKEWED_MIX_SHARE * (single * rung.varianceFactor + unsure)
      const range = uneven ? intervalOfMix(market, rung, single, unsure, 0) : [deal.reach, deal.reach]
      spread[cell] = outcome.spreadScale * deal.spread
      below[cell] = outcome.lowerScale * (range[0] as number)
      above[cell] = outcome.upperScale * (range[1] as number)
    }
    level.set(descendingByGrade(raw, weights), from)
  }
  clampBetweenSiblings(level, rows, fit)
  for (let from = 0; from < cells; from += GRADE_COUNT) {
    const weights = mix.map((_, rung) => (fit.trustedWeight[from + rung] as number) + 1)
    const raw = mix.map(({ center }, rung) => (level[from + rung] as number) + center)
    served.set(descendingByGrade(raw, weights), from)
  }
  const lockOffset = lockOffsets(market, channels)
  const own = deviceIntervalScale(rows, fit, {
    quotedLevel: served,
    lowerHalfWidth: below,
    upperHalfWidth: above,
    lockOffset,
  })
  // Holdout calibration covers current prices only; add the variance of the time without observations.
  const ofTime = Math.sqrt(stale)
  for (let cell = 0; cell < cells; cell += 1) {
    spread[cell] = Math.hypot(spread[cell] as number, ofTime)
    below[cell] = Math.hypot(own * (below[cell] as number), NORMAL_HALF_WIDTH80 * ofTime)
    above[cell] = Math.hypot(own * (above[cell] as number), NORMAL_HALF_WIDTH80 * ofTime)
  }
  return {
    market,
    rows,
    fit,
    channels,
    lockOffset,
    level,
    quotedLevel: served,
    spread,
    lowerHalfWidth: below,
    upperHalfWidth: above,
    spreads: base.spreads,
    hasBasis: base.hasBasis || fit.pooled.devicePrecision > 0,
  }
}

/** Blends the holdout calibrations by how well the variant and the device are known from their own rows. */
function calibrationFor(
  { calibration: outcome }: FittedMarket,
  { pooled }: DeviceFit,
  variant: number,
  settled: number,
): IntervalCalibration {
  const precision = pooled.variantPrecision[variant] as number
  const known = 1 - 1 / (1 + precision * (pooled.variantVarianceWithout[variant] as number))
  const mixed = (of: keyof IntervalCalibration) =>
    (1 - settled) * outcome.unknown[of] + settled * (known * outcome.seen[of] + (1 - known) * outcome.unseen[of])
  return { spreadScale: mixed('spreadScale'), lowerScale: mixed('lowerScale'), upperScale: mixed('upperScale') }
}

const rowsOfGrade = ({ channelMix }: FittedMarket, grade: number) =>
  [...(channelMix[grade] ?? new Map<string, number>()).values()].reduce((sum, rows) => sum + rows, 0)

/** Ungraded devices are mostly Good: in a market with more ungraded than Good rows, their variance applies to Good. */
function levelVariance({ variance }: DeviceFit, cell: number, gradeless: boolean): number {
  const own = variance[cell] as number
  return gradeless && cell % GRADE_COUNT === GOOD ? Math.min(own, variance[cell + UNGRADED - GOOD] as number) : own
}

/** Ungraded has no rank and stays unchanged. */
function descendingByGrade(values: readonly number[], weights: readonly number[]): number[] {
  return [...isotonicDescending(values.slice(0, RANKED_GRADE_COUNT), weights), ...values.slice(RANKED_GRADE_COUNT)]
}

/** Spread of single deals around a level, from the variances of listings, of the level and of the time since the last row. */
function dealSpread(
  listings: ErrorShape,
  listing: number,
  level: number,
  time: number,
): { spread: number; reach: number } {
  return {
    spread: Math.sqrt(listings.medianScale ** 2 * listing + level + time),
    reach: Math.sqrt(listings.halfWidth80 ** 2 * listing + NORMAL_HALF_WIDTH80 ** 2 * (level + time)),
  }
}

/** From this share of all other variance on, differences between channels make an interval asymmetric. */
const SKEWED_MIX_SHARE = 0.2

/** Half-widths of the central 80 % of a channel mix, below and above its center. */
function intervalOfMix(
  market: FittedMarket,
  { channels }: GradeMix,
  single: number,
  level: number,
  time: number,
): [number, number] {
  const spread = channels.factor.map(
    (one) => dealSpread(market.listingErrors, single * one ** 2, level, time).reach / NORMAL_HALF_WIDTH80,
  )
  return [Math.max(0, -quantileOfMix(channels, spread, 0.1)), Math.max(0, quantileOfMix(channels, spread, 0.9))]
}

/**
 * Keeps an unobserved variant between its observed siblings: not below a smaller one, not above a larger one. Shrinkage alone
 * violates this if the device is far from its expected level. Observed variants are not changed.
 */
function clampBetweenSiblings(level: Float64Array, rows: ObservationColumns, fit: DeviceFit): void {
  const observed = Array.from(rows.combinedSteps, (_, variant) => (fit.pooled.variantPrecision[variant] as number) > 0)
  if (observed.every(Boolean) || !observed.some(Boolean)) return
  for (let variant = 0; variant < observed.length; variant += 1) {
    if (observed[variant]) continue
    for (let rung = 0; rung < GRADE_COUNT; rung += 1) {
      let floor = Number.NEGATIVE_INFINITY
      let ceiling = Number.POSITIVE_INFINITY
      for (let other = 0; other < observed.length; other += 1) {
        if (!observed[other]) continue
        const at = level[other * GRADE_COUNT + rung] as number
        const step = (rows.combinedSteps[other] as number) - (rows.combinedSteps[variant] as number)
        if (step < 0) floor = Math.max(floor, at)
        if (step > 0) ceiling = Math.min(ceiling, at)
      }
      const cell = variant * GRADE_COUNT + rung
      // Siblings that contradict each other set no limits.
      if (floor <= ceiling) level[cell] = Math.max(floor, Math.min(ceiling, level[cell] as number))
    }
  }
}

/** Share of the volatility that is specific to a device; the rest moves all devices and their expected prices. */
const DEVICE_VOLATILITY_SHARE = 0.1

/**
 * Old rows still show where prices were before they moved: all rows together get at least half the weight of one observation
 * with the added variance of that time. Returns the variance since the newest row that their weights do not account for.
 */
function boostStaleRows(weight: Float64Array, listing: number, wandered: number): number {
  let total = 0
  for (let at = 0; at < weight.length; at += 1) total += weight[at] as number
  const own = DEVICE_VOLATILITY_SHARE * wandered
  const least = (0.5 * listing) / (listing + own)
  if (total === 0 || total >= 1) return wandered
  if (total < least) {
    for (let at = 0; at < weight.length; at += 1) weight[at] = ((weight[at] as number) * least) / total
  }
  return wandered - own + Math.max(0, own - listing * (1 / Math.max(total, least) - 1))
}

function monthsSinceNewest(rows: ObservationColumns): number {
  let newest = Number.POSITIVE_INFINITY
  for (let at = 0; at < rows.size; at += 1) newest = Math.min(newest, rows.monthsAgo[at] as number)
  return rows.size ? newest : 0
}

/** Estimates both sides; buyback starts from the resale estimate of this device. */
export function estimateDevice(
  markets: FittedMarkets,
  device: DeviceInput,
  observations: readonly Observation[],
  now: number,
): { resale: SideEstimate; buyback: SideEstimate } {
  const { world } = markets
  const { country } = markets.resale
  const own = observations.filter(({ market }) => market === country)
  const hasOthers = world && (world.resale.rowCount > 0 || own.length < observations.length)
  const borrowed = hasOthers ? borrowedLevel(world.resale, country, device, observations, now) : undefined
  const basis: StartBasis = borrowed ? { borrowedFor: () => borrowed } : {}
  const resale = estimateSide(markets.resale, device, own, now, basis)
  const { deviceMean, devicePrecision } = resale.fit.pooled
  const seen = new Map([[device.deviceId, { deviation: deviceMean, precision: devicePrecision }]])
  const seenResale = { ...markets.resale, observedDevices: seen }
  const buyback = estimateSide(markets.buyback, device, own, now, { ...basis, resale: seenResale })
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
  const others = observations.filter(({ market }) => market !== country)
  const side = estimateSide(world, device, others, now)
  const base = baseLevel(world, device, now)
  const { devicePrecision, deviceMean } = side.fit.pooled
  const deviation = (deviceMean * devicePrecision) / (devicePrecision + 1 / base.variance)
  const abroad = countryLevel(country, 'resale') - countryLevel(world.country, 'resale')
  return {
    level: base.mean + deviation + abroad,
    variance: devicePrecision > 0 ? 0 : base.variance - world.spreads.device ** 2,
    cells: side.fit.level.map((level) => level - deviation),
    known: side.hasBasis,
  }
}

/** Expected price of one listing: its cell's level, its channel's offset, and the drift to its day. */
export function estimateListing(
  side: SideEstimate,
  variant: number,
  listing: ChannelFields & Pick<Observation, 'grade' | 'observedAt'>,
): { ln: number; spread: number; reach: number } {
  const { market, rows, fit } = side
  const rung = gradeIndex(listing.grade)
  const cell = variant * GRADE_COUNT + rung
  const channel = channelOf(listing)
  const own = fit.channelDeviations.get(side.channels.indexOf(channel))
  const months = monthsSinceNewest(rows) + Math.max(0, listing.observedAt - rows.now) / MONTH_MS
  const at = applyDrift(side.level[cell] as number, rows.now, listing.observedAt, rows.driftPerMonth)
  const factor = (market.spreads.gradeFactor[rung] as number) * (market.channelSpreadFactor.get(channel) ?? 1)
  // If all rows of the device come from one channel, its deviation is part of the level; for a channel without rows of this
  // device only the market's offset is known. A device without any rows has half of the channel variance in its level already.
  const ofChannel = own
    ? own.variance * own.otherRowsShare
    : channelVariance(market, channel) + side.spreads.channel ** 2 / (rows.size > 0 ? 1 : 2)
  const level = (fit.variance[cell] as number) + ofChannel
  return {
    ln: at + channelOffset(market, channel) + (own?.offset ?? 0),
    ...dealSpread(
      market.listingErrors,
      (fit.listingSpread * factor) ** 2,
      level,
      timeVariance(market, rows.device.make, months),
    ),
  }
}
