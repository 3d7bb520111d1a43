import { expect, test } from 'bun:test'
import { createRateLookup } from './rate-lookup.ts'

const bundled = createRateLookup([])

test('currencies of the largest markets have a rate without any import', () => {
  for (const currency of ['EUR', 'GBP', 'KRW', 'TWD', 'SGD', 'JPY', 'INR', 'AED', 'SAR', 'VND']) {
    expect(bundled.currencies).toContain(currency)
    expect(bundled.find(currency, '2026-08-01')?.usd).toBeGreaterThan(0)
  }
  expect(bundled.find('PKR', '2026-08-01')).toBeUndefined()
})

test('the newest rate on or before the day is used', () => {
  expect(bundled.find('EUR', '2015-01-29')).toBeUndefined()
  expect(bundled.find('EUR', '2015-01-30')).toEqual({ day: '2015-01-30', usd: 1.1305, source: 'ecb' })
  expect(bundled.find('EUR', '2015-02-26')?.day).toBe('2015-01-30')
})

test('an imported rate wins on the same day, and a newer bundled one on later days', () => {
  const rates = createRateLookup([
    { currency: 'EUR', day: '2015-02-27', usd: 2 },
    { currency: 'EUR', day: '2015-02-10', usd: 3 },
    { currency: 'VND', day: '2024-01-01', usd: 0.00004 },
  ])
  expect(rates.find('EUR', '2015-02-28')).toEqual({ day: '2015-02-27', usd: 2, source: 'imported' })
  expect(rates.find('EUR', '2015-02-12')?.usd).toBe(3)
  expect(rates.find('EUR', '2015-04-01')?.source).toBe('ecb')
  expect(rates.find('VND', '2026-01-01')?.usd).toBe(0.00004)
  expect(rates.currencies).toContain('VND')
})

test('a pegged currency follows its anchor and is marked', () => {
  expect(bundled.find('AED', '2026-11-16')).toEqual({ day: '2026-11-16', usd: 1 / 3.6725, source: 'peg' })
  expect(bundled.find('HRK', '2022-11-15')?.source).toBe('ecb')
  const kuna = bundled.find('HRK', '2024-05-15')
  const euro = bundled.find('EUR', '2024-05-15')
  expect(kuna).toEqual({ day: '2024-04-30', usd: (euro?.usd ?? 0) / 7.5345, source: 'peg' })
})
