import { expect, test } from 'bun:test'
import { priorMarket } from '../model/market-fit.ts'
import type { DeviceInput } from '../model/observation.ts'
import { PRIOR_COEFFICIENTS } from '../model/prior-coefficients.ts'
import { type Quote, quoteDevice, quoteWithSampleHistory } from '../quotes/quote.ts'
import { SAMPLE_SOURCE, sampleObservations } from './sample-market.ts'

const NOW = Date.parse('2026-06-01T10:00:00Z')
const markets = {
  resale: priorMarket('resale', PRIOR_COEFFICIENTS, NOW),
  buyback: priorMarket('buyback', PRIOR_COEFFICIENTS, NOW),
}
const phone: DeviceInput = {
  deviceId: 'apple-phone',
  make: 'Apple',
  category: 'Smartphone',
  releasedAt: Date.parse('2023-09-22'),
  variants: [
    { variantId: '128gb', storageGb: 128, listCents: 79_900 },
    { variantId: '256gb', storageGb: 256, listCents: 89_900 },
  ],
}

const sampleQuotes = () => quoteWithSampleHistory(markets, phone, sampleObservations(markets, phone, NOW), NOW)

test('the same device has the same sample all day, and none of it is from the future', () => {
  const morning = sampleObservations(markets, phone, NOW)
  const evening = sampleObservations(markets, phone, NOW + 8 * 3_600_000)
  expect(evening.map(({ cents }) => cents)).toEqual(morning.map(({ cents }) => cents))
  expect(morning.length).toBeGreaterThan(80)
  expect(morning.every(({ source, observedAt }) => source === SAMPLE_SOURCE && observedAt <= NOW)).toBe(true)
})

test('prices with a sample history are marked as sample on both sides, and the history looks like a market', () => {
  for (const quote of sampleQuotes()) {
    expect(quote.resale.source).toBe('sample')
    expect(quote.buyback.source).toBe('sample')
    expect(quote.resale.history.length).toBeGreaterThan(15)
    expect(quote.resale.cents?.Good as number).toBeLessThan(79_900)
  }
})

// Simulated rows must not change a price or raise its confidence.
test('everything except the history and the source name comes from launch price and age', () => {
  const plain = quoteDevice(markets, phone, [], NOW)
  const bare = (quote: Quote) => ({
    ...quote,
    resale: { ...quote.resale, history: [], source: null },
    buyback: { ...quote.buyback, history: [], source: null },
  })
  expect(sampleQuotes().map(bare)).toEqual(plain.map(bare))
  for (const { dataPoints, resale } of plain) {
    expect({ dataPoints, trend: resale.trend, newestAt: resale.newestAt }).toEqual({
      dataPoints: 0,
      trend: 'unknown',
      newestAt: null,
    })
  }
})

test('the simulated history leads up to the served price', () => {
  for (const { resale } of sampleQuotes()) {
    const last = resale.history.filter(({ condition }) => condition === 'Good').slice(-6)
    const mean = last.reduce((sum, { cents }) => sum + Math.log(cents), 0) / last.length
    expect(Math.abs(mean - Math.log(resale.cents?.Good as number))).toBeLessThan(0.15)
  }
})

test('a device without launch price or release day has no sample', () => {
  expect(sampleObservations(markets, { ...phone, releasedAt: null }, NOW)).toEqual([])
})

test('there are no sample sales before the release', () => {
  const released = NOW - 30 * 86_400_000
  const rows = sampleObservations(markets, { ...phone, releasedAt: released }, NOW)
  expect(rows.every(({ observedAt }) => observedAt >= released)).toBe(true)
})
