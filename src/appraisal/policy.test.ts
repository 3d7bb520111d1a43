import { expect, test } from 'bun:test'
import { createExchange, US_DOLLARS } from '../currency/exchange.ts'
import { convertStoredPolicy, defaultPolicy, defaultPolicyIn } from './policy.ts'

const exchange = (currency: string, usd: number) =>
  createExchange(currency, { usd, day: '2026-07-21', source: 'ecb' }, '2026-07-21')
const euro = exchange('EUR', 1.1418)
const won = exchange('KRW', 0.0006764058)

test('the default policy has round amounts in every currency', () => {
  const { min_profit, labour_per_hour, offer_rounding } = defaultPolicyIn(defaultPolicy(6_000), US_DOLLARS, won)
  // Won have no cents.
  expect({ min_profit, labour_per_hour, offer_rounding }).toEqual({
    min_profit: 22_000,
    labour_per_hour: 89_000,
    offer_rounding: 1_000,
  })
  expect(defaultPolicyIn(defaultPolicy(6_000), US_DOLLARS, euro)).toMatchObject({
    currency: 'EUR',
    min_profit: 1_300,
    labour_per_hour: 5_300,
    holding_cost_per_day: 13,
    offer_rounding: 100,
  })
})

test('a policy in another currency keeps its terms and converts its amounts', () => {
  const own = { currency: 'USD', target_margin_percent: 15, min_profit: 2_000, offer_rounding: 500 }
  expect(convertStoredPolicy(own, US_DOLLARS, won)).toEqual({
    currency: 'USD',
    target_margin_percent: 15,
    min_profit: 29_600,
    offer_rounding: 5_000,
  })
})
