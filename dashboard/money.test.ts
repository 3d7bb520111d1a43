import { expect, test } from 'bun:test'
import { createMoney } from './money.ts'

test('US cents are shown in the minor units of the currency, also where it has none', () => {
  const won = createMoney('KRW', 1478.4)
  expect(won.fromUsCents(10_000)).toBe(147_840)
  expect(won.format(147_840)).toBe('₩147,840')
  expect(won.formatWhole(425_414)).toBe('₩425,400')
  const euros = createMoney('EUR', 0.88)
  expect(euros.format(euros.fromUsCents(12_345))).toBe('€108.64')
  expect(euros.formatWhole(10_864)).toBe('€109')
  expect(euros.formatWhole(null)).toBe('–')
})

test('a list price is exact in the market of the organization, else about right', () => {
  const usOnly = { price: 89_900, list_prices: [{ market: 'us', currency: 'USD', amount: 89_900 }] }
  expect(createMoney('USD', 1).formatListPrice(usOnly)).toBe('$899')
  expect(createMoney('EUR', 0.88, 'de').formatListPrice(usOnly)).toBe('≈\u00a0€791')
  const german = { ...usOnly, list_prices: [...usOnly.list_prices, { market: 'de', currency: 'EUR', amount: 104_900 }] }
  expect(createMoney('EUR', 0.88, 'de').formatListPrice(german)).toBe('€1,049')
  expect(createMoney('EUR', 0.88, 'hr').formatListPrice(german)).toBe('≈\u00a0€791')
  // A market that shows prices with tax: what a new device costs there.
  expect(createMoney('EUR', 0.88, 'hr', 0.25).formatListPrice(usOnly)).toBe('≈\u00a0€989')
})
