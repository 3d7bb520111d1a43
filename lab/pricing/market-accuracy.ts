import { quotedCondition } from '../../src/catalog/grade.ts'
import { DAY_MS } from '../../src/lib/time.ts'
import { fitCountries, marketsOf } from '../../src/pricing/model/country-markets.ts'
import {
  type DeviceInput,
  isCarrierLocked,
  type Observation,
  type VariantInput,
} from '../../src/pricing/model/observation.ts'
import { PRIOR_COEFFICIENTS } from '../../src/pricing/model/prior-coefficients.ts'
import { quoteWithLock } from '../../src/pricing/quotes/carrier-lock.ts'
import { errorOfConfidence } from '../../src/pricing/quotes/confidence.ts'
import { ownDistances } from '../../src/pricing/quotes/own-distances.ts'
import { fitOwnLevels } from '../../src/pricing/quotes/own-levels.ts'
import { withOwnPrices } from '../../src/pricing/quotes/own-prices.ts'
import { type Quote, quoteDevice } from '../../src/pricing/quotes/quote.ts'
import { medianOf } from './median-error.ts'
import type { PriceDataset } from './price-set.ts'
import { foldRounds, futureRound, quantileMoment } from './splits.ts'

/** Accuracy of served prices of one market for hidden rows. */
export type MarketAccuracy = {
  readonly tests: number
  readonly mdape: number
  /** Median of (served − paid) / paid. */
  readonly bias: number
  readonly cover: number
  /** Error expected from `market_confidence`. */
  readonly expected: number
}

/** Older rows do not improve prices. */
const WINDOW_DAYS = 365
/** Enough to measure half a point of error; more take minutes. */
const MAX_TESTS = 1_500
const MAX_ROWS = 12_000

/** All sets as one registry: a model that is in several sets is one device. */
export function mergeDevices(sets: readonly PriceDataset[]): DeviceInput[] {
  const devices = new Map<string, DeviceInput>()
  for (const device of sets.flatMap((set) => set.devices)) {
    const existing = devices.get(device.deviceId)
    if (!existing) {
      devices.set(device.deviceId, device)
      continue
    }
    const variants = new Map<string, VariantInput>(existing.variants.map((variant) => [variant.variantId, variant]))
    for (const variant of device.variants)
      if (!variants.has(variant.variantId)) variants.set(variant.variantId, variant)
    devices.set(device.deviceId, {
      ...existing,
      releasedAt: existing.releasedAt ?? device.releasedAt,
      variants: [...variants.values()].sort((a, b) => (a.storageGb ?? 0) - (b.storageGb ?? 0)),
    })
  }
  return [...devices.values()]
}

export const sampleEvenly = <Row>(rows: readonly Row[], max: number) => {
  const step = Math.max(1, rows.length / max)
  return Array.from({ length: Math.min(rows.length, max) }, (_, at) => rows[Math.floor(at * step)] as Row)
}

/** Rows of the year before the newest row of `until`. */
export function recentRows(rows: readonly Observation[], until = rows): Observation[] {
  const newest = until.reduce((last, row) => Math.max(last, row.observedAt), 0)
  return rows.filter(({ observedAt }) => observedAt <= newest && observedAt > newest - WINDOW_DAYS * DAY_MS)
}

/** Known and hidden rows of a set, and the day of the prediction. */
export type HiddenRows = {
  readonly known: readonly Observation[]
  readonly hidden: readonly Observation[]
  readonly now: number
}

/** Hides each fifth of the newest period once. */
export function hideFolds({ observations: rows }: PriceDataset): HiddenRows[] {
  // Ignores a few late rows after a gap.
  const newest = quantileMoment(rows, 0.95)
  const observations = rows.filter((row) => row.observedAt <= newest)
  const recent = observations.filter((row) => row.observedAt > newest - 90 * DAY_MS)
  const older = observations.filter(
    (row) => row.observedAt <= newest - 90 * DAY_MS && row.observedAt > newest - WINDOW_DAYS * DAY_MS,
  )
  return foldRounds(recent).map(({ train, test }) => ({ known: [...older, ...train], hidden: test, now: newest }))
}

/** Hides the last 30 % of a set; nothing if it has only one day. */
export function hideFuture({ observations }: PriceDataset): HiddenRows[] {
  const newest = observations.reduce((last, row) => Math.max(last, row.observedAt), 0)
  const recent = observations.filter((row) => row.observedAt > newest - WINDOW_DAYS * DAY_MS)
  const [round] = futureRound(recent, quantileMoment(recent, 0.7))
  return round?.train.length && round.test.length ? [{ known: round.train, hidden: round.test, now: round.now }] : []
}

const HALF_YEAR_MS = 182.6 * DAY_MS

/** Hides all rows. A set of several years is tested every half year, because markets change. */
export function hideAll({ observations }: PriceDataset): HiddenRows[] {
  const oldest = observations.reduce((first, row) => Math.min(first, row.observedAt), Number.POSITIVE_INFINITY)
  const newest = quantileMoment(observations, 0.95)
  const moments = Math.max(1, Math.floor((newest - oldest) / HALF_YEAR_MS))
  return Array.from({ length: moments > 2 ? moments : 1 }, (_, at) => {
    const now = newest - at * HALF_YEAR_MS
    const hidden = observations.filter((row) => row.observedAt <= now && row.observedAt > now - 90 * DAY_MS)
    return { known: [], hidden, now }
  })
}

/** Served prices of hidden rows, with or without the rows of other sets. */
export function marketOutcomes(
  devices: readonly DeviceInput[],
  { known, hidden, now }: HiddenRows,
  others: readonly Observation[],
): Outcome[] {
  const inWindow = (row: Observation) => row.observedAt <= now && row.observedAt > now - WINDOW_DAYS * DAY_MS
  const rows = [...known.filter(inWindow), ...sampleEvenly(others.filter(inWindow), MAX_ROWS)]
  const byVariant = Map.groupBy(rows, ({ variantId }) => variantId)
  const observationsOf = (device: DeviceInput) =>
    device.variants.flatMap(({ variantId }) => byVariant.get(variantId) ?? [])
  const markets = fitCountries({ devices, observationsOf, now, prior: PRIOR_COEFFICIENTS })
  const variantLookup = new Map(
    devices.flatMap((device) => device.variants.map(({ variantId }, at) => [variantId, { device, at }] as const)),
  )
  const quotes = new Map<string, Quote[]>()
  return sampleEvenly(hidden, MAX_TESTS).flatMap((row) => {
    const match = variantLookup.get(row.variantId)
    if (!match) return []
    const day = Math.max(now, Math.floor(row.observedAt / DAY_MS) * DAY_MS)
    const key = `${match.device.deviceId} ${row.market} ${day}`
    const deviceQuotes =
      quotes.get(key) ?? quoteDevice(marketsOf(markets, row.market), match.device, observationsOf(match.device), day)
    quotes.set(key, deviceQuotes)
    return outcomeOf(deviceQuotes[match.at] as Quote, row, day)
  })
}

export type Outcome = {
  readonly row: Observation
  readonly error: number
  readonly covered: boolean
  readonly confidence: number
}

function outcomeOf(unlocked: Quote, row: Observation, day: number): Outcome[] {
  const quote = quoteWithLock(unlocked, isCarrierLocked(row.lock) ? 'locked' : 'unlocked')
  const side = row.side === 'quote' ? quote.buyback : quote.resale
  const grade = quotedCondition(row.grade)
  const cents = grade && side.cents?.[grade]
  const range = grade && side.interval?.[grade]
  if (!cents || !range) return []
  const price = row.cents * Math.exp((quote.resale.driftPerMonth * (day - row.observedAt)) / (30.4375 * DAY_MS))
  return [
    {
      row,
      error: (cents - price) / price,
      covered: range.low <= price && price <= range.high,
      confidence: quote.marketConfidence,
    },
  ]
}

export function summarize(outcomes: readonly Outcome[]): MarketAccuracy {
  return {
    tests: outcomes.length,
    mdape: medianOf(outcomes.map(({ error }) => Math.abs(error))),
    bias: medianOf(outcomes.map(({ error }) => error)),
    cover: outcomes.filter(({ covered }) => covered).length / Math.max(1, outcomes.length),
    expected:
      outcomes.reduce((sum, { confidence }) => sum + errorOfConfidence(confidence), 0) / Math.max(1, outcomes.length),
  }
}

/** Accuracy for an organization with and without own prices, over `samples` halves of them: one sample of 50 decides little. */
export function ownShopAccuracy(
  devices: readonly DeviceInput[],
  common: readonly Observation[],
  shop: readonly Observation[],
  counts: readonly number[],
  samples = 1,
): { readonly own: number; readonly accuracy: MarketAccuracy }[] {
  const now = shop.reduce((last, row) => Math.max(last, row.observedAt), 0)
  const byVariant = Map.groupBy(common, ({ variantId }) => variantId)
  const observationsOf = (device: DeviceInput) =>
    device.variants.flatMap(({ variantId }) => byVariant.get(variantId) ?? [])
  const markets = fitCountries({ devices, observationsOf, now, prior: PRIOR_COEFFICIENTS })
  const quotesOf = new Map(
    devices.map((device) => [
      device,
      quoteDevice(marketsOf(markets, shop[0]?.market ?? 'us'), device, observationsOf(device), now),
    ]),
  )
  const outcomesWith = (count: number, seed: number) => {
    const [round] = foldRounds(shop, 2, seed)
    const hidden = sampleEvenly(round?.test ?? [], MAX_TESTS)
    const ownRows = Map.groupBy(sampleEvenly(round?.train ?? [], count), ({ variantId }) => variantId)
    const ownRowsOf = (device: DeviceInput) => device.variants.flatMap(({ variantId }) => ownRows.get(variantId) ?? [])
    const distances = (side: 'resale' | 'buyback') =>
      devices.map((subject) => ({
        subject,
        distances: ownDistances(quotesOf.get(subject) ?? [], ownRowsOf(subject), side, now),
      }))
    const levels = { resale: fitOwnLevels(distances('resale')), buyback: fitOwnLevels(distances('buyback')) }
    const served = new Map(
      devices.flatMap((device) => {
        const common = quotesOf.get(device) ?? []
        const { quotes } = withOwnPrices(device, common, ownRowsOf(device), levels, now)
        return quotes.map((quote) => [quote.variantId, quote] as const)
      }),
    )
    return hidden.flatMap((row) => {
      const quote = served.get(row.variantId)
      return quote ? outcomeOf(quote, row, now) : []
    })
  }
  return counts.map((own) => {
    const outcomes = Array.from({ length: samples }, (_, sample) => outcomesWith(own, sample + 1)).flat()
    return { own, accuracy: summarize(outcomes) }
  })
}
