import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { convertBetween, convertCents, createExchange, findExchange, US_DOLLARS } from './exchange.ts'
import { minorUnitDigits } from './minor-units.ts'
import { createRateLookup } from './rate-lookup.ts'

const exchangeFrom = (currency: string, usd: number) =>
  createExchange(currency, { usd, day: '2026-03-02', source: 'imported' }, '2026-03-02')
const euro = exchangeFrom('EUR', 1.25)
const yen = exchangeFrom('JPY', 0.0064)

describe('an exchange', () => {
  test('returns minor units of the currency', () => {
    expect(convertCents(10_000, euro)).toBe(8_000)
    expect(convertCents(10_000, yen)).toBe(15_625)
    expect(convertCents(10_001, exchangeFrom('KWD', 3.25))).toBe(30_772)
  })
  test('leaves dollars unchanged', () => {
    expect(convertCents(12_345, US_DOLLARS)).toBe(12_345)
    expect(US_DOLLARS.rate).toBeNull()
  })
  test('returns the applied rate', () => {
    const odd = exchangeFrom('EUR', 1.0937)
    expect(odd.rate).toEqual({ rate: 0.91432751, date: '2026-03-02', stale: false, source: 'imported' })
    expect(convertCents(99_999, odd)).toBe(Math.round(99_999 * 0.91432751))
  })
  test('converts any currency to any other', () => {
    expect(convertBetween(8_000, euro, yen)).toBe(15_625)
    expect(convertBetween(777, euro, euro)).toBe(777)
  })
})

test('a rate is stale after 45 days', () => {
  const rate = { usd: 1.25, day: '2026-01-01', source: 'ecb' } as const
  expect(createExchange('EUR', rate, '2026-02-15').rate?.stale).toBe(false)
  expect(createExchange('EUR', rate, '2026-02-16').rate?.stale).toBe(true)
})

test('a currency without a rate is an error that suggests similar codes and the import', () => {
  expect(() => findExchange(createRateLookup([]), 'EUT', '2026-03-02')).toThrow(
    'currency was "EUT", which has no exchange rate. Did you mean EUR? Add rates of other currencies with "import rates".',
  )
})

test('minor units are those of ISO 4217, and two for unknown codes', () => {
  expect(['USD', 'JPY', 'KWD', 'XQZ'].map(minorUnitDigits)).toEqual([2, 0, 3, 2])
})

test('conversion keeps the order of amounts', () => {
  const amounts = fc.tuple(fc.nat(10_000_000), fc.nat(10_000_000), fc.double({ min: 0.0001, max: 1_000, noNaN: true }))
  fc.assert(
    fc.property(amounts, ([left, right, usd]) => {
      const exchange = exchangeFrom('EUR', usd)
      expect(convertCents(Math.min(left, right), exchange)).toBeLessThanOrEqual(
        convertCents(Math.max(left, right), exchange),
      )
    }),
  )
})
