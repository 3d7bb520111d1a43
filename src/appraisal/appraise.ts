import type { AppraisalDecision } from '../contract/appraisal.ts'
import { CONDITIONS, type Condition } from '../contract/condition-grades.ts'
import type { DefectCode } from '../contract/defects.ts'
import type { LookupResultWire } from '../contract/lookups.ts'
import { DAY_MS, MONTH_MS } from '../lib/time.ts'
import type { ConditionValues, VariantValue } from '../pricing/quotes/device-quotes.ts'
import { type DefectRule, defectRules, gradeWithDefects } from './defect.ts'
import {
  bestOutcome,
  evaluatePlan,
  type OfferLine,
  offerLines,
  type PlanOutcome,
  type PlanTerms,
  planTerms,
  roundedMaxOffer,
  type SaleMarket,
} from './evaluate-plan.ts'
import type { DeviceIdentity } from './identity.ts'
import { listPlans, type PlanOptions } from './plans.ts'
import type { BuyingPolicy } from './policy.ts'
import type { RepairCosts } from './repair-cost.ts'
import { isBlacklisted, type OfferFinding, riskFindings, strictestAction } from './risk-findings.ts'

/** Version of the sum and of what surrounds it; it changes whenever the same facts would give another offer. */
export const APPRAISAL_METHOD = 'greatest-offer/1'

/** Everything an appraisal rests on; amounts in one currency. */
export type AppraisalFacts = {
  readonly identity: DeviceIdentity
  readonly lookup: LookupResultWire | null
  /** Null where nobody knows a price, or what the device is. */
  readonly value: VariantValue | null
  readonly repairCosts: RepairCosts
  readonly policy: BuyingPolicy
  readonly condition: Condition | undefined
  readonly defects: readonly DefectCode[]
}

export type OfferReason = OfferLine & { readonly message: string }

export type GradeOffer = {
  readonly condition: Condition
  readonly plans: PlanOptions
  /** The best of each kind. */
  readonly outcomes: readonly PlanOutcome[]
  readonly best: PlanOutcome | undefined
  readonly maxOffer: number
  readonly recommendedOffer: number
}

export type AppraisalResult = {
  readonly decision: AppraisalDecision
  readonly conditions: readonly Condition[]
  readonly defects: readonly DefectCode[]
  /** Best first; empty where there is no price. */
  readonly byCondition: readonly GradeOffer[]
  /** The one that the offer is for. */
  readonly selected: GradeOffer | undefined
  readonly maxOffer: number | null
  readonly recommendedOffer: number | null
  readonly reasons: readonly OfferReason[]
}

/** From facts to a decision. The same facts always give the same appraisal. */
export function appraise(facts: AppraisalFacts): AppraisalResult {
  const { identity, lookup, value: worth, policy } = facts
  const codes = withReportedLock(facts.defects, lookup)
  const defects = defectRules(codes)
  const conditions = facts.condition ? [facts.condition] : CONDITIONS
  const findings = collectFindings(facts, defects)
  const action = strictestAction(findings)
  const market = worth && saleMarketOf(worth)
  const shared = { conditions, defects: codes }
  if (!market || !identity.device) {
    const isRefused = action === 'reject'
    const reasons = offerReasons([], findings, null, null)
    const decision = isRefused ? 'reject' : identity.device ? 'inspect' : 'identify'
    const max = isRefused ? 0 : null
    return { ...shared, decision, byCondition: [], selected: undefined, maxOffer: max, recommendedOffer: max, reasons }
  }
  const isWithheld = action === 'reject' || findings.some(({ withholdsOffer: withholds }) => withholds)
  const terms = planTerms(policy)
  const byCondition = conditions.map((condition) => offerFor(condition, defects, market, facts, terms, isWithheld))
  const chosen = byCondition.at(-1) as GradeOffer
  const lines = chosen.best ? offerLines(chosen.best, policy.offerRounding) : []
  return {
    ...shared,
    decision: decide(action, isWithheld, chosen),
    byCondition,
    selected: chosen,
    maxOffer: chosen.maxOffer,
    recommendedOffer: chosen.recommendedOffer,
    reasons: offerReasons(lines, findings, chosen, policy),
  }
}

/** A lock that a source knows of counts like one that somebody saw. */
function withReportedLock(defects: readonly DefectCode[], lookup: LookupResultWire | null): readonly DefectCode[] {
  if (!lookup?.activation_lock || defects.includes('activation_locked')) return defects
  return [...defects, 'activation_locked']
}

function collectFindings(facts: AppraisalFacts, defects: readonly DefectRule[]): OfferFinding[] {
  const { identity, lookup, value: worth, policy, condition } = facts
  const findings = riskFindings(lookup, policy)
  if (lookup && isBlacklisted(lookup)) return findings
  for (const { code, name, isSellable } of defects) {
    if (!isSellable)
      findings.push({ code, message: `${name}: it cannot be sold until that is gone.`, action: 'reject' })
  }
  for (const { message } of identity.contradictions)
    findings.push({ code: 'contradiction', message, action: 'inspect' })
  if (!identity.device) {
    findings.push({ code: 'not_identified', message: 'It is not known what device this is.', action: 'offer' })
    return findings
  }
  if (!worth?.resale) {
    findings.push({ code: 'no_price', message: 'There is no basis for a price of this device.', action: 'inspect' })
    return findings
  }
  const open = identity.unresolvedAttributes.filter(({ affectsPrice: matters }) => matters).map(({ name }) => name)
  if (open.length > 0) {
    const message = `Still open: ${open.join(', ')}. The cheapest of the variants that fit is valued.`
    findings.push({ code: 'cheapest_variant', message, action: 'offer' })
  }
  if (!condition) {
    findings.push({
      code: 'grade_not_given',
      message: 'No grade was given: this is the offer for the worst.',
      action: 'inspect',
    })
  }
  return findings
}

/** Mean days until a device is sold, from the chance in percent to sell it within 28 days. */
const MAX_DAYS_TO_SELL = 365
function daysToSell(liquidityScore: number): number {
  const chance = Math.min(0.99, Math.max(0.01, liquidityScore / 100))
  return Math.min(MAX_DAYS_TO_SELL, -28 / Math.log(1 - chance))
}

function saleMarketOf({ resale, liquidityScore, driftPerMonth }: VariantValue): SaleMarket | null {
  if (!resale) return null
  const range = (condition: Condition) => {
    const { amount, low, high } = resale[condition]
    return { median: amount, low, high }
  }
  return {
    resale: { Excellent: range('Excellent'), Good: range('Good'), Fair: range('Fair'), Poor: range('Poor') },
    daysToSell: daysToSell(liquidityScore),
    driftPerDay: driftPerMonth / (MONTH_MS / DAY_MS),
  }
}

function offerFor(
  condition: Condition,
  defects: readonly DefectRule[],
  market: SaleMarket,
  { value: worth, repairCosts: costs, policy }: AppraisalFacts,
  terms: PlanTerms,
  isWithheld: boolean,
): GradeOffer {
  const plans = listPlans({ condition, defects, market, costs, policy })
  const all = plans.plans.map((plan) => evaluatePlan(plan, market, terms))
  const reckoned = [...Map.groupBy(all, ({ plan }) => plan.name).values()].map(
    (same) => bestOutcome(same) as PlanOutcome,
  )
  const best = bestOutcome(reckoned)
  const max = isWithheld ? 0 : roundedMaxOffer(best, policy.offerRounding)
  const rate = marketBuybackPrice(
    worth?.buyback ?? null,
    gradeWithDefects(condition, defects) ?? 'Poor',
    policy.offerRounding,
  )
  return { condition, plans, outcomes: reckoned, best, maxOffer: max, recommendedOffer: Math.min(max, rate) }
}

/** What trade-in businesses pay: nobody has to offer more. A device without a grade is compared with a Poor one. */
function marketBuybackPrice(buyback: ConditionValues | null, grade: Condition, step: number): number {
  return buyback ? Math.floor(buyback[grade].amount / step) * step : Number.POSITIVE_INFINITY
}

function decide(
  action: OfferFinding['action'],
  isOfferWithheld: boolean,
  { maxOffer: max, best }: GradeOffer,
): AppraisalDecision {
  if (action === 'reject' || (max === 0 && !isOfferWithheld)) return 'reject'
  if (action === 'inspect') return 'inspect'
  return best?.plan.name === 'repair_and_sell' ? 'buy_and_repair' : 'buy'
}

function offerReasons(
  lines: readonly OfferLine[],
  findings: readonly OfferFinding[],
  chosen: GradeOffer | null,
  policy: BuyingPolicy | null,
): OfferReason[] {
  const reasons: OfferReason[] = lines.map((line) => ({ ...line, message: reasonMessage(line.code, chosen, policy) }))
  let left = lines.at(-1)?.runningTotal ?? 0
  for (const { code, message, action, withholdsOffer: withholds } of findings) {
    const amount = action === 'reject' || withholds ? -left : 0
    left += amount
    reasons.push({ code, message, amount: amount === 0 ? 0 : amount, runningTotal: left })
  }
  if (chosen && chosen.recommendedOffer < chosen.maxOffer) {
    const message = 'Trade-in businesses pay no more than this for a device of its grade.'
    reasons.push({
      code: 'going_rate',
      message,
      amount: chosen.recommendedOffer - left,
      runningTotal: chosen.recommendedOffer,
    })
  }
  return reasons
}

function reasonMessage(code: string, chosen: GradeOffer | null, policy: BuyingPolicy | null): string {
  const { plan, daysToSell: days = 0 } = chosen?.best ?? {}
  switch (code) {
    case 'resale':
      return `It sells as ${plan?.soldAs}.`
    case 'parts_value':
      return 'Its parts that work sell one by one.'
    case 'further_defects':
      return 'A buyer takes off what mending the further defects costs.'
    case 'parts':
      return `Parts for: ${plan?.repairs.join(', ')}.`
    case 'labour':
      return plan?.name === 'parts' ? 'The work of taking it apart.' : `The work for: ${plan?.repairs.join(', ')}.`
    case 'selling_fee':
      return `Selling costs ${policy?.sellingFeePercent} % of the price.`
    case 'holding':
      return `It is held for ${Math.round(days)} days until it is sold.`
    case 'market_drift':
      return `The market is expected to fall over these ${Math.round(days)} days.`
    case 'target_margin':
      return `The policy wants a margin of ${policy?.targetMarginPercent} % of the price.`
    case 'least_profit':
      return 'The policy wants at least this profit.'
    case 'loss_limit':
      return `With less to spare it would lose money more often than in ${Math.round(100 * (policy?.maxLossProbability ?? 0))} % of such deals.`
    case 'better_grade':
      return 'A better grade would be offered no more.'
    case 'nothing_left':
      return 'Nothing is left to offer.'
    default:
      return 'Offers are rounded down.'
  }
}
