import { expect, test } from 'bun:test'
import { fromInputText, POLICY_FIELDS, POLICY_GROUPS, type PolicyField, toInputText } from './policy-fields.ts'

const policy = {
  currency: 'USD',
  target_margin_percent: 12.5,
  least_profit: 1_550,
  selling_fee_percent: 10,
  labour_per_hour: 6_000,
  holding_cost_per_day: 15,
  most_loss_probability: 0.1,
  at_low_risk: 'offer',
  at_medium_risk: 'inspect',
  at_high_risk: 'reject',
  at_critical_risk: 'reject',
  without_identifier: 'offer',
  most_unknown_points: 20,
  offer_rounding: 100,
} as const

test('what is shown of a term and sent back is the term, in every currency', () => {
  for (const currency of ['USD', 'JPY', 'KWD']) {
    for (const term of Object.keys(POLICY_FIELDS) as PolicyField[]) {
      const own = { ...policy, currency }
      expect([term, fromInputText(term, toInputText(term, own), currency)]).toEqual([term, own[term]])
    }
  }
  expect(toInputText('least_profit', policy)).toBe('15.5')
  expect(toInputText('most_loss_probability', policy)).toBe('10')
})

test('every term stands on the page once', () => {
  expect(POLICY_GROUPS.flatMap(({ terms }) => terms).toSorted()).toEqual(
    Object.keys(POLICY_FIELDS).toSorted() as PolicyField[],
  )
})
