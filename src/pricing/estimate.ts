import { type DeviceFit, fitDevice } from './device-fit.ts'
import {
  BUYBACK_SIDES,
  channelRegistry,
  type DeviceRows,
  deviceRows,
  RESALE_SIDES,
  RUNG_COUNT,
  rungIndex,
} from './device-rows.ts'
import { drifted, UNSURE_PER_MONTH } from './drift.ts'
import { descending } from './ladder.ts'
import { baseLevel, channelOffset, expectedCells, type Market, marketDrift } from './market.ts'
import { channelOf, type DeviceFacts, MONTH_MS, type Observation } from './observation.ts'

export type Markets = { readonly resale: Market; readonly buyback: Market }

/** One side of the trade for all cells of one device. */
export type SideEstimate = {
  readonly market: Market
  readonly rows: DeviceRows
  readonly fit: DeviceFit
  readonly channels: readonly string[]
  /** ln cents per cell; a worse rung of a variant is never above a better one. */
  readonly level: Float64Array
  /** Standard deviation (ln) of a single deal around it: how listings differ, and how unsure the level is. */
  readonly spread: Float64Array
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
  const rows = deviceRows(device, observations, sides, registry, now, marketDrift(market, device.make))
  const offsets = Float64Array.from(registry.names, (name) => channelOffset(market, name))
  const base = baseLevel(market, device, now, resale)
  const expected = expectedCells(rows.storage, base.mean, rows.age, market)
  const fit = fitDevice(rows, expected, offsets, market.spreads, base.variance)
  const stale = UNSURE_PER_MONTH * monthsWithoutNews(rows)
  const cells = expected.length
  const level = new Float64Array(cells)
  const spread = new Float64Array(cells)
  for (let from = 0; from < cells; from += RUNG_COUNT) {
    const raw: number[] = []
    const weights: number[] = []
    for (let cell = from; cell < from + RUNG_COUNT; cell += 1) {
      raw.push((expected[cell] as number) + (fit.level[cell] as number))
      weights.push((fit.weight[cell] as number) + 1)
      const listing = fit.listing * (market.spreads.rungFactor[cell - from] as number)
      spread[cell] = Math.sqrt(listing ** 2 + (fit.variance[cell] as number) + stale ** 2)
    }
    level.set(descending(raw, weights), from)
  }
  holdBetweenSiblings(level, rows, fit)
  return {
    market,
    rows,
    fit,
    channels: registry.names,
    level,
    spread,
    known: base.known || fit.pooled.devicePrecision > 0,
  }
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
): { ln: number; spread: number } {
  const cell = variant * RUNG_COUNT + rungIndex(listing.rung)
  const channel = channelOf(listing)
  const own = side.fit.channelOwn.get(side.channels.indexOf(channel))
  const ahead = Math.max(0, listing.observedAt - side.rows.now) / MONTH_MS
  const at = drifted(side.level[cell] as number, side.rows.now, listing.observedAt, side.rows.drift)
  return {
    ln: at + channelOffset(side.market, channel) + (own?.offset ?? 0),
    spread: Math.hypot(side.spread[cell] as number, UNSURE_PER_MONTH * ahead),
  }
}
