import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { convertBetween, convertCents, exchangeFrom, minorUnitDigits, presentExchange, US_DOLLARS } from './exchange.ts'

const euro = exchangeFrom('EUR', 1.25, '2026-03-02')
const yen = exchangeFrom('JPY', 0.0064, '2026-03-02')

describe('an exchange', () => {
  test('gives minor units of the currency', () => {
    expect(convertCents(10_000, euro)).toBe(8_000)
    expect(convertCents(10_000, yen)).toBe(15_625)
    expect(convertCents(10_001, exchangeFrom('KWD', 3.25, '2026-03-02'))).toBe(30_772)
  })
  test('leaves dollars as they are', () => {
    expect(convertCents(12_345, US_DOLLARS)).toBe(12_345)
    expect(presentExchange(US_DOLLARS)).toBeNull()
  })
  test('tells the rate that was used', () => {
    const odd = exchangeFrom('EUR', 1.0937, '2026-03-02')
    expect(presentExchange(odd)).toEqual({ rate: 0.91432751, date: '2026-03-02' })
    expect(convertCents(99_999, odd)).toBe(Math.round(99_999 * 0.91432751))
  })
  test('leads from any currency to any other', () => {
    expect(convertBetween(8_000, euro, yen)).toBe(15_625)
    expect(convertBetween(777, euro, euro)).toBe(777)
  })
})

test('minor units are those of ISO 4217, and two where nobody knows', () => {
  expect(['USD', 'JPY', 'KWD', 'XQZ'].map(minorUnitDigits)).toEqual([2, 0, 3, 2])
})

test('what is more stays more in every currency', () => {
  const amounts = fc.tuple(fc.nat(10_000_000), fc.nat(10_000_000), fc.double({ min: 0.0001, max: 1_000, noNaN: true }))
  fc.assert(
    fc.property(amounts, ([left, right, usd]) => {
      const exchange = exchangeFrom('EUR', usd, '2026-03-02')
      expect(convertCents(Math.min(left, right), exchange)).toBeLessThanOrEqual(
        convertCents(Math.max(left, right), exchange),
      )
    }),
  )
})
