import type { AppraisalPreviewWire } from '../../../src/contract/appraisal.ts'
import { normalCdf, Z80 } from '../../../src/lib/normal-distribution.ts'

/** A value with its 80 % interval, which may reach further to one side. */
type Estimate = { readonly median: number; readonly low: number; readonly high: number }

/** Everything the negotiation needs, in minor units. */
export type NegotiationBasis = {
  /** What the device brings after all costs but the purchase. */
  readonly proceeds: Estimate
  readonly maxOffer: number
  readonly recommendedOffer: number
  /** What trade-in businesses pay; null if unknown. */
  readonly rivals: Estimate | null
  readonly step: number
}

export type Standing = 'recommended' | 'within_policy' | 'above_limit' | 'expected_loss'

export type NegotiationOutlook = {
  readonly profit: number
  readonly profitLow: number
  readonly profitHigh: number
  readonly lossProbability: number
  /** Share of trade-in businesses that pay less; null if unknown. */
  readonly beaten: number | null
  readonly standing: Standing
}

/** Null where there is nothing to negotiate about: no offer, no plan or no grade. */
export function negotiationBasis(preview: AppraisalPreviewWire): NegotiationBasis | null {
  const { offer, plans, trade_in: tradeIn, policy } = preview
  const plan = plans?.find((each) => each.plan === offer.plan)
  const isOpen = offer.decision === 'buy' || offer.decision === 'buy_and_repair' || offer.decision === 'inspect'
  if (!plan || !policy || !isOpen || !offer.max_offer || offer.recommended_offer === null) return null
  // The plan is evaluated at the maximum offer.
  const median = plan.expected_profit + offer.max_offer
  return {
    proceeds: { median, low: plan.range.low + offer.max_offer, high: plan.range.high + offer.max_offer },
    maxOffer: offer.max_offer,
    recommendedOffer: offer.recommended_offer,
    rivals: tradeIn && { median: tradeIn.amount, low: tradeIn.low, high: tradeIn.high },
    step: policy.offer_rounding,
  }
}

/** Probability that a value lies below `limit`; each side of the median has its own spread. */
function probabilityBelow({ median, low, high }: Estimate, limit: number): number {
  const spread = limit < median ? median - low : high - median
  if (spread <= 0) return limit > median ? 1 : limit < median ? 0 : 0.5
  return normalCdf(((limit - median) * Z80) / spread)
}

export function outlookAt(basis: NegotiationBasis, price: number): NegotiationOutlook {
  const { proceeds, rivals, maxOffer, recommendedOffer } = basis
  return {
    profit: proceeds.median - price,
    profitLow: proceeds.low - price,
    profitHigh: proceeds.high - price,
    // The service judges losses by the lower spread on both sides, so the same is done here.
    lossProbability: probabilityBelow({ ...proceeds, high: 2 * proceeds.median - proceeds.low }, price),
    beaten: rivals && probabilityBelow(rivals, price),
    standing:
      price <= recommendedOffer
        ? 'recommended'
        : price <= maxOffer
          ? 'within_policy'
          : price <= proceeds.median
            ? 'above_limit'
            : 'expected_loss',
  }
}

/** Ends of the scale: everything worth looking at, in whole steps. */
export function negotiationScale({ proceeds, rivals, maxOffer, recommendedOffer, step }: NegotiationBasis) {
  const below = Math.min(
    proceeds.median - 2 * (proceeds.median - proceeds.low),
    rivals?.low ?? maxOffer,
    recommendedOffer,
  )
  const above = Math.max(proceeds.median + 2 * (proceeds.high - proceeds.median), rivals?.high ?? 0, maxOffer)
  return {
    from: Math.max(0, Math.floor((0.9 * below) / step) * step),
    to: Math.ceil((1.05 * above) / step) * step,
  }
}

/** Height of the distribution of the proceeds, 1 at its peak. */
export function density({ median, low, high }: Estimate, value: number): number {
  const spread = Math.max(1, (value < median ? median - low : high - median) / Z80)
  return Math.exp(-0.5 * ((value - median) / spread) ** 2)
}
