import type { RiskLevel } from '../contract/lookups.ts'
import type { AppliedPolicyWire, PolicyOverridesWire, PolicyWire, RiskAction } from '../contract/policy.ts'
import { convertBetween, type Exchange } from '../currency/exchange.ts'

/** Terms an organization has set; the others are the defaults. */
export type StoredPolicy = Partial<PolicyWire>

/** Buying policy of an organization; amounts are minor units of its currency. */
export type BuyingPolicy = {
  readonly currency: string
  readonly targetMarginPercent: number
  readonly minProfit: number
  readonly sellingFeePercent: number
  readonly labourPerHour: number
  readonly holdingCostPerDay: number
  readonly maxLossProbability: number
  readonly actionAtRisk: Readonly<Record<RiskLevel, RiskAction>>
  readonly actionWithoutIdentifier: RiskAction
  readonly maxUnverifiedRiskPoints: number
  readonly minConfidence: number
  readonly offerRounding: number
  /** Null: clerks have no limit. */
  readonly clerkOfferLimit: number | null
  readonly clerksSeeMargins: boolean
}

/** Policy of organizations without their own; `docs/appraisal.md` explains each number. */
export function defaultPolicy(labourCentsPerHour: number): BuyingPolicy {
  return {
    currency: 'USD',
    targetMarginPercent: 12,
    minProfit: 1_500,
    sellingFeePercent: 10,
    labourPerHour: labourCentsPerHour,
    holdingCostPerDay: 15,
    maxLossProbability: 0.2,
    actionAtRisk: { low: 'offer', medium: 'inspect', high: 'reject', critical: 'reject' },
    actionWithoutIdentifier: 'offer',
    maxUnverifiedRiskPoints: 20,
    minConfidence: 20,
    offerRounding: 100,
    clerkOfferLimit: null,
    clerksSeeMargins: false,
  }
}

export function withOverrides(policy: BuyingPolicy, overrides: PolicyOverridesWire & StoredPolicy): BuyingPolicy {
  return {
    currency: policy.currency,
    targetMarginPercent: overrides.target_margin_percent ?? policy.targetMarginPercent,
    minProfit: overrides.min_profit ?? policy.minProfit,
    sellingFeePercent: overrides.selling_fee_percent ?? policy.sellingFeePercent,
    labourPerHour: overrides.labour_per_hour ?? policy.labourPerHour,
    holdingCostPerDay: overrides.holding_cost_per_day ?? policy.holdingCostPerDay,
    maxLossProbability: overrides.max_loss_probability ?? policy.maxLossProbability,
    actionAtRisk: {
      low: overrides.action_at_low_risk ?? policy.actionAtRisk.low,
      medium: overrides.action_at_medium_risk ?? policy.actionAtRisk.medium,
      high: overrides.action_at_high_risk ?? policy.actionAtRisk.high,
      critical: overrides.action_at_critical_risk ?? policy.actionAtRisk.critical,
    },
    actionWithoutIdentifier: overrides.action_without_identifier ?? policy.actionWithoutIdentifier,
    maxUnverifiedRiskPoints: overrides.max_unverified_risk_points ?? policy.maxUnverifiedRiskPoints,
    minConfidence: overrides.min_confidence ?? policy.minConfidence,
    offerRounding: overrides.offer_rounding ?? policy.offerRounding,
    clerkOfferLimit: overrides.clerk_offer_limit ?? policy.clerkOfferLimit,
    clerksSeeMargins: overrides.clerks_see_margins ?? policy.clerksSeeMargins,
  }
}

/** Converts the amounts of a policy; the rounding step stays at least one minor unit. */
export function convertPolicy(
  policy: BuyingPolicy,
  currency: string,
  convert: (amount: number) => number,
  roundStepTo: (step: number) => number = (step) => step,
): BuyingPolicy {
  if (policy.currency === currency) return policy
  return {
    ...policy,
    currency,
    minProfit: convert(policy.minProfit),
    labourPerHour: convert(policy.labourPerHour),
    holdingCostPerDay: convert(policy.holdingCostPerDay),
    offerRounding: Math.max(1, roundStepTo(convert(policy.offerRounding))),
    clerkOfferLimit: policy.clerkOfferLimit === null ? null : convert(policy.clerkOfferLimit),
  }
}

/** Converts the amounts of the default policy to round figures of a currency. */
export function defaultPolicyIn(policy: BuyingPolicy, from: Exchange, to: Exchange): BuyingPolicy {
  return convertPolicy(policy, to.currency, (amount) => roundTo(convertBetween(amount, from, to), 2), roundStep)
}

export const AMOUNT_FIELDS = [
  'min_profit',
  'labour_per_hour',
  'holding_cost_per_day',
  'offer_rounding',
  'clerk_offer_limit',
] as const

/** The same policy in another currency: its own amounts, to three digits. */
export function convertStoredPolicy(stored: StoredPolicy, from: Exchange, to: Exchange): StoredPolicy {
  const converted = AMOUNT_FIELDS.flatMap((field) => {
    const amount = stored[field]
    if (amount === undefined || amount === null) return []
    const value = convertBetween(amount, from, to)
    return [[field, field === 'offer_rounding' ? roundStep(value) : roundTo(value, 3)]]
  })
  return { ...stored, ...Object.fromEntries(converted) }
}

const roundTo = (amount: number, digits: number) => Math.round(Number(amount.toPrecision(digits)))

/** The nearest of 1, 2, 5, 10, 20, 50, …, so that offers are not rounded to 87 cents. */
function roundStep(amount: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, amount)))
  const steps = [power, 2 * power, 5 * power, 10 * power]
  return steps.reduce((best, step) => (Math.abs(step - amount) < Math.abs(best - amount) ? step : best))
}

export function presentPolicy(policy: BuyingPolicy): PolicyWire {
  return {
    ...presentAppliedPolicy(policy),
    clerk_offer_limit: policy.clerkOfferLimit,
    clerks_see_margins: policy.clerksSeeMargins,
  }
}

export function presentAppliedPolicy(policy: BuyingPolicy): AppliedPolicyWire {
  return {
    currency: policy.currency,
    target_margin_percent: policy.targetMarginPercent,
    min_profit: policy.minProfit,
    selling_fee_percent: policy.sellingFeePercent,
    labour_per_hour: policy.labourPerHour,
    holding_cost_per_day: policy.holdingCostPerDay,
    max_loss_probability: policy.maxLossProbability,
    action_at_low_risk: policy.actionAtRisk.low,
    action_at_medium_risk: policy.actionAtRisk.medium,
    action_at_high_risk: policy.actionAtRisk.high,
    action_at_critical_risk: policy.actionAtRisk.critical,
    action_without_identifier: policy.actionWithoutIdentifier,
    max_unverified_risk_points: policy.maxUnverifiedRiskPoints,
    min_confidence: policy.minConfidence,
    offer_rounding: policy.offerRounding,
  }
}
