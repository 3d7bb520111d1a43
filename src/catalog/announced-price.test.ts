import { expect, test } from 'bun:test'
import { toUsCents } from './announced-price.ts'

for (const [price, released, cents] of [
  [{ country: 'US', currency: 'USD', amount: 299 }, '2024-03-01', 29_900],
  [{ country: 'DE', currency: 'EUR', amount: 549 }, '2024-01-10', 49_929],
  [{ country: 'IN', currency: 'INR', amount: 24_999 }, '2024-01-10', 30_374],
  [{ country: 'CN', currency: 'CNY', amount: 1_999 }, '2016', 36_637],
  [{ country: 'CN', currency: 'CNY', amount: 1_999 }, '2017', 36_637],
] as const) {
  test(`${price.amount} ${price.currency} in ${price.country}, ${released}, are ${cents} cents abroad, without tax`, () => {
    expect(toUsCents(price, { released, category: 'Smartphone' })).toBe(cents)
  })
}

test('a watch costs as much at home as abroad', () => {
  const price = { country: 'CN', currency: 'CNY', amount: 1_999 }
  expect(toUsCents(price, { released: '2017', category: 'Smartwatch' })).toBe(26_169)
})

test('an unknown currency or a country with unknown tax gives no price', () => {
  const phone = { released: '2024', category: 'Smartphone' }
  expect(toUsCents({ country: 'BR', currency: 'BRL', amount: 1_000 }, phone)).toBeUndefined()
  expect(toUsCents({ country: 'BR', currency: 'USD', amount: 1_000 }, phone)).toBeUndefined()
  expect(toUsCents({ country: 'US', currency: 'constructor', amount: 1_000 }, phone)).toBeUndefined()
})
