import { expect, test } from 'bun:test'
import { DAY_MS } from '../../lib/time.ts'
import { priorMarkets } from '../markets/fitted-markets.ts'
import { quoteDevice } from '../quotes/quote.ts'
import type { DeviceInput, Observation } from './observation.ts'
import { withoutQuarantined } from './source-quarantine.ts'
import { newestBalanced, sourceFactors } from './source-weights.ts'

const NOW = Date.UTC(2026, 5, 1, 12)
const CONTRIBUTOR = 'org_1'

const device: DeviceInput = {
  deviceId: 'acme-one',
  make: 'Acme',
  category: 'Smartphone',
  releasedAt: Date.UTC(2024, 0, 1),
  variants: [{ variantId: '64gb', listCents: 80_000, storageGb: 64 }],
}
const markets = priorMarkets(NOW)

function sold(source: string, count: number, cents: number, more: Partial<Observation> = {}): Observation[] {
  return Array.from({ length: count }, (_, at) => ({
    source,
    market: 'us',
    side: 'sold',
    variantId: '64gb',
    grade: 'Good',
    label: 'good',
    lock: '',
    // Spread by ±8 % around the price, so that the interval has a width.
    cents: Math.round(cents * (0.92 + (0.16 * ((at * 7) % 41)) / 40)),
    observedAt: NOW - ((at % 30) + 1) * DAY_MS,
    listingId: `${source}-${at}`,
    state: 'sold',
    listedAt: null,
    ...more,
  }))
}

function good(rows: readonly Observation[]): { cents: number; low: number; high: number } {
  const [quote] = quoteDevice(markets, device, withoutQuarantined(markets, device, rows, NOW), NOW)
  const side = quote?.resale
  if (!side?.cents || !side.interval) throw new Error('no price')
  return { cents: side.cents.Good, ...side.interval.Good }
}

for (const factor of [1.2, 1.35, 1.6, 0.7]) {
  test(`1,000 newer rows of a contributor at ${factor} of the price move 950 imported ones by at most a third`, () => {
    const imported = sold('shop', 950, 42_100)
    const before = good(imported).cents
    const contributed = sold(CONTRIBUTOR, 1_000, 42_100 * factor, { observedAt: NOW - DAY_MS / 2 })
    const moved = good([...imported, ...contributed]).cents - before
    expect(Math.abs(moved)).toBeLessThanOrEqual(Math.abs(before * (factor - 1)) / 3)
  })
}

for (const source of [CONTRIBUTOR, 'another shop']) {
  test(`3,000 newer rows of ${source} against 4 sources of 500 move the price by at most a third`, () => {
    const four = ['a', 'b', 'c', 'd'].flatMap((shop) => sold(shop, 500, 42_100))
    const before = good(four).cents
    const after = good([...four, ...sold(source, 3_000, 54_000, { observedAt: NOW - DAY_MS / 2 })]).cents
    expect(after - before).toBeLessThanOrEqual((before * (54 / 42.1 - 1)) / 3)
  })
}

test('rows of a contributor in another grade do not shift the graded price', () => {
  const imported = sold('shop', 300, 42_100)
  const before = good(imported).cents
  const poor = sold(CONTRIBUTOR, 1_000, 55_000, { grade: 'Poor', label: 'poor' })
  expect(good([...imported, ...poor]).cents - before).toBeLessThanOrEqual((before * (55 / 42.1 - 1)) / 3)
})

test('each source is shown with the median of its Good prices, moved to today', () => {
  const rows = [...sold('shop', 31, 42_000), ...sold('list', 31, 50_000), ...sold('worn', 9, 20_000, { grade: 'Poor' })]
  const [quote] = quoteDevice(markets, device, rows, NOW)
  const goodOf = (name: string) => quote?.sources.find(({ source }) => source === name)?.goodCents
  expect(goodOf('shop')).toBeWithin(40_500, 42_500)
  expect(goodOf('list')).toBeWithin(48_500, 50_500)
  expect(goodOf('worn')).toBeNull()
})

test('a single row of a new source does not change a price with many rows', () => {
  const imported = sold('shop', 500, 42_100)
  const before = good(imported).cents
  const after = good([...imported, ...sold('another shop', 1, 50_000)]).cents
  expect(Math.abs(after - before)).toBeLessThan(before * 0.02)
})

test('a contributor alone sets the price of its device', () => {
  const unseen = good([]).cents
  const contributed = good(sold(CONTRIBUTOR, 200, unseen * 1.2)).cents
  expect(contributed).toBeGreaterThan(unseen * 1.1)
})

test('contributed rows far outside the interval are ignored until another source has a similar price', () => {
  const imported = sold('shop', 100, 42_100)
  const { cents, high } = good(imported)
  const far = sold(CONTRIBUTOR, 50, high * 2)
  expect(withoutQuarantined(markets, device, [...imported, ...far], NOW)).toEqual(imported)
  expect(good([...imported, ...far]).cents).toBe(cents)
  const confirmed = [...imported, ...far, ...sold('org_2', 3, high * 2)]
  expect(withoutQuarantined(markets, device, confirmed, NOW)).toHaveLength(confirmed.length)
})

test('newer rows of one source never push all others out', () => {
  const old = sold('shop', 400, 42_100, { observedAt: NOW - 20 * DAY_MS })
  const flood = sold(CONTRIBUTOR, 5_000, 42_100, { observedAt: NOW - DAY_MS })
  const left = newestBalanced([...old, ...flood], 512)
  expect(left).toHaveLength(512)
  expect(left.filter(({ source }) => source === 'shop').length).toBeGreaterThanOrEqual(256)
  expect(newestBalanced(old, 512)).toHaveLength(400)
})

test('no source has more than a third of the weight beside two or more others of some size', () => {
  const weights = new Map([
    ['a', 3_000],
    ['b', 500],
    ['c', 400],
    ['d', 300],
  ])
  const factors = sourceFactors(weights)
  const balanced = [...weights].map(([source, weight]) => weight * (factors.get(source) ?? 1))
  const total = balanced.reduce((sum, weight) => sum + weight, 0)
  for (const weight of balanced) expect(weight / total).toBeLessThanOrEqual(1 / 3 + 1e-9)
})

test('of too many prices of one day, those kept are neither the lowest nor the highest, in any order of the rows', () => {
  const crawled = Array.from({ length: 2_000 }, (_, at) => ({
    source: 'crawl',
    listingId: `${250_000_000 + at}`,
    observedAt: NOW,
    cents: 30_000 + at * 10,
  }))
  const kept = newestBalanced(crawled, 512)
  const mean = kept.reduce((sum, { cents }) => sum + cents, 0) / kept.length
  expect(mean).toBeWithin(39_000, 41_000)
  expect(newestBalanced(crawled.toReversed(), 512)).toEqual(kept)
})
