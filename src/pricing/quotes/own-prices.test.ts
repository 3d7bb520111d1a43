import { expect, test } from 'bun:test'
import { priorMarket } from '../model/market-fit.ts'
import type { Observation } from '../model/observation.ts'
import { PRIOR_COEFFICIENTS } from '../model/prior-coefficients.ts'
import { fitOwnLevels, type OwnLevel } from './own-levels.ts'
import { withOwnPrices } from './own-prices.ts'
import { type Quote, quoteDevice } from './quote.ts'

const LIST: Quote['sources'][number] = {
  ...{ source: 'list', trade: 'resale', observations: 9, recent: 2, newestAt: 0, goodCents: 20_000, weight: 1 },
}

const SUBJECT = { category: 'Smartphone', make: 'Apple', releasedAt: Date.parse('2023-09-22') }
type Prices = { ln: number; weight: number; isAsk: boolean; cell: number }[]
/** The level of devices of one line. */
const ownLevel = (byDevice: readonly Prices[]) =>
  fitOwnLevels(byDevice.map((distances) => ({ subject: SUBJECT, distances }))).levelOf(SUBJECT)
/** One level for all devices. */
const uniform = (resale: OwnLevel, buyback = resale) => ({
  resale: { levelOf: () => resale, prices: resale.prices },
  buyback: { levelOf: () => buyback, prices: buyback.prices },
})

/** One price of each device. */
const distances = (...all: number[]) => all.map((ln) => [{ ln, weight: 1, isAsk: false, cell: 0 }])

test('the level moves more, the more agreeing prices there are', () => {
  const levelOf = (count: number) => ownLevel(distances(...new Array(count).fill(0.2))).level
  expect(levelOf(3)).toBeGreaterThan(0)
  expect(levelOf(3)).toBeLessThan(0.1)
  expect(levelOf(8)).toBeWithin(0.1, 0.15)
  expect(levelOf(300)).toBeCloseTo(0.2, 2)
})

test('a deviation of one device is its own until several devices show it', () => {
  const deviating = new Array(15).fill({ ln: Math.log(1.5), weight: 1, isAsk: false, cell: 0 })
  expect(ownLevel([deviating]).level).toBe(0)
  expect(ownLevel([deviating, ...distances(0, 0, 0)]).level).toBe(0)
  const sellsOthers = distances(0.1, 0.1, 0.1)
  expect(ownLevel([deviating, ...sellsOthers]).level).toBeLessThan(0.08)
})

test('prices of one device that scatter do not widen the ranges of others', () => {
  const scattering = [0, 0, 0.1, -1.6, 1.6].map((ln) => ({ ln, weight: 1, isAsk: false, cell: 0 }))
  expect(ownLevel([scattering]).reach.unseen).toBe(0)
  const others = distances(0.05, -0.05, 0.1, -0.1)
  expect(ownLevel([...others, scattering]).reach.unseen).toBe(ownLevel([...others, ...distances(0)]).reach.unseen)
})

test('an outlier widens no range until others agree', () => {
  const normal = [0, 0.02, -0.03, 0.04].map((ln) => ({ ln, weight: 1, isAsk: false, cell: 0 }))
  const outlier = { ln: 1.6, weight: 1, isAsk: false, cell: 0 }
  expect(ownLevel([[...normal, outlier]]).reach.seen).toBe(ownLevel([normal]).reach.seen)
  const agreeing = [outlier, outlier, outlier]
  expect(ownLevel([normal, normal, agreeing]).reach.seen).toBeGreaterThan(ownLevel([normal, normal]).reach.seen)
})

test('prices in the wrong unit do not move the level', () => {
  const level = (byDevice: Parameters<typeof ownLevel>[0]) => ownLevel(byDevice).level
  const normal = Array.from({ length: 10 }, () => new Array(9).fill({ ln: 0.1, weight: 1, isAsk: false, cell: 0 }))
  for (const factor of [10, 100, 0.01, 0.1]) {
    const junk = { ln: Math.log(factor), weight: 1, isAsk: false, cell: 0 }
    expect(level(normal.map((prices) => [...prices, junk]))).toBe(level(normal))
    expect(level([new Array(3).fill(junk)])).toBe(0)
  }
})

for (const count of [1, 4, 40])
  test(`the weight of ${count} own prices is how far they move the price`, () => {
    const now = Date.parse('2026-06-01')
    const [common, ...none] = quoteDevice(markets(now), device, [], now)
    const good = common?.resale.cents?.Good ?? 0
    const rows = Array.from(
      { length: count },
      (_, at): Observation => ({
        ...{ source: 'own', side: 'sold', variantId: 'apple-phone-128gb', grade: 'Good', label: 'Good', market: 'us' },
        ...{
          lock: '',
          cents: Math.round(good * 1.2),
          observedAt: now,
          listingId: `${at}`,
          state: 'sold',
          listedAt: null,
        },
      }),
    )
    const level = { ...ownLevel([]), prices: 0 }
    const [own] = common ? withOwnPrices(device, [common, ...none], rows, uniform(level), now).quotes : []
    const moved = Math.log((own?.resale.cents?.Good ?? 0) / good) / Math.log(1.2)
    const observed = { ...(common as Quote), sources: [LIST] }
    const [beside] = withOwnPrices(device, [observed, ...none], rows, uniform(level), now).quotes
    expect(beside?.sources.map(({ weight }) => weight)).toEqual([
      expect.closeTo(moved, 2),
      expect.closeTo(1 - moved, 2),
    ])
    expect(moved).toBeWithin(0.2, 1)
  })

test('prices far from the common ones count once three agree, however many contradict them', () => {
  const now = Date.parse('2026-06-01')
  const commonQuotes = quoteDevice(markets(now), device, [], now)
  const common = commonQuotes[0]?.resale.cents?.Good ?? 0
  const none = { ...ownLevel([]), prices: 0 }
  const accepted = (...factors: number[]) => {
    const rows = factors.map((factor, at) => ownSale(Math.round(common * factor), now, `${at}`))
    const { acceptedRows } = withOwnPrices(device, commonQuotes, rows, uniform(none), now)
    return acceptedRows.map(({ cents }) => cents / common)
  }
  expect(accepted(6.5, 6.5)).toEqual([])
  expect(accepted(6.5, 6.5, 0.15)).toEqual([])
  expect(accepted(6.5, 6.5, 1)).toEqual([1])
  expect(accepted(6.5, 6.5, 6.5)).toHaveLength(3)
})

test('one price in ten in the wrong unit or misread moves the price of its device by at most 5 %', () => {
  const now = Date.parse('2026-06-01')
  const commonQuotes = quoteDevice(markets(now), device, [], now)
  const common = commonQuotes[0]?.resale.cents?.Good ?? 0
  const levels = uniform(ownLevel([]))
  const ownPriceWith = (...factors: number[]) => {
    const rows = factors.map((factor, at) => ownSale(Math.round(common * factor), now, `${at}`))
    return withOwnPrices(device, commonQuotes, rows, levels, now).quotes[0]?.resale.cents?.Good ?? 0
  }
  const honest = [1.3, 1.2, 1.1, 1.2, 1.3, 1.2, 1.1, 1.2, 1.2]
  const before = ownPriceWith(...honest, 1.2)
  for (const factor of [0.01, 0.1, 0.4, 0.5, 0.53, 0.6, 0.65, 0.8, 1.35, 1.5, 1.7, 2, 3, 10, 100]) {
    const moved = Math.abs(ownPriceWith(...honest, 1.2 * factor) / before - 1)
    expect({ factor, isSmall: moved <= 0.05, moved }).toEqual({ factor, isSmall: true, moved })
  }
  // Several prices of a variant that agree are its own price.
  const agreeing = new Array(30).fill(1.6)
  expect(ownPriceWith(...agreeing) / common).toBeGreaterThan(1.5)
})

test('contradicting prices do not move the level', () => {
  const neutral = { level: 0, spread: 0.1, prices: 0 }
  expect(ownLevel(distances(-4, 4))).toMatchObject(neutral)
  expect(ownLevel([])).toMatchObject(neutral)
})

const device = {
  deviceId: 'apple-phone',
  make: 'Apple',
  category: 'Smartphones',
  releasedAt: Date.parse('2023-09-22'),
  variants: [{ variantId: 'apple-phone-128gb', storageGb: 128, listCents: 79_900 }],
}
const ownSale = (cents: number, observedAt: number, listingId: string): Observation => ({
  source: 'own',
  side: 'sold',
  variantId: 'apple-phone-128gb',
  grade: 'Good',
  label: 'Good',
  market: 'us',
  lock: '',
  cents,
  observedAt,
  listingId,
  state: 'sold',
  listedAt: null,
})
const markets = (now: number) => ({
  resale: priorMarket('resale', PRIOR_COEFFICIENTS, now),
  buyback: priorMarket('buyback', PRIOR_COEFFICIENTS, now),
})

test('ranges of devices without own prices widen if the own prices scatter, and never narrow', () => {
  const now = Date.parse('2026-06-01')
  const commonQuotes = quoteDevice(markets(now), device, [], now)
  const quoteWith = (spread: number, prices = 100) => {
    const common = { level: 0, askPremium: 0, grades: [0, 0, 0, 0, 0, 0] }
    const resale = { ...common, spread, reach: { unseen: 1.28 * spread, seen: 1.28 * spread, seenPrices: 0 }, prices }
    const buyback = { ...common, spread: 0.1, reach: { unseen: 0.128, seen: 0.128, seenPrices: 0 }, prices: 0 }
    const [quote] = withOwnPrices(device, commonQuotes, [], uniform(resale, buyback), now).quotes
    return quote
  }
  const widthWith = (spread: number, prices?: number) => {
    const range = quoteWith(spread, prices)?.resale.interval?.Good as { low: number; high: number }
    return Math.log(range.high / range.low)
  }
  const confidenceWith = (spread: number, prices?: number) => quoteWith(spread, prices)?.marketConfidence ?? 0
  expect(widthWith(0.4)).toBeGreaterThan(1.5 * widthWith(0.4, 0))
  expect(widthWith(0.05)).toBe(widthWith(0.05, 0))
  // The confidence follows the range.
  expect(confidenceWith(0.4)).toBeLessThan(confidenceWith(0.4, 0))
  expect(confidenceWith(0.05)).toBe(confidenceWith(0.05, 0))
})

test('the level of an organization that only asks is that of its asks; beside its deals, asks count as higher', () => {
  const asks = Array.from({ length: 200 }, () => [{ ln: 0.1, weight: 1, isAsk: true, cell: 0 }])
  expect(ownLevel(asks).level).toBeCloseTo(0.1, 2)
  const deals = distances(...new Array(200).fill(0.05))
  expect(ownLevel([...asks, ...deals]).level).toBeCloseTo(0.05, 2)
})
