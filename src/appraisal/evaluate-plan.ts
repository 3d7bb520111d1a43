/**
 * The sum behind an offer: the greatest amount at which the best plan still earns the policy's margin in the middle of its
 * range, and loses money no more often than the policy allows. `docs/appraisal.md` does it by hand. Amounts are minor units
 * of one currency; they stay exact until the end, and the lines are rounded so that they always add up.
 */
import type { PlanName } from '../contract/appraisal.ts'
import { CONDITIONS, type Condition } from '../contract/condition-grades.ts'
import { inverseNormalCdf, normalCdf, Z80 } from './normal-distribution.ts'
import type { BuyingPolicy } from './policy.ts'

export type Estimate80 = { readonly median: number; readonly low: number; readonly high: number }
export type ByGrade<Value> = Readonly<Record<Condition, Value>>

export type SaleMarket = {
  readonly resale: ByGrade<Estimate80>
  /** Days until a device is sold, on average. */
  readonly daysToSell: number
  /** Where prices go (ln per day); below zero they fall. */
  readonly driftPerDay: number
}

/** What is spent on a device before it is sold. */
export type RepairSpending = { readonly parts: Estimate80; readonly labour: Estimate80 }
const ZERO: Estimate80 = { median: 0, low: 0, high: 0 }
export const NO_SPENDING: RepairSpending = { parts: ZERO, labour: ZERO }

/** One way to make money of a device, before anybody looked what it earns. */
export type Plan = {
  readonly name: PlanName
  /** Null where it is sold for parts, at `price`. */
  readonly soldAs: Condition | null
  readonly price?: Estimate80
  readonly repairs: readonly string[]
  readonly spending: RepairSpending
  /** What further defects take from the price of a device that is sold with them. */
  readonly deduction: number
}

/** What the policy asks of every plan, worked out once. */
export type PlanTerms = BuyingPolicy & {
  /** So many times its lower half-range a plan must have to spare. */
  readonly riskMultiplier: number
}

export function planTerms(policy: BuyingPolicy): PlanTerms {
  return { ...policy, riskMultiplier: inverseNormalCdf(1 - policy.maxLossProbability) / Z80 }
}

export type PlanOutcome = {
  readonly plan: Plan
  readonly salePrice: number
  readonly proceeds: number
  readonly costs: {
    readonly parts: number
    readonly labour: number
    readonly fees: number
    readonly holding: number
    readonly drift: number
  }
  readonly daysToSell: number
  /** Proceeds less costs: what is there before the device itself is paid. */
  readonly netProceeds: number
  /** How far below and above `net` the 80 % range reaches. */
  readonly downside80: number
  readonly upside80: number
  /** The profit that the policy wants, and whether that is its share of the price or its least. */
  readonly requiredProfit: number
  readonly isMarginRequired: boolean
  /** The greatest offers that earn the margin, and that lose money seldom enough. */
  readonly marginCap: number
  readonly riskCap: number
  /** The greatest offer at which the plan keeps to the policy; below zero where none does. */
  readonly maxOffer: number
}

/** Waiting times are exponential: nine in ten are over before this many times the mean, one in ten before so little of it. */
const WAIT_QUANTILE_90 = Math.log(10)
const WAIT_QUANTILE_10 = Math.log(10 / 9)

/** Independent things that can go wrong together. */
function inQuadrature(a: number, b: number, c: number, d: number): number {
  return Math.sqrt(a * a + b * b + c * c + d * d)
}

/** A plan as it stands by itself, sold at one price. */
function evaluateAtPrice(plan: Plan, price: Estimate80, market: SaleMarket, terms: PlanTerms): PlanOutcome {
  const { spending, deduction } = plan
  const proceeds = Math.max(0, price.median - deduction)
  const days = market.daysToSell
  const lostPerDay = -Math.min(0, market.driftPerDay)
  const parts = spending.parts.median
  const labour = spending.labour.median
  const fees = (proceeds * terms.sellingFeePercent) / 100
  const holding = days * terms.holdingCostPerDay
  const drift = proceeds * (1 - Math.exp(-lostPerDay * days))
  const net = proceeds - parts - labour - fees - holding - drift
  const costOfWaiting = (terms.holdingCostPerDay + proceeds * lostPerDay) * days
  const below = inQuadrature(
    price.median - price.low,
    spending.parts.high - parts,
    spending.labour.high - labour,
    costOfWaiting * (WAIT_QUANTILE_90 - 1),
  )
  const above = inQuadrature(
    price.high - price.median,
    parts - spending.parts.low,
    labour - spending.labour.low,
    costOfWaiting * (1 - WAIT_QUANTILE_10),
  )
  const share = (proceeds * terms.targetMarginPercent) / 100
  const margin = Math.max(share, terms.minProfit)
  const earning = net - margin
  const safe = net - terms.riskMultiplier * below
  return {
    plan,
    salePrice: price.median,
    proceeds,
    costs: { parts, labour, fees, holding, drift },
    daysToSell: days,
    netProceeds: net,
    downside80: below,
    upside80: above,
    requiredProfit: margin,
    isMarginRequired: share > terms.minProfit,
    marginCap: earning,
    riskCap: safe,
    maxOffer: Math.min(earning, safe),
  }
}

/**
 * A plan that sells by grade. Ranges of neighbouring grades are estimated each for itself, and a narrow one can make a worse
 * grade look safer than a better one: so a grade is never worth more than any better one would be with the same costs.
 */
export function evaluatePlan(plan: Plan, market: SaleMarket, terms: PlanTerms): PlanOutcome {
  if (plan.soldAs === null) return evaluateAtPrice(plan, plan.price ?? ZERO, market, terms)
  const own = evaluateAtPrice(plan, market.resale[plan.soldAs], market, terms)
  let most = own.maxOffer
  for (const better of CONDITIONS) {
    if (better === plan.soldAs) break
    most = Math.min(most, evaluateAtPrice(plan, market.resale[better], market, terms).maxOffer)
  }
  return most === own.maxOffer ? own : { ...own, maxOffer: most }
}

/** The plan with the greatest offer; of equal ones the first, which is the one with the least work. */
export function bestOutcome(plans: readonly PlanOutcome[]): PlanOutcome | undefined {
  return plans.reduce<PlanOutcome | undefined>(
    (best, plan) => (best && best.maxOffer >= plan.maxOffer ? best : plan),
    undefined,
  )
}

/** Rounded down to a step, and never below zero. */
export function roundedMaxOffer(best: PlanOutcome | undefined, step: number): number {
  return best ? Math.max(0, Math.floor(best.maxOffer / step) * step) : 0
}

export type OfferLine = { readonly code: string; readonly amount: number; readonly runningTotal: number }

/** From what it sells for to what is left, each step exact. */
function exactLines({
  plan,
  salePrice: price,
  proceeds,
  costs,
  requiredProfit: margin,
  isMarginRequired: isShare,
  marginCap: earning,
  riskCap: safe,
  maxOffer: most,
}: PlanOutcome) {
  return [
    [plan.soldAs === null ? 'parts_value' : 'resale', price],
    ['further_defects', proceeds - price],
    ['parts', -costs.parts],
    ['labour', -costs.labour],
    ['selling_fee', -costs.fees],
    ['holding', -costs.holding],
    ['market_drift', -costs.drift],
    [isShare ? 'target_margin' : 'least_profit', -margin],
    ['loss_limit', Math.min(0, safe - earning)],
    ['better_grade', most - Math.min(earning, safe)],
  ] as const
}

/** The lines in whole minor units. Each running total is rounded, not each line, so that no cent is lost or made. */
export function offerLines(best: PlanOutcome, step: number): OfferLine[] {
  const lines: OfferLine[] = []
  let exact = 0
  let left = 0
  const add = (code: string, to: number) => {
    if (to !== left) lines.push({ code, amount: to - left, runningTotal: to })
    left = to
  }
  for (const [code, amount] of exactLines(best)) {
    exact += amount
    add(code, Math.round(exact))
  }
  if (left < 0) add('nothing_left', 0)
  add('rounding', roundedMaxOffer(best, step))
  return lines
}

export type ProfitOutlook = {
  readonly profit: number
  readonly low: number
  readonly high: number
  readonly lossProbability: number
}

/** What a plan earns when the device was paid so much. */
export function profitOutlook(
  { netProceeds: net, downside80: below, upside80: above }: PlanOutcome,
  pricePaid: number,
): ProfitOutlook {
  const profit = net - pricePaid
  const lossProbability = below === 0 ? (profit < 0 ? 1 : 0) : normalCdf((-profit * Z80) / below)
  return { profit, low: profit - below, high: profit + above, lossProbability }
}
