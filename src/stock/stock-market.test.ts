import { describe, expect, test } from 'bun:test'
import { chanceToSell, priceOfToday } from './stock-market.ts'

const MARKET = { amount: 20_000, low: 16_000, high: 25_000, liquidity: 60 }

describe('the chance to sell', () => {
  test('is that of the market at its price, and the lower the higher the price', () => {
    expect(chanceToSell(20_000, MARKET)).toBe(60)
    const chances = [10_000, 16_000, 20_000, 22_000, 25_000, 40_000].map((price) => chanceToSell(price, MARKET))
    expect(chances).toEqual(chances.toSorted((a, b) => b - a))
    expect(chances.every((chance) => chance >= 0 && chance <= 100)).toBe(true)
    expect(chanceToSell(40_000, MARKET)).toBeLessThan(5)
  })

  test('is defined for a price without a range', () => {
    expect(chanceToSell(20_000, { ...MARKET, low: 20_000, high: 20_000 })).toBe(60)
  })
})

describe('the price of today', () => {
  const price = (asking: number | null, days = 10) => priceOfToday(asking, MARKET, days, 100)

  test('is that of the market, in whole units, with the reason', () => {
    expect(price(null)).toEqual({ to: 20_000, reason: 'not_priced' })
    expect(price(24_000)).toEqual({ to: 20_000, reason: 'above_market' })
    expect(price(15_000)).toEqual({ to: 20_000, reason: 'below_market' })
    expect(priceOfToday(null, { amount: 20_049 }, 3, 100)?.to).toBe(20_000)
  })

  test('is not changed for a small difference', () => {
    for (const asking of [19_500, 20_000, 20_700]) expect(price(asking)).toBeNull()
  })

  test('of a device that is there for long is below the market, once', () => {
    expect(price(20_000, 60)).toEqual({ to: 19_000, reason: 'unsold' })
    expect(price(26_000, 60)).toEqual({ to: 19_000, reason: 'above_market' })
    expect(price(19_000, 60)).toBeNull()
  })
})
