/**
 * The sum behind an offer: the greatest amount at which the best plan still earns the policy's margin in the middle of its
 * range, and loses money no more often than the policy allows. `docs/appraisal.md` does it by hand. Amounts are minor units
 * of one currency; they stay exact until the end, and the lines are rounded so that they always add up.
 */
import type { PlanName } from '../contract/appraisal.ts'
import { CONDITIONS, type Condition } from '../contract/grades.ts'
import { normalAt, normalBelow, Z80 } from './normal.ts'
import type { Policy } from './policy.ts'

export type Range = { readonly middle: number; readonly low: number; readonly high: number }
export type ByGrade<Value> = Readonly<Record<Condition, Value>>

export type SaleMarket = {
  readonly resale: ByGrade<Range>
  /** Days until a device is sold, on average. */
  readonly daysToSell: number
  /** Where prices go (ln per day); below zero they fall. */
  readonly driftPerDay: number
}

/** What is spent on a device before it is sold. */
export type Spending = { readonly parts: Range; readonly labour: Range }
const NO_COST: Range = { middle: 0, low: 0, high: 0 }
export const NOTHING_SPENT: Spending = { parts: NO_COST, labour: NO_COST }

/** One way to make money of a device, before anybody looked what it earns. */
export type Plan = {
  readonly name: PlanName
  /** Null where it is sold for parts, at `price`. */
  readonly soldAs: Condition | null
  readonly price?: Range
  readonly repairs: readonly string[]
  readonly spending: Spending
  /** What further defects take from the price of a device that is sold with them. */
  readonly deduction: number
}

/** What the policy asks of every plan, worked out once. */
export type Terms = Policy & {
  /** So many times its lower half-range a plan must have to spare. */
  readonly safety: number
}

export function termsOf(policy: Policy): Terms {
  return { ...policy, safety: normalAt(1 - policy.mostLossProbability) / Z80 }
}

export type Reckoned = {
  readonly plan: Plan
  readonly price: number
  readonly proceeds: number
  readonly costs: {
    readonly parts: number
    readonly labour: number
    readonly fees: number
    readonly holding: number
    readonly drift: number
  }
  readonly days: number
  /** Proceeds less costs: what is there before the device itself is paid. */
  readonly net: number
  /** How far below and above `net` the 80 % range reaches. */
  readonly below: number
  readonly above: number
  /** The profit that the policy wants, and whether that is its share of the price or its least. */
  readonly margin: number
  readonly isShare: boolean
  /** The greatest offers that earn the margin, and that lose money seldom enough. */
  readonly earning: number
  readonly safe: number
  /** The greatest offer at which the plan keeps to the policy; below zero where none does. */
  readonly most: number
}

/** Waiting times are exponential: nine in ten are over before this many times the mean, one in ten before so little of it. */
const LONG_WAIT = Math.log(10)
const SHORT_WAIT = Math.log(10 / 9)

/** Independent things that can go wrong together. */
function inQuadrature(a: number, b: number, c: number, d: number): number {
  return Math.sqrt(a * a + b * b + c * c + d * d)
}

/** A plan as it stands by itself, sold at one price. */
function reckonAt(plan: Plan, price: Range, market: SaleMarket, terms: Terms): Reckoned {
  const { spending, deduction } = plan
  const proceeds = Math.max(0, price.middle - deduction)
  const days = market.daysToSell
  const lostPerDay = -Math.min(0, market.driftPerDay)
  const parts = spending.parts.middle
  const labour = spending.labour.middle
  const fees = (proceeds * terms.sellingFeePercent) / 100
  const holding = days * terms.holdingCostPerDay
  const drift = proceeds * (1 - Math.exp(-lostPerDay * days))
  const net = proceeds - parts - labour - fees - holding - drift
  const costOfWaiting = (terms.holdingCostPerDay + proceeds * lostPerDay) * days
  const below = inQuadrature(
    price.middle - price.low,
    spending.parts.high - parts,
    spending.labour.high - labour,
    costOfWaiting * (LONG_WAIT - 1),
  )
  const above = inQuadrature(
    price.high - price.middle,
    parts - spending.parts.low,
    labour - spending.labour.low,
    costOfWaiting * (1 - SHORT_WAIT),
  )
  const share = (proceeds * terms.targetMarginPercent) / 100
  const margin = Math.max(share, terms.leastProfit)
  const earning = net - margin
  const safe = net - terms.safety * below
  return {
    plan,
    price: price.middle,
    proceeds,
    costs: { parts, labour, fees, holding, drift },
    days,
    net,
    below,
    above,
    margin,
    isShare: share > terms.leastProfit,
    earning,
    safe,
    most: Math.min(earning, safe),
  }
}

/**
 * A plan that sells by grade. Ranges of neighbouring grades are estimated each for itself, and a narrow one can make a worse
 * grade look safer than a better one: so a grade is never worth more than any better one would be with the same costs.
 */
export function reckon(plan: Plan, market: SaleMarket, terms: Terms): Reckoned {
  if (plan.soldAs === null) return reckonAt(plan, plan.price ?? NO_COST, market, terms)
  const own = reckonAt(plan, market.resale[plan.soldAs], market, terms)
  let most = own.most
  for (const better of CONDITIONS) {
    if (better === plan.soldAs) break
    most = Math.min(most, reckonAt(plan, market.resale[better], market, terms).most)
  }
  return most === own.most ? own : { ...own, most }
}

/** The plan with the greatest offer; of equal ones the first, which is the one with the least work. */
export function bestOf(plans: readonly Reckoned[]): Reckoned | undefined {
  return plans.reduce<Reckoned | undefined>((best, plan) => (best && best.most >= plan.most ? best : plan), undefined)
}

/** Rounded down to a step, and never below zero. */
export function greatestOffer(best: Reckoned | undefined, step: number): number {
  return best ? Math.max(0, Math.floor(best.most / step) * step) : 0
}

export type Amount = { readonly code: string; readonly amount: number; readonly left: number }

/** From what it sells for to what is left, each step exact. */
function linesOf({ plan, price, proceeds, costs, margin, isShare, earning, safe, most }: Reckoned) {
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
export function addUp(best: Reckoned, step: number): Amount[] {
  const lines: Amount[] = []
  let exact = 0
  let left = 0
  const add = (code: string, to: number) => {
    if (to !== left) lines.push({ code, amount: to - left, left: to })
    left = to
  }
  for (const [code, amount] of linesOf(best)) {
    exact += amount
    add(code, Math.round(exact))
  }
  if (left < 0) add('nothing_left', 0)
  add('rounding', greatestOffer(best, step))
  return lines
}

export type Outlook = {
  readonly profit: number
  readonly low: number
  readonly high: number
  readonly lossProbability: number
}

/** What a plan earns when the device was paid so much. */
export function outlook({ net, below, above }: Reckoned, paid: number): Outlook {
  const profit = net - paid
  const lossProbability = below === 0 ? (profit < 0 ? 1 : 0) : normalBelow((-profit * Z80) / below)
  return { profit, low: profit - below, high: profit + above, lossProbability }
}
