import { expect, test } from 'bun:test'
import { toUsCents } from './announced-price.ts'

for (const [price, released, cents] of [
  [{ country: 'US', currency: 'USD', amount: 299 }, '2024-03-01', 29_900],
  [{ country: 'DE', currency: 'EUR', amount: 549 }, '2024-01-10', 49_929],
  [{ country: 'IN', currency: 'INR', amount: 24_999 }, '2024-01-10', 25_311],
  [{ country: 'CN', currency: 'CNY', amount: 1_999 }, '2016', 26_169],
  [{ country: 'CN', currency: 'CNY', amount: 1_999 }, '2017', 26_169],
] as const) {
  test(`${price.amount} ${price.currency} in ${price.country}, ${released}, are ${cents} cents without tax`, () => {
    expect(toUsCents(price, released)).toBe(cents)
  })
}

test('an unknown currency or a country with unknown tax gives no price', () => {
  expect(toUsCents({ country: 'BR', currency: 'BRL', amount: 1_000 }, '2024')).toBeUndefined()
  expect(toUsCents({ country: 'BR', currency: 'USD', amount: 1_000 }, '2024')).toBeUndefined()
  expect(toUsCents({ country: 'US', currency: 'constructor', amount: 1_000 }, '2024')).toBeUndefined()
})
