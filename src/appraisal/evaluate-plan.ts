/**
 * The calculation behind an offer: the highest amount at which the best plan still earns the policy's margin at the median
 * and loses money no more often than the policy allows. `docs/appraisal.md` works through an example. Amounts are minor
 * units of one currency and stay exact until the end.
 */
import type { PlanName } from '../contract/appraisal.ts'
import { CONDITIONS, type Condition } from '../contract/condition-grades.ts'
import { inverseNormalCdf, normalCdf, Z80 } from '../lib/normal-distribution.ts'
import type { BuyingPolicy } from './policy.ts'

export type Estimate80 = { readonly median: number; readonly low: number; readonly high: number }
export type ByGrade<Value> = Readonly<Record<Condition, Value>>

export type SaleMarket = {
  readonly resale: ByGrade<Estimate80>
  /** Mean days until a device is sold. */
  readonly daysToSell: number
  /** Expected price change (ln per day); negative when prices fall. */
  readonly driftPerDay: number
}

/** Repair costs before the sale. */
export type RepairSpending = { readonly parts: Estimate80; readonly labour: Estimate80 }
const ZERO: Estimate80 = { median: 0, low: 0, high: 0 }
export const NO_SPENDING: RepairSpending = { parts: ZERO, labour: ZERO }

/** One way to sell a device, not yet evaluated. */
export type Plan = {
  readonly name: PlanName
  /** Grade it is sold as; null for parts and for devices that have no grade. */
  readonly soldAs: Condition | null
  readonly repairs: readonly string[]
  readonly spending: RepairSpending
  readonly sale: Sale
}

type Sale =
  | { readonly parts: Estimate80 }
  | {
      readonly condition: Condition
      /** Price of a device of this condition without the remaining defects. */
      readonly workingPrice: number
      /** Prices with the remaining defects, for every condition. */
      readonly prices: ByGrade<Estimate80>
    }

/** The policy with its derived risk multiplier, calculated once. */
export type PlanTerms = BuyingPolicy & {
  /** Safety margin of a plan as a multiple of `downside80`. */
  readonly riskMultiplier: number
}

export function planTerms(policy: BuyingPolicy): PlanTerms {
  return { ...policy, riskMultiplier: inverseNormalCdf(1 - policy.max_loss_probability) / Z80 }
}

export type PlanOutcome = {
  readonly plan: Plan
  /** Price before the deduction for defects that are not repaired. */
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
  /** Proceeds minus costs, before paying for the device. */
  readonly netProceeds: number
  /** Half-widths of the 80 % interval around `netProceeds`. */
  readonly downside80: number
  readonly upside80: number
  /** Profit the policy requires, and whether it comes from the margin percentage or the minimum profit. */
  readonly requiredProfit: number
  readonly requiredBy: 'target_margin' | 'min_profit'
  /** Highest offer that still earns the required profit at the median. */
  readonly marginCap: number
  /** Highest offer that keeps the probability of a loss within the policy. */
  readonly riskCap: number
  /** Highest offer that satisfies the policy; negative if there is none. */
  readonly maxOffer: number
}

/** Quantiles of the exponential waiting time, as multiples of its mean. */
const WAIT_QUANTILE_90 = Math.log(10)
const WAIT_QUANTILE_10 = Math.log(10 / 9)

/** Combines independent uncertainties. */
function inQuadrature(a: number, b: number, c: number, d: number): number {
  return Math.sqrt(a * a + b * b + c * c + d * d)
}

/** Evaluates a plan sold at one price. */
function evaluateAtPrice(plan: Plan, price: Estimate80, market: SaleMarket, terms: PlanTerms): PlanOutcome {
  const { spending } = plan
  const proceeds = price.median
  const days = market.daysToSell
  const declinePerDay = -Math.min(0, market.driftPerDay)
  const parts = spending.parts.median
  const labour = spending.labour.median
  const fees = (proceeds * terms.selling_fee_percent) / 100
  const holding = days * terms.holding_cost_per_day
  const drift = proceeds * (1 - Math.exp(-declinePerDay * days))
  const netProceeds = proceeds - parts - labour - fees - holding - drift
  const costOfWaiting = (terms.holding_cost_per_day + proceeds * declinePerDay) * days
  const downside80 = inQuadrature(
    price.median - price.low,
    spending.parts.high - parts,
    spending.labour.high - labour,
    costOfWaiting * (WAIT_QUANTILE_90 - 1),
  )
  const upside80 = inQuadrature(
    price.high - price.median,
    parts - spending.parts.low,
    labour - spending.labour.low,
    costOfWaiting * (1 - WAIT_QUANTILE_10),
  )
  const targetMargin = (proceeds * terms.target_margin_percent) / 100
  const requiredProfit = Math.max(targetMargin, terms.min_profit)
  const marginCap = netProceeds - requiredProfit
  const riskCap = netProceeds - terms.riskMultiplier * downside80
  return {
    plan,
    salePrice: 'parts' in plan.sale ? proceeds : plan.sale.workingPrice,
    proceeds,
    costs: { parts, labour, fees, holding, drift },
    daysToSell: days,
    netProceeds,
    downside80,
    upside80,
    requiredProfit,
    requiredBy: targetMargin > terms.min_profit ? 'target_margin' : 'min_profit',
    marginCap,
    riskCap,
    maxOffer: Math.min(marginCap, riskCap),
  }
}

/**
 * Evaluates a plan. Price intervals of neighbouring grades are estimated separately, so a narrow one can make a worse grade
 * look safer than a better one; the offer is therefore capped at what any better grade would allow at the same costs.
 */
export function evaluatePlan(plan: Plan, market: SaleMarket, terms: PlanTerms): PlanOutcome {
  const { sale } = plan
  if ('parts' in sale) return evaluateAtPrice(plan, sale.parts, market, terms)
  const outcome = evaluateAtPrice(plan, sale.prices[sale.condition], market, terms)
  let maxOffer = outcome.maxOffer
  for (const betterCondition of CONDITIONS) {
    if (betterCondition === sale.condition) break
    maxOffer = Math.min(maxOffer, evaluateAtPrice(plan, sale.prices[betterCondition], market, terms).maxOffer)
  }
  return maxOffer === outcome.maxOffer ? outcome : { ...outcome, maxOffer }
}

/** The plan with the highest offer; on a tie the first, which needs the least work. */
export function bestOutcome(plans: readonly PlanOutcome[]): PlanOutcome | undefined {
  return plans.reduce<PlanOutcome | undefined>(
    (best, plan) => (best && best.maxOffer >= plan.maxOffer ? best : plan),
    undefined,
  )
}

export const floorTo = (amount: number, step: number) => Math.floor(amount / step) * step

/** Maximum offer rounded down to a multiple of `step`, never negative. */
export function roundedMaxOffer(best: PlanOutcome | undefined, step: number): number {
  return best ? Math.max(0, floorTo(best.maxOffer, step)) : 0
}

/** Codes of the lines that lead from the sale price to the maximum offer. */
export const OFFER_LINE_CODES = [
  'resale_price',
  'parts_value',
  'unrepaired_defects',
  'parts_cost',
  'labour_cost',
  'selling_fee',
  'holding_cost',
  'expected_depreciation',
  'target_margin',
  'min_profit',
  'price_risk_margin',
  'capped_by_better_condition',
  'negative_offer_set_to_zero',
  'rounding',
] as const
export type OfferLineCode = (typeof OFFER_LINE_CODES)[number]

type OfferLine = { readonly code: OfferLineCode; readonly amount: number }

/** Exact steps from the sale price to the maximum offer. */
function exactLines(outcome: PlanOutcome): readonly (readonly [OfferLineCode, number])[] {
  const { plan, salePrice, proceeds, costs, marginCap, riskCap, maxOffer } = outcome
  return [
    ['parts' in plan.sale ? 'parts_value' : 'resale_price', salePrice],
    ['unrepaired_defects', proceeds - salePrice],
    ['parts_cost', -costs.parts],
    ['labour_cost', -costs.labour],
    ['selling_fee', -costs.fees],
    ['holding_cost', -costs.holding],
    ['expected_depreciation', -costs.drift],
    [outcome.requiredBy, -outcome.requiredProfit],
    ['price_risk_margin', Math.min(0, riskCap - marginCap)],
    ['capped_by_better_condition', maxOffer - Math.min(marginCap, riskCap)],
  ]
}

/** The steps in whole minor units. Running totals are rounded, not the single amounts, so the lines always add up. */
export function offerLines(best: PlanOutcome, step: number): OfferLine[] {
  const lines: OfferLine[] = []
  let exactTotal = 0
  let runningTotal = 0
  const addUpTo = (code: OfferLineCode, total: number) => {
    if (total !== runningTotal) lines.push({ code, amount: total - runningTotal })
    runningTotal = total
  }
  for (const [code, amount] of exactLines(best)) {
    exactTotal += amount
    addUpTo(code, Math.round(exactTotal))
  }
  if (runningTotal < 0) addUpTo('negative_offer_set_to_zero', 0)
  addUpTo('rounding', roundedMaxOffer(best, step))
  return lines
}

export type ProfitOutlook = {
  readonly profit: number
  readonly low: number
  readonly high: number
  readonly lossProbability: number
}

/** Expected profit of a plan when `pricePaid` was paid for the device. */
export function profitOutlook({ netProceeds, downside80, upside80 }: PlanOutcome, pricePaid: number): ProfitOutlook {
  const profit = netProceeds - pricePaid
  const lossProbability = downside80 === 0 ? (profit < 0 ? 1 : 0) : normalCdf((-profit * Z80) / downside80)
  return { profit, low: profit - downside80, high: profit + upside80, lossProbability }
}
