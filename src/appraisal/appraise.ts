import type { AppraisalDecision } from '../contract/appraisal.ts'
import { CONDITIONS, type Condition } from '../contract/condition-grades.ts'
import type { DefectCode } from '../contract/defects.ts'
import type { LookupResultWire } from '../contract/lookups.ts'
import type { CarrierLock } from '../contract/pricing.ts'
import { formatAmount } from '../currency/format-amount.ts'
import { DAY_MS, MONTH_MS } from '../lib/time.ts'
import type { ConditionValues, VariantValue } from '../pricing/quotes/device-quotes.ts'
import { type DefectRule, defectRules } from './defect.ts'
import { type DefectRatioSides, defectivePrices } from './defect-ratios.ts'
import {
  type ByGrade,
  bestOutcome,
  type Estimate80,
  evaluatePlan,
  floorTo,
  type OfferLineCode,
  offerLines,
  type PlanOutcome,
  type PlanTerms,
  planTerms,
  roundedMaxOffer,
  type SaleMarket,
} from './evaluate-plan.ts'
import type { DeviceIdentity } from './identity.ts'
import type { KnownDeal } from './known-deals-store.ts'
import { listPlans, type PlanOptions, unsellableReason } from './plans.ts'
import type { BuyingPolicy } from './policy.ts'
import { type AppliedRule, applyRules, gradesToEvaluate, type RuleStep } from './price-rules.ts'
import type { TextContradiction, TextReading, UnconfirmedDefect } from './read-request.ts'
import type { RepairCosts } from './repair-cost.ts'
import {
  isBlacklisted,
  type OfferFinding,
  type ReasonParameters,
  riskFindings,
  strictestAction,
} from './risk-findings.ts'

/** Version of the calculation; changes whenever the same facts would give another offer. */
export const APPRAISAL_METHOD = 'greatest-offer/6'

const LOW_CONFIDENCE = 'low_price_confidence'
const FAULT_TO_CONFIRM = 'fault_to_confirm'
/** A fault of the text that leaves less of the offer must be confirmed. */
const MIN_SHARE_UNCONFIRMED = 0.5

/** Inputs of an appraisal; amounts in one currency. */
export type AppraisalFacts = {
  readonly identity: DeviceIdentity
  readonly lookup: LookupResultWire | null
  /** Null if the price or the device is unknown. */
  readonly value: VariantValue | null
  readonly repairCosts: RepairCosts
  /** Price of a defective device relative to a Good one. */
  readonly defectRatios: DefectRatioSides
  readonly policy: BuyingPolicy
  readonly condition: Condition | undefined
  readonly defects: readonly DefectCode[]
  /** The carrier lock that `value` is for. */
  readonly lock: CarrierLock
  /** What the text of the request states. */
  readonly reading: TextReading
  /** What the organization did before with a device of the same identifier, newest first. */
  readonly knownDeals: readonly KnownDeal[]
  /** Price rules of the organization that hold for the device today. */
  readonly priceRules: readonly AppliedRule[]
}

export type OfferReason = {
  readonly code: string
  readonly message: string
  readonly parameters?: ReasonParameters | undefined
  readonly amount: number
  readonly runningTotal: number
}

export type GradeOffer = {
  readonly condition: Condition
  readonly plans: PlanOptions
  /** The best outcome of each plan. */
  readonly outcomes: readonly PlanOutcome[]
  readonly best: PlanOutcome | undefined
  readonly maxOffer: number
  readonly recommendedOffer: number
  /** What price rules changed. */
  readonly ruleSteps: readonly RuleStep[]
  /** What trade-in businesses pay for a device in this state; null if unknown. */
  readonly tradeIn: Estimate80 | null
}

export type AppraisalResult = {
  readonly decision: AppraisalDecision
  readonly conditions: readonly Condition[]
  readonly defects: readonly DefectCode[]
  /** Best grade first; empty without a price. */
  readonly byCondition: readonly GradeOffer[]
  /** The grade the offer is for. */
  readonly selected: GradeOffer | undefined
  readonly maxOffer: number | null
  readonly recommendedOffer: number | null
  readonly reasons: readonly OfferReason[]
}

/** Decides from the facts. Pure: the same facts always give the same appraisal. */
export function appraise(facts: AppraisalFacts): AppraisalResult {
  const { identity, lookup, value, policy } = facts
  const codes = withReportedLock(facts.defects, lookup)
  const defects = defectRules(codes)
  const conditions = facts.condition ? [facts.condition] : CONDITIONS
  const findings = collectFindings(facts, defects)
  const action = strictestAction(findings)
  const market = value && toSaleMarket(value)
  const common = { conditions, defects: codes }
  if (!market || !identity.device) {
    const isRejected = action === 'reject'
    const decision = isRejected ? 'reject' : identity.device ? 'inspect' : 'identify'
    const offer = isRejected ? 0 : null
    const reasons = offerReasons(findings, policy, undefined)
    return {
      ...common,
      decision,
      byCondition: [],
      selected: undefined,
      maxOffer: offer,
      recommendedOffer: offer,
      reasons,
    }
  }
  const isWithheld = action === 'reject' || findings.some(({ withholdsOffer }) => withholdsOffer)
  const terms = planTerms(policy)
  const evaluated = gradesToEvaluate(conditions, facts.priceRules).map((condition) =>
    offerFor(condition, defects, market, facts, terms, isWithheld),
  )
  const byCondition = capByBetterGrades(evaluated).filter(({ condition }) => conditions.includes(condition))
  const selected = byCondition.at(-1) as GradeOffer
  if (!isWithheld)
    findings.push(
      ...facts.reading.unconfirmedDefects
        .filter(({ code }) => {
          const others = defects.filter((defect) => defect.code !== code)
          const offer = offerFor(selected.condition, others, market, facts, terms, false)
          return others.length < defects.length && selected.maxOffer < offer.maxOffer * MIN_SHARE_UNCONFIRMED
        })
        .map((defect) => faultToConfirm(defect, false)),
    )
  // An uncertain price or an unconfirmed fault is no reason to reject a device either.
  const isUndecided = isWithheld || findings.some(({ code }) => code === LOW_CONFIDENCE || code === FAULT_TO_CONFIRM)
  return {
    ...common,
    decision: decide(strictestAction(findings), isUndecided, selected),
    byCondition,
    selected,
    maxOffer: selected.maxOffer,
    recommendedOffer: selected.recommendedOffer,
    reasons: offerReasons(findings, policy, selected),
  }
}

/** Rules of single grades may not make a worse grade worth more than a better one. */
function capByBetterGrades(offers: readonly GradeOffer[]): GradeOffer[] {
  let ceiling = Number.POSITIVE_INFINITY
  return offers.map((offer) => {
    const isCapped = offer.maxOffer > ceiling
    const amount = isCapped ? ceiling - offer.maxOffer : 0
    ceiling = Math.min(ceiling, offer.maxOffer)
    if (!isCapped) return offer
    const step = { code: 'capped_by_better_condition', message: CAPPED_BY_BETTER_GRADE, amount }
    return {
      ...offer,
      maxOffer: ceiling,
      recommendedOffer: Math.min(offer.recommendedOffer, ceiling),
      ruleSteps: [...offer.ruleSteps, step],
    }
  })
}

/** An activation lock reported by a source counts as a defect. */
function withReportedLock(defects: readonly DefectCode[], lookup: LookupResultWire | null): readonly DefectCode[] {
  if (!lookup?.activation_lock || defects.includes('activation_locked')) return defects
  return [...defects, 'activation_locked']
}

function collectFindings(facts: AppraisalFacts, defects: readonly DefectRule[]): OfferFinding[] {
  const { identity, lookup, value, policy, condition, reading } = facts
  const findings = riskFindings(lookup, policy)
  if (lookup && isBlacklisted(lookup)) return findings
  for (const { code, name, isSellable } of defects) {
    const unconfirmed = reading.unconfirmedDefects.find((defect) => defect.code === code)
    if (!isSellable && unconfirmed) findings.push(faultToConfirm(unconfirmed, true))
    else if (!isSellable) findings.push({ code, message: unsellableReason(name), action: 'reject' })
  }
  findings.push(...knownDealFindings(facts.knownDeals))
  for (const { message, withholdsOffer } of identity.contradictions)
    findings.push({ code: 'conflicting_input', message, action: 'inspect', withholdsOffer })
  for (const contradiction of reading.contradictions)
    findings.push({
      code: 'conflicting_input',
      message: contradictionMessage(contradiction),
      parameters: contradictionParameters(contradiction),
      action: contradiction.isWorse ? 'inspect' : 'offer',
    })
  for (const { words, withholdsOffer } of reading.unreadWords) {
    const message = `The text says "${words}", which may change the price but fits no field: inspect the device.`
    findings.push({ code: 'unread_words', message, parameters: { words }, action: 'inspect', withholdsOffer })
  }
  if (!identity.device) {
    findings.push({ code: 'device_not_identified', message: 'The device could not be identified.', action: 'offer' })
    return findings
  }
  if (!value?.resale) {
    findings.push({ code: 'price_unavailable', message: 'No price is available for this device.', action: 'inspect' })
    return findings
  }
  if (value.marketConfidence < policy.min_confidence) {
    const [confidence, minimum] = [value.marketConfidence, policy.min_confidence]
    const message = `Price confidence ${confidence} is below your minimum of ${minimum}: check the price by hand.`
    findings.push({ code: LOW_CONFIDENCE, message, parameters: { confidence, minimum }, action: 'inspect' })
  }
  const unresolved = identity.unresolvedAttributes.filter(({ affectsPrice }) => affectsPrice).map(({ name }) => name)
  if (unresolved.length > 0) {
    const message = `Unknown: ${unresolved.join(', ')}. The offer is for the cheapest matching variant.`
    findings.push({ code: 'cheapest_variant_assumed', message, action: 'offer' })
  }
  if (!condition) {
    const message = 'No grade given: the offer assumes the worst.'
    // A device that does not work has no grade to ask for.
    const isGradable = defects.every((defect) => defect.isGradable)
    findings.push({ code: 'condition_missing', message, action: isGradable ? 'inspect' : 'offer' })
  }
  return findings
}

/** One statement of a text may be wrong or misread: a person confirms a fault that takes most of the value. */
function faultToConfirm({ words, code }: UnconfirmedDefect, withholdsOffer: boolean): OfferFinding {
  const message = `The text says "${words}" (${code}), which takes more than half of the offer: confirm it.`
  return { code: FAULT_TO_CONFIRM, message, parameters: { words, code }, action: 'inspect', withholdsOffer }
}

/** A device in stock cannot be bought again; one that was sold may come back. */
function knownDealFindings(deals: readonly KnownDeal[]): OfferFinding[] {
  const inStock = deals.find(({ status }) => status === 'in_stock')
  if (inStock) {
    const { date, by, price, currency } = inStock
    const paid = price === null ? '' : ` for ${formatAmount(price, currency)}`
    const message = `In your stock since ${date}, bought by ${by}${paid}: check whether it is the same device.`
    return [{ code: 'in_your_stock', message, action: 'inspect' }]
  }
  const sold = deals.find(({ status }) => status === 'sold')
  if (!sold) return []
  return [{ code: 'sold_by_you', message: `Sold by you on ${sold.date}, by ${sold.by}.`, action: 'offer' }]
}

export const contradictionMessage = ({ words, field, value, stated }: TextContradiction) =>
  `The text says "${words}" (${field}: ${value}), the request states ${stated}; the stated value counts.`

const contradictionParameters = ({ words, field, value, stated }: TextContradiction): ReasonParameters => ({
  words,
  field,
  value,
  stated,
})

const MAX_DAYS_TO_SELL = 365

/** Mean days until a device is sold, from its probability in percent of selling within 28 days. */
function daysToSell(liquidityScore: number): number {
  const chance = Math.min(0.99, Math.max(0.01, liquidityScore / 100))
  return Math.min(MAX_DAYS_TO_SELL, -28 / Math.log(1 - chance))
}

function toEstimates(values: ConditionValues): ByGrade<Estimate80> {
  const estimate = (condition: Condition) => {
    const { amount, low, high } = values[condition]
    return { median: amount, low, high }
  }
  return { Excellent: estimate('Excellent'), Good: estimate('Good'), Fair: estimate('Fair'), Poor: estimate('Poor') }
}

function toSaleMarket({ resale, liquidityScore, driftPerMonth }: VariantValue): SaleMarket | null {
  if (!resale) return null
  return {
    resale: toEstimates(resale),
    daysToSell: daysToSell(liquidityScore),
    driftPerDay: driftPerMonth / (MONTH_MS / DAY_MS),
  }
}

function offerFor(
  condition: Condition,
  defects: readonly DefectRule[],
  market: SaleMarket,
  { value, repairCosts: costs, defectRatios, policy, priceRules }: AppraisalFacts,
  terms: PlanTerms,
  isWithheld: boolean,
): GradeOffer {
  const plans = listPlans({ condition, defects, market, costs, ratios: defectRatios.resale, policy })
  const evaluated = plans.plans.map((plan) => evaluatePlan(plan, market, terms))
  const byName = Map.groupBy(evaluated, ({ plan }) => plan.name)
  const outcomes = [...byName.values()].map((group) => bestOutcome(group) as PlanOutcome)
  const best = bestOutcome(outcomes)
  const { maxOffer, factor, steps } = applyRules(
    isWithheld ? [] : priceRules,
    condition,
    isWithheld ? 0 : roundedMaxOffer(best, policy.offer_rounding),
    { rounding: policy.offer_rounding, currency: policy.currency },
  )
  const tradeIn = value?.buyback
    ? defectivePrices(toEstimates(value.buyback), defects, defectRatios.buyback)[condition]
    : null
  const tradeInPrice = tradeIn?.median ?? Number.POSITIVE_INFINITY
  return {
    condition,
    plans,
    outcomes,
    best,
    maxOffer,
    recommendedOffer: Math.min(maxOffer, floorTo(tradeInPrice * factor, policy.offer_rounding)),
    ruleSteps: steps,
    tradeIn,
  }
}

function decide(
  action: OfferFinding['action'],
  isUndecided: boolean,
  { maxOffer, best }: GradeOffer,
): AppraisalDecision {
  if (action === 'reject' || (maxOffer === 0 && !isUndecided)) return 'reject'
  if (action === 'inspect') return 'inspect'
  return best?.plan.name === 'repair_and_sell' ? 'buy_and_repair' : 'buy'
}

function offerReasons(
  findings: readonly OfferFinding[],
  policy: BuyingPolicy,
  selected: GradeOffer | undefined,
): OfferReason[] {
  const reasons: OfferReason[] = []
  let runningTotal = 0
  const add = (code: string, message: string, amount: number, parameters?: ReasonParameters) => {
    runningTotal += amount
    reasons.push({ code, message, parameters, amount, runningTotal })
  }
  const outcome = selected?.best
  for (const { code, amount } of outcome ? offerLines(outcome, policy.offer_rounding) : []) {
    add(code, LINE_MESSAGES[code](outcome as PlanOutcome, policy), amount)
  }
  for (const { code, message, amount, parameters } of selected?.ruleSteps ?? []) add(code, message, amount, parameters)
  for (const { code, message, parameters, action, withholdsOffer } of findings) {
    const dropsOffer = (action === 'reject' || withholdsOffer) && runningTotal !== 0
    add(code, message, dropsOffer ? -runningTotal : 0, parameters)
  }
  if (selected && selected.recommendedOffer < selected.maxOffer) {
    add('market_buyback_cap', 'Capped at the market trade-in price', selected.recommendedOffer - runningTotal)
  }
  return reasons
}

const CAPPED_BY_BETTER_GRADE = 'Capped at the offer for a better grade'

/** Texts of the lines of the calculation, by code. */
const LINE_MESSAGES: Readonly<Record<OfferLineCode, (outcome: PlanOutcome, policy: BuyingPolicy) => string>> = {
  resale_price: ({ plan: { sale } }) => `Resale price (${'parts' in sale ? 'parts' : sale.condition})`,
  parts_value: () => 'Resale value of the working parts',
  unrepaired_defects: () => 'Deduction for defects that are not repaired',
  parts_cost: ({ plan }) => `Parts: ${plan.repairs.join(', ')}`,
  labour_cost: ({ plan }) => `Labour: ${plan.name === 'sell_for_parts' ? 'dismantling' : plan.repairs.join(', ')}`,
  selling_fee: (_, policy) => `Selling fee (${policy.selling_fee_percent} %)`,
  holding_cost: ({ daysToSell }) => `Holding cost (${Math.round(daysToSell)} days)`,
  expected_depreciation: ({ daysToSell }) => `Expected price decline (${Math.round(daysToSell)} days)`,
  target_margin: (_, policy) => `Your margin (${policy.target_margin_percent} %)`,
  min_profit: () => 'Your minimum profit',
  price_risk_margin: () => 'Safety margin for price risk',
  capped_by_better_condition: () => CAPPED_BY_BETTER_GRADE,
  negative_offer_set_to_zero: () => 'Costs exceed the sale price: no offer',
  rounding: () => 'Rounded down',
}
