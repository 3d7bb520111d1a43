import type { RiskLevel } from '../contract/lookups.ts'
import type { PolicyOverridesWire, PolicyWire, RiskAction } from '../contract/policy.ts'

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
  readonly offerRounding: number
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
    maxLossProbability: 0.1,
    actionAtRisk: { low: 'offer', medium: 'inspect', high: 'reject', critical: 'reject' },
    actionWithoutIdentifier: 'offer',
    maxUnverifiedRiskPoints: 20,
    offerRounding: 100,
  }
}

export function withOverrides(policy: BuyingPolicy, overrides: PolicyOverridesWire): BuyingPolicy {
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
    offerRounding: overrides.offer_rounding ?? policy.offerRounding,
  }
}

/** Converts the amounts of a policy; the rounding step stays at least one minor unit. */
export function convertPolicy(
  policy: BuyingPolicy,
  currency: string,
  convert: (amount: number) => number,
): BuyingPolicy {
  if (policy.currency === currency) return policy
  return {
    ...policy,
    currency,
    minProfit: convert(policy.minProfit),
    labourPerHour: convert(policy.labourPerHour),
    holdingCostPerDay: convert(policy.holdingCostPerDay),
    offerRounding: Math.max(1, convert(policy.offerRounding)),
  }
}

export function presentPolicy(policy: BuyingPolicy): PolicyWire {
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
    offer_rounding: policy.offerRounding,
  }
}
