import type { RiskLevel } from '../contract/imei.ts'
import type { PolicyOverridesWire, PolicyWire, RiskAction } from '../contract/policy.ts'

/** What an organization wants of a deal; amounts are minor units of its currency. */
export type Policy = {
  readonly currency: string
  readonly targetMarginPercent: number
  readonly leastProfit: number
  readonly sellingFeePercent: number
  readonly labourPerHour: number
  readonly holdingCostPerDay: number
  readonly mostLossProbability: number
  readonly atRisk: Readonly<Record<RiskLevel, RiskAction>>
  readonly withoutIdentifier: RiskAction
  readonly mostUnknownPoints: number
  readonly offerRounding: number
}

/** What holds where an organization has said nothing; each number has its sentence in `docs/appraisal.md`. */
export function defaultPolicy(labourCentsPerHour: number): Policy {
  return {
    currency: 'USD',
    targetMarginPercent: 12,
    leastProfit: 1_500,
    sellingFeePercent: 10,
    labourPerHour: labourCentsPerHour,
    holdingCostPerDay: 15,
    mostLossProbability: 0.1,
    atRisk: { low: 'offer', medium: 'inspect', high: 'reject', critical: 'reject' },
    withoutIdentifier: 'offer',
    mostUnknownPoints: 20,
    offerRounding: 100,
  }
}

export function withOverrides(policy: Policy, given: PolicyOverridesWire): Policy {
  return {
    currency: policy.currency,
    targetMarginPercent: given.target_margin_percent ?? policy.targetMarginPercent,
    leastProfit: given.least_profit ?? policy.leastProfit,
    sellingFeePercent: given.selling_fee_percent ?? policy.sellingFeePercent,
    labourPerHour: given.labour_per_hour ?? policy.labourPerHour,
    holdingCostPerDay: given.holding_cost_per_day ?? policy.holdingCostPerDay,
    mostLossProbability: given.most_loss_probability ?? policy.mostLossProbability,
    atRisk: {
      low: given.at_low_risk ?? policy.atRisk.low,
      medium: given.at_medium_risk ?? policy.atRisk.medium,
      high: given.at_high_risk ?? policy.atRisk.high,
      critical: given.at_critical_risk ?? policy.atRisk.critical,
    },
    withoutIdentifier: given.without_identifier ?? policy.withoutIdentifier,
    mostUnknownPoints: given.most_unknown_points ?? policy.mostUnknownPoints,
    offerRounding: given.offer_rounding ?? policy.offerRounding,
  }
}

/** The same policy in another currency; amounts are rounded to its minor units, and nothing is rounded away to no step at all. */
export function policyIn(policy: Policy, currency: string, convert: (amount: number) => number): Policy {
  if (policy.currency === currency) return policy
  return {
    ...policy,
    currency,
    leastProfit: convert(policy.leastProfit),
    labourPerHour: convert(policy.labourPerHour),
    holdingCostPerDay: convert(policy.holdingCostPerDay),
    offerRounding: Math.max(1, convert(policy.offerRounding)),
  }
}

export function presentPolicy(policy: Policy): PolicyWire {
  return {
    currency: policy.currency,
    target_margin_percent: policy.targetMarginPercent,
    least_profit: policy.leastProfit,
    selling_fee_percent: policy.sellingFeePercent,
    labour_per_hour: policy.labourPerHour,
    holding_cost_per_day: policy.holdingCostPerDay,
    most_loss_probability: policy.mostLossProbability,
    at_low_risk: policy.atRisk.low,
    at_medium_risk: policy.atRisk.medium,
    at_high_risk: policy.atRisk.high,
    at_critical_risk: policy.atRisk.critical,
    without_identifier: policy.withoutIdentifier,
    most_unknown_points: policy.mostUnknownPoints,
    offer_rounding: policy.offerRounding,
  }
}
