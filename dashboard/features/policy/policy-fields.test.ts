import { expect, test } from 'bun:test'
import { fromInputText, POLICY_FIELDS, POLICY_GROUPS, type PolicyField, toInputText } from './policy-fields.ts'
import { STANCES, stanceOf, stanceTerms } from './policy-stances.ts'

const policy = {
  currency: 'USD',
  target_margin_percent: 12.5,
  min_profit: 1_550,
  selling_fee_percent: 10,
  labour_per_hour: 6_000,
  holding_cost_per_day: 15,
  max_loss_probability: 0.1,
  action_at_low_risk: 'offer',
  action_at_medium_risk: 'inspect',
  action_at_high_risk: 'reject',
  action_at_critical_risk: 'reject',
  action_without_identifier: 'offer',
  max_unverified_risk_points: 20,
  min_confidence: 20,
  offer_rounding: 100,
  clerk_offer_limit: null,
  clerks_see_margins: false,
} as const

test('a value shown and sent back unchanged is the same value, in every currency', () => {
  for (const currency of ['USD', 'JPY', 'KWD']) {
    for (const term of Object.keys(POLICY_FIELDS) as PolicyField[]) {
      const own = { ...policy, currency }
      expect([term, fromInputText(term, toInputText(term, own), currency)]).toEqual([term, own[term]])
    }
  }
  expect(toInputText('min_profit', policy)).toBe('15.50')
  expect(fromInputText('min_profit', '15,5', 'EUR')).toBe(1_550)
  expect(toInputText('max_loss_probability', policy)).toBe('10')
})

test('every field is on the page exactly once', () => {
  expect(POLICY_GROUPS.flatMap(({ terms }) => terms).toSorted()).toEqual(
    Object.keys(POLICY_FIELDS).toSorted() as PolicyField[],
  )
})

test('a stance is recognised from its own terms, and careful earns more than bold', () => {
  for (const stance of STANCES) {
    expect(stanceOf({ ...policy, ...stanceTerms(stance, policy) }, policy)).toBe(stance)
  }
  expect(stanceOf({ ...policy, min_profit: policy.min_profit + 1 }, policy)).toBe(null)
  const [careful, bold] = [stanceTerms('careful', policy), stanceTerms('bold', policy)]
  expect(careful.target_margin_percent).toBeGreaterThan(bold.target_margin_percent)
  expect(careful.min_profit).toBeGreaterThan(bold.min_profit)
  expect(careful.max_loss_probability).toBeLessThan(bold.max_loss_probability)
})
