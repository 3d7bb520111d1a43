import { authorOf } from '../auth/actor.ts'
import type { AppraisalWire, StoredAppraisalWire } from '../contract/appraisal.ts'
import type { Condition } from '../contract/condition-grades.ts'
import { deviceKind } from '../contract/device-kinds.ts'
import type { AuthorWire } from '../contract/values.ts'
import type { Exchange } from '../currency/exchange.ts'
import { isoInstant } from '../lib/time.ts'
import type { ConditionValues } from '../pricing/quotes/device-quotes.ts'
import { presentMarket } from '../pricing/quotes/present.ts'
import { FAULTS } from '../repairs/fault-kinds.ts'
import {
  APPRAISAL_METHOD,
  type AppraisalFacts,
  type AppraisalResult,
  contradictionMessage,
  type GradeOffer,
} from './appraise.ts'
import { type Estimate80, type PlanOutcome, profitOutlook } from './evaluate-plan.ts'
import type { DeviceIdentity } from './identity.ts'
import type { KnownDeal } from './known-deals-store.ts'
import { medianCost } from './repair-cost.ts'

export type AppraisalMetadata = {
  readonly id: string
  readonly now: number
  readonly author: AuthorWire
  readonly reference: string | null
  readonly agreedOffer: number | null
  readonly isDeclined: boolean
  readonly exchange: Exchange
}

/** The appraisal in wire format; stored as the record unchanged, beside its outcome. */
export function presentAppraisal(
  facts: AppraisalFacts,
  result: AppraisalResult,
  metadata: AppraisalMetadata,
): StoredAppraisalWire {
  const { identity, lookup, value } = facts
  const { clerk_offer_limit: _limit, clerks_see_margins: _margins, ...appliedPolicy } = facts.policy
  const { selected } = result
  return {
    appraisal_id: metadata.id,
    timestamp: isoInstant(metadata.now),
    created_by: authorOf(metadata.author),
    reference: metadata.reference,
    agreed_offer: metadata.agreedOffer,
    declined: metadata.isDeclined,
    defects: [...result.defects],
    read_from_text: facts.reading.readFields.map(({ words, field, value }) => ({ words, field, value })),
    contradictions: facts.reading.contradictions.map((contradiction) => ({
      field: contradiction.field,
      stated: contradiction.stated,
      words: contradiction.words,
      value: contradiction.value,
      message: contradictionMessage(contradiction),
    })),
    identity: presentIdentity(identity, facts.knownDeals),
    risk: lookup,
    value: identity.device
      ? result.conditions.map((condition) => ({
          condition,
          resale: presentValue(value?.resale ?? null, condition),
          buyback: presentValue(value?.buyback ?? null, condition),
        }))
      : [],
    repairs: selected ? presentRepairs(selected) : [],
    plans: selected ? selected.outcomes.map((plan) => presentPlan(plan, selected.maxOffer)) : [],
    rejected_plans: selected ? selected.plans.rejected.map(({ plan, reason }) => ({ plan, reason })) : [],
    offer: {
      decision: result.decision,
      condition: selected?.condition ?? null,
      plan: selected?.best?.plan.name ?? null,
      max_offer: result.maxOffer,
      recommended_offer: result.recommendedOffer,
      reasons: result.reasons.map(({ code, message, parameters, amount, runningTotal }) => ({
        code,
        message,
        ...(parameters && { parameters }),
        amount,
        running_total: runningTotal,
      })),
      by_condition: result.byCondition.map(({ condition, best, maxOffer, recommendedOffer }) => ({
        condition,
        plan: best?.plan.name ?? null,
        max_offer: maxOffer,
        recommended_offer: recommendedOffer,
      })),
      source: value?.resale ? value.source : null,
      market_confidence: value?.resale ? value.marketConfidence : 0,
      method: APPRAISAL_METHOD,
    },
    policy: appliedPolicy,
    market: value ? presentMarket(value.market) : null,
    lock: facts.lock,
    sample: value?.source === 'sample' || (lookup?.source.split('+').includes('sandbox') ?? false),
    currency: metadata.exchange.currency,
    exchange_rate: metadata.exchange.rate,
  }
}

function presentIdentity(
  {
    device,
    variants,
    confidence,
    identifiedBy,
    attributes,
    unresolvedAttributes,
    contradictions,
    candidates,
  }: DeviceIdentity,
  knownDeals: readonly KnownDeal[],
) {
  const [variant = null] = variants.length === 1 ? variants : []
  return {
    device_id: device?.id ?? null,
    device_name: device?.name ?? null,
    device_kind: device && deviceKind(device),
    variant_id: variant?.id ?? null,
    variant_name: variant?.name ?? null,
    confidence,
    identified_by: identifiedBy,
    attributes: attributes.map(({ name, value }) => ({ attribute_name: name, attribute_value: value })),
    unresolved_attributes: unresolvedAttributes.map(({ name, values, affectsPrice }) => ({
      name,
      values: [...values],
      affects_price: affectsPrice,
    })),
    contradictions: contradictions.map(({ code, message }) => ({ code, message })),
    candidates: candidates.map((candidate) => ({
      device_id: candidate.device.id,
      device_name: candidate.device.name,
      variant_id: candidate.variant?.id ?? null,
      confidence: candidate.confidence,
    })),
    known_to_you: knownDeals.map(({ appraisalId, status, at, date, price, currency, by }) => ({
      appraisal_id: appraisalId,
      status,
      at: isoInstant(at),
      date,
      price,
      currency,
      by,
    })),
  }
}

function presentValue(side: ConditionValues | null, condition: Condition) {
  return side && { amount: side[condition].amount, low: side[condition].low, high: side[condition].high }
}

/** In whole minor units. */
export const presentEstimate = (estimate: Estimate80 | null) =>
  estimate && {
    amount: Math.round(estimate.median),
    low: Math.min(Math.round(estimate.median), Math.round(estimate.low)),
    high: Math.max(Math.round(estimate.median), Math.round(estimate.high)),
  }

function presentPlan(outcome: PlanOutcome, pricePaid: number): StoredAppraisalWire['plans'][number] {
  const { plan, proceeds, costs, daysToSell, maxOffer } = outcome
  const { profit, low, high, lossProbability } = profitOutlook(outcome, pricePaid)
  const expected = Math.round(profit)
  return {
    plan: plan.name,
    sold_as: plan.soldAs,
    repairs: [...plan.repairs],
    expected_proceeds: Math.round(proceeds),
    costs: {
      parts: Math.round(costs.parts),
      labour: Math.round(costs.labour),
      selling_fee: Math.round(costs.fees),
      holding_and_depreciation: Math.round(costs.holding + costs.drift),
    },
    days_to_sell: Math.round(daysToSell),
    expected_profit: expected,
    range: { low: Math.min(expected, Math.round(low)), high: Math.max(expected, Math.round(high)) },
    loss_probability: Math.round(lossProbability * 1_000) / 1_000,
    max_offer: Math.floor(maxOffer),
  }
}

/** The value added by the repair plan is split among its repairs in proportion to their costs. */
function presentRepairs({ plans, outcomes }: GradeOffer): AppraisalWire['repairs'] {
  const repairedOutcome = outcomes.find(({ plan }) => plan.name === 'repair_and_sell')
  const asIsOutcome = outcomes.find(({ plan }) => plan.name === 'sell_as_is')
  const doneRepairs = new Set(repairedOutcome?.plan.repairs)
  const totalRepairCost = plans.repairs.reduce(
    (sum, { kind, cost }) => sum + (cost && doneRepairs.has(kind) ? medianCost(cost) : 0),
    0,
  )
  const addedValue = repairedOutcome ? repairedOutcome.proceeds - (asIsOutcome?.proceeds ?? 0) : 0
  return plans.repairs.map(({ kind, cost, fixes }) => {
    const repairCost = cost ? medianCost(cost) : 0
    const value =
      cost && doneRepairs.has(kind) && totalRepairCost > 0
        ? Math.round((addedValue * repairCost) / totalRepairCost)
        : null
    return {
      category: kind,
      name: cost?.name ?? FAULTS[kind].repair,
      defects: fixes.map(({ code }) => code),
      parts_min: cost ? cost.cost.parts.low : null,
      parts_max: cost ? cost.cost.parts.high : null,
      labour_min: cost ? cost.cost.labour.low : null,
      labour_max: cost ? cost.cost.labour.high : null,
      minutes: cost ? cost.minutes : null,
      value_added: value,
      return_on_cost:
        value === null || repairCost === 0 ? null : Math.round((100 * (value - repairCost)) / repairCost) / 100,
    }
  })
}
