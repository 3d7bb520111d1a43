import { MONTH_MS } from '../../time.ts'
import { type DeviceFit, fitDevice, type Spreads } from './device-fit.ts'
import {
  BUYBACK_SIDES,
  channelRegistry,
  type DeviceRows,
  deviceRows,
  RESALE_SIDES,
  RUNG_COUNT,
  rungIndex,
} from './device-rows.ts'
import { drifted } from './drift.ts'
import type { Outcome } from './hidden-outcome.ts'
import { descending } from './ladder.ts'
import {
  baseLevel,
  channelFacts,
  channelOffset,
  channelUnsure,
  expectedCells,
  type Market,
  marketDrift,
  timeVariance,
} from './market.ts'
import { NORMAL_REACH, type Shape } from './market-spreads.ts'
import { channelOf, type DeviceFacts, type Observation } from './observation.ts'
import { ownReach } from './own-reach.ts'
import { halfLifeDays } from './recency.ts'
import { LADDER_LENGTH } from './rung.ts'
import { quantileOfMix, type ServedRung, servedRungs } from './served.ts'

const GOOD = rungIndex('Good')
const UNGRADED = rungIndex('Ungraded')

export type Markets = { readonly resale: Market; readonly buyback: Market }

/** One side of the trade for all cells of one device. */
export type SideEstimate = {
  readonly market: Market
  readonly rows: DeviceRows
  readonly fit: DeviceFit
  readonly channels: readonly string[]
  /** ln cents per cell of a sale without a lock; a worse rung of a variant is never above a better one. */
  readonly level: Float64Array
  /** ln cents per cell as an answer says it: the middle of all channels the grade trades in. */
  readonly served: Float64Array
  /** Standard deviation (ln) of a single deal around that: how listings differ, and how unsure the level is. */
  readonly spread: Float64Array
  /** How far (ln) the range that holds 80 % of single deals goes below it and above it. */
  readonly below: Float64Array
  readonly above: Float64Array
  /** The market's spreads as they are on this device. */
  readonly spreads: Spreads
  readonly settled: number
  /** False when neither launch price, siblings nor own rows say anything. */
  readonly known: boolean
}

export function estimateSide(
  market: Market,
  device: DeviceFacts,
  observations: readonly Observation[],
  now: number,
  resale?: Market,
): SideEstimate {
  const registry = channelRegistry()
  const sides = market.trade === 'resale' ? RESALE_SIDES : BUYBACK_SIDES
  const rows = deviceRows(device, observations, sides, registry, {
    now,
    drift: marketDrift(market, device.make),
    halfLife: halfLifeDays(market.spreads),
    crowd: 'newest',
  })
  const wandered = timeVariance(market, device.make, monthsWithoutNews(rows))
  return estimateRows(market, rows, registry.names, wandered, resale)
}

/** `wandered`: variance of what the time without news may have brought. */
export function estimateRows(
  market: Market,
  rows: DeviceRows,
  channels: readonly string[],
  wandered: number,
  resale?: Market,
): SideEstimate {
  const base = baseLevel(market, rows.device, rows.now, resale, rows.value)
  const expected = expectedCells(rows.storage, base.mean, rows.age, market)
  const stale = remember(rows.recency, base.spreads.listing ** 2, wandered)
  const fit = fitDevice(rows, expected, channelFacts(market, channels), base.spreads, base.variance)
  const settled = 1 - 1 / (1 + fit.pooled.devicePrecision * base.variance)
  const cells = expected.length
  const mix = servedRungs(market, channels, rows, fit, base.spreads)
  const gradeless = rowsIn(market, UNGRADED) > rowsIn(market, GOOD)
  const level = new Float64Array(cells)
  const served = new Float64Array(cells)
  const spread = new Float64Array(cells)
  const below = new Float64Array(cells)
  const above = new Float64Array(cells)
  for (let from = 0; from < cells; from += RUNG_COUNT) {
    const raw: number[] = []
    const weights: number[] = []
    const outcome = outcomeOf(market, fit, from / RUNG_COUNT, settled)
    for (let cell = from; cell < from + RUNG_COUNT; cell += 1) {
      raw.push((expected[cell] as number) + (fit.level[cell] as number))
      weights.push((fit.weight[cell] as number) + 1)
      const rung = mix[cell - from] as ServedRung
      const single = (fit.listing * (market.spreads.rungFactor[cell - from] as number)) ** 2
      const shape = market.served[cell - from] as Shape
      const unsure = unsureLevel(fit, cell, gradeless) + rung.unsure
      const deal = dealAround(market, shape, settled, single * rung.factor + rung.between, unsure, 0)
      const uneven = rung.between > UNEVEN * (single * rung.factor + unsure)
      const range = uneven ? rangeOfMix(market, rung, settled, single, unsure, 0) : [deal.reach, deal.reach]
      spread[cell] = outcome.middle * deal.spread
      below[cell] = outcome.below * (range[0] as number)
      above[cell] = outcome.above * (range[1] as number)
    }
    level.set(onLadder(raw, weights), from)
  }
  holdBetweenSiblings(level, rows, fit)
  for (let from = 0; from < cells; from += RUNG_COUNT) {
    const weights = mix.map((_, rung) => (fit.weight[from + rung] as number) + 1)
    const raw = mix.map(({ center }, rung) => (level[from + rung] as number) + center)
    served.set(onLadder(raw, weights), from)
  }
  const own = ownReach(rows, fit, { served, below, above })
  // What hidden rows taught is of today: what time may have brought stands beside it.
  const ofTime = Math.sqrt(stale)
  for (let cell = 0; cell < cells; cell += 1) {
    spread[cell] = Math.hypot(spread[cell] as number, ofTime)
    below[cell] = Math.hypot(own * (below[cell] as number), NORMAL_REACH * ofTime)
    above[cell] = Math.hypot(own * (above[cell] as number), NORMAL_REACH * ofTime)
  }
  return {
    market,
    rows,
    fit,
    channels,
    level,
    served,
    spread,
    below,
    above,
    spreads: base.spreads,
    settled,
    known: base.known || fit.pooled.devicePrecision > 0,
  }
}

/** What hidden rows taught, of a variant as far as it is known by its own rows, and of a device as far as it is known at all. */
function outcomeOf({ outcome }: Market, { pooled }: DeviceFit, variant: number, settled: number): Outcome {
  const precision = pooled.variantPrecision[variant] as number
  const known = 1 - 1 / (1 + precision * (pooled.variantVarianceWithout[variant] as number))
  const mixed = (of: keyof Outcome) =>
    (1 - settled) * outcome.unknown[of] + settled * (known * outcome.seen[of] + (1 - known) * outcome.unseen[of])
  return { middle: mixed('middle'), below: mixed('below'), above: mixed('above') }
}

const rowsIn = ({ channelMix }: Market, rung: number) =>
  [...(channelMix[rung] ?? new Map<string, number>()).values()].reduce((sum, rows) => sum + rows, 0)

/** What nobody graded is mostly Good: in a market that has more of it than of Good, that is how sure Good is. */
function unsureLevel({ variance }: DeviceFit, cell: number, gradeless: boolean): number {
  const own = variance[cell] as number
  return gradeless && cell % RUNG_COUNT === GOOD ? Math.min(own, variance[cell + UNGRADED - GOOD] as number) : own
}

/** What stands on no rung is left as it is. */
function onLadder(values: readonly number[], weights: readonly number[]): number[] {
  return [...descending(values.slice(0, LADDER_LENGTH), weights), ...values.slice(LADDER_LENGTH)]
}

/** How far single deals lie from a level, from the three variances: of listings, of the level, of what time may have brought. */
function dealAround(
  { levels, devices }: Market,
  listings: Shape,
  /** How much of what is unsure of a device its rows have settled, from 0 to 1. */
  settled: number,
  listing: number,
  level: number,
  time: number,
): { spread: number; reach: number } {
  const mixed = (of: keyof Shape) => settled * levels[of] ** 2 + (1 - settled) * devices[of] ** 2
  return {
    spread: Math.sqrt(listings.middle ** 2 * listing + mixed('middle') * level + time),
    reach: Math.sqrt(listings.reach ** 2 * listing + mixed('reach') * level + NORMAL_REACH ** 2 * time),
  }
}

/** From here on (as a share of all other variance) what channels differ in makes a range lopsided. */
const UNEVEN = 0.2

/** How far the middle 80 % of a mix go below and above its center: where most trade in one place, the rest lies to one side. */
function rangeOfMix(
  market: Market,
  { channels }: ServedRung,
  settled: number,
  single: number,
  level: number,
  time: number,
): [number, number] {
  const spread = channels.factor.map(
    (one) => dealAround(market, market.listings, settled, single * one ** 2, level, time).reach / NORMAL_REACH,
  )
  return [Math.max(0, -quantileOfMix(channels, spread, 0.1)), Math.max(0, quantileOfMix(channels, spread, 0.9))]
}

/**
 * A variant nobody observed is never put below a smaller one, or above a larger one, that was: where a device is far from what
 * was expected of it, shrinkage alone would do that. Observed variants stand by what was seen.
 */
function holdBetweenSiblings(level: Float64Array, rows: DeviceRows, fit: DeviceFit): void {
  const observed = Array.from(rows.steps, (_, variant) => (fit.pooled.variantPrecision[variant] as number) > 0)
  if (observed.every(Boolean) || !observed.some(Boolean)) return
  for (let variant = 0; variant < observed.length; variant += 1) {
    if (observed[variant]) continue
    for (let rung = 0; rung < RUNG_COUNT; rung += 1) {
      let floor = Number.NEGATIVE_INFINITY
      let ceiling = Number.POSITIVE_INFINITY
      for (let other = 0; other < observed.length; other += 1) {
        if (!observed[other]) continue
        const at = level[other * RUNG_COUNT + rung] as number
        const step = (rows.steps[other] as number) - (rows.steps[variant] as number)
        if (step < 0) floor = Math.max(floor, at)
        if (step > 0) ceiling = Math.min(ceiling, at)
      }
      const cell = variant * RUNG_COUNT + rung
      // Siblings that contradict each other hold nothing.
      if (floor <= ceiling) level[cell] = Math.max(floor, Math.min(ceiling, level[cell] as number))
    }
  }
}

/** Of what prices wandered without news, so much is the device's own; the rest moved all devices, and what is expected of them. */
const OWN_WANDERING = 0.1

/**
 * However long ago, what was seen last says where prices were, and they only wandered since: all rows together weigh at least half
 * of what one level, made unsure by that time, would. Returns the variance of the time without news that their weights do not speak of.
 */
function remember(recency: Float64Array, listing: number, wandered: number): number {
  let total = 0
  for (let at = 0; at < recency.length; at += 1) total += recency[at] as number
  const own = OWN_WANDERING * wandered
  const least = (0.5 * listing) / (listing + own)
  if (total === 0 || total >= 1) return wandered
  if (total < least) {
    for (let at = 0; at < recency.length; at += 1) recency[at] = ((recency[at] as number) * least) / total
  }
  return wandered - own + Math.max(0, own - listing * (1 / Math.max(total, least) - 1))
}

function monthsWithoutNews(rows: DeviceRows): number {
  let newest = Number.POSITIVE_INFINITY
  for (let at = 0; at < rows.size; at += 1) newest = Math.min(newest, rows.monthsAgo[at] as number)
  return rows.size ? newest : 0
}

/** Both sides; a dealer's quote starts from what this very device resells for. */
export function estimateDevice(
  markets: Markets,
  device: DeviceFacts,
  observations: readonly Observation[],
  now: number,
): { resale: SideEstimate; buyback: SideEstimate } {
  const resale = estimateSide(markets.resale, device, observations, now)
  const { deviceMean, devicePrecision } = resale.fit.pooled
  const seen = new Map([[device.deviceId, { deviation: deviceMean, precision: devicePrecision }]])
  const buyback = estimateSide(markets.buyback, device, observations, now, { ...markets.resale, observed: seen })
  return { resale, buyback }
}

/** What one listing should cost: its cell's level, its channel's offset, and the drift to its day. */
export function estimateListing(
  side: SideEstimate,
  variant: number,
  listing: Pick<Observation, 'source' | 'side' | 'label' | 'lock' | 'rung' | 'observedAt'>,
): { ln: number; spread: number; reach: number } {
  const { market, rows, fit } = side
  const rung = rungIndex(listing.rung)
  const cell = variant * RUNG_COUNT + rung
  const channel = channelOf(listing)
  const own = fit.channelOwn.get(side.channels.indexOf(channel))
  const months = monthsWithoutNews(rows) + Math.max(0, listing.observedAt - rows.now) / MONTH_MS
  const at = drifted(side.level[cell] as number, rows.now, listing.observedAt, rows.drift)
  const factor = (market.spreads.rungFactor[rung] as number) * (market.channelFactor.get(channel) ?? 1)
  // A channel that all of the device's rows came from is its level; of one that is new to it only the market's offset is known.
  // A device without any rows differs from what is expected of it in one channel more than it does over all of them.
  const ofChannel = own
    ? own.variance * own.apart
    : channelUnsure(market, channel) + side.spreads.channel ** 2 / (rows.size > 0 ? 1 : 2)
  const level = (fit.variance[cell] as number) + ofChannel
  return {
    ln: at + channelOffset(market, channel) + (own?.offset ?? 0),
    ...dealAround(
      market,
      market.listings,
      side.settled,
      (fit.listing * factor) ** 2,
      level,
      timeVariance(market, rows.device.make, months),
    ),
  }
}
