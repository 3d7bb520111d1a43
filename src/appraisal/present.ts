import type { AppraisalWire } from '../contract/appraisal.ts'
import type { Condition } from '../contract/grades.ts'
import { type Exchange, presentExchange } from '../currency/exchange.ts'
import type { SideWorth } from '../pricing/serve/device-quotes.ts'
import { FAULT_WORDS } from '../repair/kind.ts'
import { isoInstant } from '../time.ts'
import { APPRAISAL_METHOD, type AppraisalFacts, type Appraised, type GradeOffer } from './appraise.ts'
import type { Identity } from './identity.ts'
import { middleOf } from './mending.ts'
import { presentPolicy } from './policy.ts'
import { outlook, type Reckoned } from './sum.ts'

export type About = {
  readonly id: string
  readonly now: number
  readonly reference: string | null
  readonly exchange: Exchange
}

/** The appraisal as callers know it; also the record, to the letter. */
export function presentAppraisal(facts: AppraisalFacts, made: Appraised, about: About): AppraisalWire {
  const { identity, lookup, worth, policy } = facts
  const { chosen } = made
  return {
    appraisal_id: about.id,
    timestamp: isoInstant(about.now),
    reference: about.reference,
    defects: [...made.defects],
    identity: presentIdentity(identity),
    risk: lookup,
    value: identity.device
      ? made.conditions.map((condition) => ({
          condition,
          resale: priced(worth?.resale ?? null, condition),
          buyback: priced(worth?.buyback ?? null, condition),
        }))
      : [],
    repairs: chosen ? presentRepairs(chosen) : [],
    plans: chosen ? chosen.reckoned.map((plan) => presentPlan(plan, chosen.max)) : [],
    plans_left_out: chosen ? [...chosen.plans.leftOut] : [],
    offer: {
      decision: made.decision,
      condition: chosen?.condition ?? null,
      plan: chosen?.best?.plan.name ?? null,
      max_offer: made.max,
      recommended_offer: made.recommended,
      reasons: made.reasons.map(({ code, message, amount, left }) => ({ code, message, amount, left })),
      by_condition: made.byCondition.map(({ condition, best, max, recommended }) => ({
        condition,
        plan: best?.plan.name ?? null,
        max_offer: max,
        recommended_offer: recommended,
      })),
      source: worth?.resale ? worth.source : null,
      market_confidence: worth?.resale ? worth.marketConfidence : 0,
      method: APPRAISAL_METHOD,
    },
    policy: presentPolicy(policy),
    sample: worth?.source === 'sample' || (lookup?.source.split('+').includes('sandbox') ?? false),
    currency: about.exchange.currency,
    exchange_rate: presentExchange(about.exchange),
  }
}

function presentIdentity({ device, variants, confidence, foundBy, open, contradictions, candidates }: Identity) {
  const [variant = null] = variants.length === 1 ? variants : []
  return {
    device_id: device?.id ?? null,
    device_name: device?.name ?? null,
    variant_id: variant?.id ?? null,
    variant_name: variant?.name ?? null,
    confidence,
    found_by: foundBy,
    open_attributes: open.map(({ name, values, matters }) => ({ name, values: [...values], matters })),
    contradictions: [...contradictions],
    candidates: candidates.map((candidate) => ({
      device_id: candidate.device.id,
      device_name: candidate.device.name,
      variant_id: candidate.variant?.id ?? null,
      confidence: candidate.confidence,
    })),
  }
}

function priced(side: SideWorth | null, condition: Condition) {
  return side && { amount: side[condition].amount, low: side[condition].low, high: side[condition].high }
}

function presentPlan(reckoned: Reckoned, paid: number): AppraisalWire['plans'][number] {
  const { plan, proceeds, costs, days, most } = reckoned
  const { profit, low, high, lossProbability } = outlook(reckoned, paid)
  const expected = Math.round(profit)
  return {
    plan: plan.name,
    sold_as: plan.soldAs,
    repairs: [...plan.repairs],
    expected_proceeds: Math.round(proceeds),
    costs: {
      parts: Math.round(costs.parts),
      labour: Math.round(costs.labour),
      fees: Math.round(costs.fees),
      holding: Math.round(costs.holding + costs.drift),
    },
    days_to_sell: Math.round(days),
    expected_profit: expected,
    range: { low: Math.min(expected, Math.round(low)), high: Math.max(expected, Math.round(high)) },
    loss_probability: Math.round(lossProbability * 1_000) / 1_000,
    max_offer: Math.floor(most),
  }
}

/** What the repairs of the best such plan add together is shared among them as their costs are. */
function presentRepairs({ plans, reckoned }: GradeOffer): AppraisalWire['repairs'] {
  const mended = reckoned.find(({ plan }) => plan.name === 'repair_and_sell')
  const asIs = reckoned.find(({ plan }) => plan.name === 'sell_as_is')
  const done = new Set(mended?.plan.repairs)
  const total = plans.repairs.reduce((sum, { kind, cost }) => sum + (cost && done.has(kind) ? middleOf(cost) : 0), 0)
  const added = mended ? mended.proceeds - (asIs?.proceeds ?? 0) : 0
  return plans.repairs.map(({ kind, cost, mends }) => {
    const spent = cost ? middleOf(cost) : 0
    const value = cost && done.has(kind) && total > 0 ? Math.round((added * spent) / total) : null
    return {
      category: kind,
      name: cost?.name ?? FAULT_WORDS[kind].repair,
      defects: mends.map(({ code }) => code),
      parts_min: cost ? cost.spending.parts.low : null,
      parts_max: cost ? cost.spending.parts.high : null,
      labour_min: cost ? cost.spending.labour.low : null,
      labour_max: cost ? cost.spending.labour.high : null,
      minutes: cost ? cost.minutes : null,
      value_added: value,
      return: value === null || spent === 0 ? null : Math.round((100 * (value - spent)) / spent) / 100,
    }
  })
}
