import type { Decision } from '../contract/appraisal.ts'
import type { DefectCode } from '../contract/defects.ts'
import { CONDITIONS, type Condition } from '../contract/grades.ts'
import type { LookupResultWire } from '../contract/imei.ts'
import type { SideWorth, Worth } from '../pricing/serve/device-quotes.ts'
import { DAY_MS, MONTH_MS } from '../time.ts'
import { type Defect, defectsOf, gradeWith } from './defect.ts'
import type { Identity } from './identity.ts'
import type { RepairCosts } from './mending.ts'
import { type Plans, plansFor } from './plans.ts'
import type { Policy } from './policy.ts'
import { type Finding, isListed, riskFindings, strictest } from './risk-verdict.ts'
import {
  type Amount,
  addUp,
  bestOf,
  greatestOffer,
  type Reckoned,
  reckon,
  type SaleMarket,
  type Terms,
  termsOf,
} from './sum.ts'

/** Version of the sum and of what surrounds it; it changes whenever the same facts would give another offer. */
export const APPRAISAL_METHOD = 'greatest-offer/1'

/** Everything an appraisal rests on; amounts in one currency. */
export type AppraisalFacts = {
  readonly identity: Identity
  readonly lookup: LookupResultWire | null
  /** Null where nobody knows a price, or what the device is. */
  readonly worth: Worth | null
  readonly costs: RepairCosts
  readonly policy: Policy
  readonly condition: Condition | undefined
  readonly defects: readonly DefectCode[]
}

export type Reason = Amount & { readonly message: string }

export type GradeOffer = {
  readonly condition: Condition
  readonly plans: Plans
  /** The best of each kind. */
  readonly reckoned: readonly Reckoned[]
  readonly best: Reckoned | undefined
  readonly max: number
  readonly recommended: number
}

export type Appraised = {
  readonly decision: Decision
  readonly conditions: readonly Condition[]
  readonly defects: readonly DefectCode[]
  /** Best first; empty where there is no price. */
  readonly byCondition: readonly GradeOffer[]
  /** The one that the offer is for. */
  readonly chosen: GradeOffer | undefined
  readonly max: number | null
  readonly recommended: number | null
  readonly reasons: readonly Reason[]
}

/** From facts to a decision. The same facts always give the same appraisal. */
export function appraise(facts: AppraisalFacts): Appraised {
  const { identity, lookup, worth, policy } = facts
  const codes = withLock(facts.defects, lookup)
  const defects = defectsOf(codes)
  const conditions = facts.condition ? [facts.condition] : CONDITIONS
  const findings = findingsOf(facts, defects)
  const action = strictest(findings)
  const market = worth && marketOf(worth)
  const shared = { conditions, defects: codes }
  if (!market || !identity.device) {
    const isRefused = action === 'reject'
    const reasons = reasonsOf([], findings, null, null)
    const decision = isRefused ? 'reject' : identity.device ? 'inspect' : 'identify'
    const max = isRefused ? 0 : null
    return { ...shared, decision, byCondition: [], chosen: undefined, max, recommended: max, reasons }
  }
  const isWithheld = action === 'reject' || findings.some(({ withholds }) => withholds)
  const terms = termsOf(policy)
  const byCondition = conditions.map((condition) => offerFor(condition, defects, market, facts, terms, isWithheld))
  const chosen = byCondition.at(-1) as GradeOffer
  const lines = chosen.best ? addUp(chosen.best, policy.offerRounding) : []
  return {
    ...shared,
    decision: decide(action, isWithheld, chosen),
    byCondition,
    chosen,
    max: chosen.max,
    recommended: chosen.recommended,
    reasons: reasonsOf(lines, findings, chosen, policy),
  }
}

/** A lock that a source knows of counts like one that somebody saw. */
function withLock(defects: readonly DefectCode[], lookup: LookupResultWire | null): readonly DefectCode[] {
  if (!lookup?.activation_lock || defects.includes('activation_locked')) return defects
  return [...defects, 'activation_locked']
}

function findingsOf(facts: AppraisalFacts, defects: readonly Defect[]): Finding[] {
  const { identity, lookup, worth, policy, condition } = facts
  const findings = riskFindings(lookup, policy)
  if (lookup && isListed(lookup)) return findings
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
  const open = identity.open.filter(({ matters }) => matters).map(({ name }) => name)
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
const LONGEST_DAYS = 365
function daysToSell(liquidityScore: number): number {
  const chance = Math.min(0.99, Math.max(0.01, liquidityScore / 100))
  return Math.min(LONGEST_DAYS, -28 / Math.log(1 - chance))
}

function marketOf({ resale, liquidityScore, driftPerMonth }: Worth): SaleMarket | null {
  if (!resale) return null
  const range = (condition: Condition) => {
    const { amount, low, high } = resale[condition]
    return { middle: amount, low, high }
  }
  return {
    resale: { Excellent: range('Excellent'), Good: range('Good'), Fair: range('Fair'), Poor: range('Poor') },
    daysToSell: daysToSell(liquidityScore),
    driftPerDay: driftPerMonth / (MONTH_MS / DAY_MS),
  }
}

function offerFor(
  condition: Condition,
  defects: readonly Defect[],
  market: SaleMarket,
  { worth, costs, policy }: AppraisalFacts,
  terms: Terms,
  isWithheld: boolean,
): GradeOffer {
  const plans = plansFor({ condition, defects, market, costs, policy })
  const all = plans.plans.map((plan) => reckon(plan, market, terms))
  const reckoned = [...Map.groupBy(all, ({ plan }) => plan.name).values()].map((same) => bestOf(same) as Reckoned)
  const best = bestOf(reckoned)
  const max = isWithheld ? 0 : greatestOffer(best, policy.offerRounding)
  const rate = goingRate(worth?.buyback ?? null, gradeWith(condition, defects) ?? 'Poor', policy.offerRounding)
  return { condition, plans, reckoned, best, max, recommended: Math.min(max, rate) }
}

/** What trade-in businesses pay: nobody has to offer more. A device without a grade is compared with a Poor one. */
function goingRate(buyback: SideWorth | null, grade: Condition, step: number): number {
  return buyback ? Math.floor(buyback[grade].amount / step) * step : Number.POSITIVE_INFINITY
}

function decide(action: Finding['action'], isWithheld: boolean, { max, best }: GradeOffer): Decision {
  if (action === 'reject' || (max === 0 && !isWithheld)) return 'reject'
  if (action === 'inspect') return 'inspect'
  return best?.plan.name === 'repair_and_sell' ? 'buy_and_repair' : 'buy'
}

function reasonsOf(
  lines: readonly Amount[],
  findings: readonly Finding[],
  chosen: GradeOffer | null,
  policy: Policy | null,
): Reason[] {
  const reasons: Reason[] = lines.map((line) => ({ ...line, message: sayLine(line.code, chosen, policy) }))
  let left = lines.at(-1)?.left ?? 0
  for (const { code, message, action, withholds } of findings) {
    const amount = action === 'reject' || withholds ? -left : 0
    left += amount
    reasons.push({ code, message, amount: amount === 0 ? 0 : amount, left })
  }
  if (chosen && chosen.recommended < chosen.max) {
    const message = 'Trade-in businesses pay no more than this for a device of its grade.'
    reasons.push({ code: 'going_rate', message, amount: chosen.recommended - left, left: chosen.recommended })
  }
  return reasons
}

function sayLine(code: string, chosen: GradeOffer | null, policy: Policy | null): string {
  const { plan, days = 0 } = chosen?.best ?? {}
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
      return `With less to spare it would lose money more often than in ${Math.round(100 * (policy?.mostLossProbability ?? 0))} % of such deals.`
    case 'better_grade':
      return 'A better grade would be offered no more.'
    case 'nothing_left':
      return 'Nothing is left to offer.'
    default:
      return 'Offers are rounded down.'
  }
}
