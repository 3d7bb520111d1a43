import type { PolicyWire } from '../contract/policy.ts'
import { convertBetween, type Exchange } from '../currency/exchange.ts'

/** Buying policy of an organization, with the same fields in the database, in calculations and in responses. */
export type BuyingPolicy = Readonly<PolicyWire>

/** Terms an organization has set; the others are the defaults. */
export type StoredPolicy = Partial<BuyingPolicy>

/** Policy of organizations without their own; `docs/appraisal.md` explains each number. */
export function defaultPolicy(labourCentsPerHour: number): BuyingPolicy {
  return {
    currency: 'USD',
    target_margin_percent: 12,
    min_profit: 1_500,
    selling_fee_percent: 10,
    labour_per_hour: labourCentsPerHour,
    holding_cost_per_day: 15,
    max_loss_probability: 0.2,
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
  }
}

export const AMOUNT_FIELDS = [
  'min_profit',
  'labour_per_hour',
  'holding_cost_per_day',
  'offer_rounding',
  'clerk_offer_limit',
] as const

/** The policy for one appraisal in another currency; the rounding step stays at least one minor unit. */
export function convertPolicy(policy: BuyingPolicy, from: Exchange, to: Exchange): BuyingPolicy {
  const convert = (amount: number) => convertBetween(amount, from, to)
  return { ...convertAmounts(policy, convert, (step) => Math.max(1, convert(step))), currency: to.currency }
}

/** The default policy in another currency, with round amounts. */
export function defaultPolicyIn(policy: BuyingPolicy, from: Exchange, to: Exchange): BuyingPolicy {
  const convert = (amount: number) => roundTo(convertBetween(amount, from, to), 2)
  return { ...convertAmounts(policy, convert, (step) => roundStep(convert(step))), currency: to.currency }
}

/** An organization's own amounts in another currency, to three digits. */
export function convertStoredPolicy(stored: StoredPolicy, from: Exchange, to: Exchange): StoredPolicy {
  const convert = (amount: number) => convertBetween(amount, from, to)
  return convertAmounts(
    stored,
    (amount) => roundTo(convert(amount), 3),
    (step) => roundStep(convert(step)),
  )
}

function convertAmounts<Terms extends StoredPolicy>(
  terms: Terms,
  convert: (amount: number) => number,
  convertStep: (step: number) => number,
): Terms {
  const converted = AMOUNT_FIELDS.flatMap((field) => {
    const amount = terms[field] ?? null
    if (amount === null) return []
    return [[field, field === 'offer_rounding' ? convertStep(amount) : convert(amount)]]
  })
  return { ...terms, ...Object.fromEntries(converted) }
}

const roundTo = (amount: number, digits: number) => Math.round(Number(amount.toPrecision(digits)))

/** The nearest of 1, 2, 5, 10, 20, 50, …, so that offers are not rounded to 87 cents. */
function roundStep(amount: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, amount)))
  const steps = [power, 2 * power, 5 * power, 10 * power]
  return steps.reduce((best, step) => (Math.abs(step - amount) < Math.abs(best - amount) ? step : best))
}
