import { expect, test } from 'bun:test'
import type { PriceBlockWire, VariantPricingWire } from '../../../src/contract/pricing.ts'
import { DAY_MS } from '../../../src/lib/time.ts'
import { dayTicks, historyLines, lineTrend, moneyTicks, visibleDays } from './price-history-lines.ts'

const NOW = Date.parse('2026-06-15T12:00:00Z')
const amounts = { Excellent: 40_000, Good: 36_000, Fair: 30_000, Poor: 20_000 }

const block = (historical: PriceBlockWire['historical']): PriceBlockWire => ({
  current: amounts,
  interval: { Excellent: null, Good: null, Fair: null, Poor: null },
  historical,
  last_updated: '2026-06-01T00:00:00.000Z',
  source: 'market',
})

const pricing: VariantPricingWire = {
  variant_id: 'v',
  device_name: 'd',
  variant_name: 'v',
  resale: {
    ...block([
      { date: '2026-06-01', value: 37_000, currency: 'USD', condition: 'Good' },
      { date: '2026-06-01', value: 21_000, currency: 'USD', condition: 'Poor' },
    ]),
    trend: 'falling',
    liquidity_score: 50,
  },
  buyback: block([]),
  market_confidence: 70,
  launch_price_basis: 'list',
  market: { code: 'us', basis: 'observed', tax_included: false, observations: 2 },
  provisional: false,
  fit: { as_of: null, observations_since: 0 },
  lock: 'unlocked',
  data_points: 2,
  source_count: 1,
  sources: [],
  currency: 'USD',
  method: 'm',
}

test('a line contains only the weeks of its grade and ends with the current price', () => {
  const [resale, buyback] = historyLines(pricing, 'Good', NOW)
  expect(resale?.points).toEqual([
    { at: Date.parse('2026-06-01'), amount: 37_000 },
    { at: NOW, amount: 36_000 },
  ])
  expect(buyback?.points).toEqual([{ at: NOW, amount: 36_000 }])
})

test('a period is shown completely, even without observations at its start', () => {
  expect(visibleDays('3M', historyLines(pricing, 'Good', NOW), null, NOW)).toEqual([NOW - 92 * DAY_MS, NOW])
})

test('"All" goes back to the launch', () => {
  const launch = NOW - 900 * DAY_MS
  expect(visibleDays('All', historyLines(pricing, 'Good', NOW), launch, NOW)[0]).toBe(launch)
})

test('"All" of a device with an unknown launch starts with its first price and covers at least a month', () => {
  expect(visibleDays('All', historyLines(pricing, 'Good', NOW), null, NOW)[0]).toBe(NOW - 31 * DAY_MS)
})

test('an amount axis has round labels and covers the highest amount', () => {
  for (const most of [350, 4_999, 22_700, 24_900, 63_000, 799_00, 699_999]) {
    const ticks = moneyTicks(most)
    expect(ticks.length).toBeLessThanOrEqual(5)
    expect(ticks.at(-1)).toBeGreaterThanOrEqual(most)
  }
  expect(moneyTicks(22_700)).toEqual([0, 10_000, 20_000, 30_000])
})

test('a date axis is labelled at its ends and evenly between', () => {
  expect(dayTicks([0, 100], 5)).toEqual([0, 25, 50, 75, 100])
})

test('the trend is that of the line: a line from 220 to 138 falls, whatever the response calls it', () => {
  const resale = (first: number, today: number, source: PriceBlockWire['source'] = 'market') => ({
    ...block([{ date: '2026-01-05', value: first, currency: 'USD', condition: 'Good' }]),
    current: { ...amounts, Good: today },
    source,
    trend: 'rising' as const,
    liquidity_score: 50,
  })
  const trendOf = (...line: Parameters<typeof resale>) =>
    lineTrend({ ...pricing, resale: resale(...line) }, 'Good', NOW)
  expect(trendOf(22_000, 13_800)).toMatchObject({ direction: 'falling', since: '2026-01-05' })
  expect(trendOf(22_000, 13_800)?.share).toBeCloseTo(-0.373, 3)
  expect(trendOf(22_000, 21_900)?.direction).toBe('stable')
  expect(trendOf(22_000, 30_000)?.direction).toBe('rising')
  expect(trendOf(22_000, 13_800, 'sample')).toBeNull()
})
