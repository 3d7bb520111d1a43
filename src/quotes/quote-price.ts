import type { AppraisalPreviewWire } from '../contract/appraisal.ts'
import type { QuoteOfferWire, QuoteReason } from '../contract/quotes.ts'
import type { TradeInWire } from '../contract/trade-in.ts'

/** Facts of an appraisal that a quote rests on. */
type QuotableAppraisal = Pick<AppraisalPreviewWire, 'defects' | 'trade_in' | 'value'> & {
  readonly offer: Pick<AppraisalPreviewWire['offer'], 'decision' | 'recommended_offer' | 'reasons'>
}

type PriceTerms = Pick<TradeInWire, 'share_percent' | 'rounding' | 'max_price'>

/** An uncertain price is told as a range, not as a number. */
const UNCERTAIN = 'low_price_confidence'

const without = (kind: 'in_person' | 'not_bought', reason: QuoteReason): QuoteOfferWire => ({
  kind,
  price: null,
  low: null,
  high: null,
  reason,
})

export const NOT_BOUGHT_HERE = without('not_bought', 'device_not_bought')

/** What the page offers for a device that the counter would appraise like this. */
export function quoteOffer(appraisal: QuotableAppraisal, terms: PriceTerms): QuoteOfferWire {
  const { decision, recommended_offer: counterOffer, reasons } = appraisal.offer
  if (decision === 'reject')
    return without('not_bought', appraisal.defects.includes('activation_locked') ? 'account_locked' : 'no_offer')
  if (counterOffer === null) return without('in_person', 'price_uncertain')
  const share = (amount: number) => {
    const shared = (amount * terms.share_percent) / 100
    return Math.floor(shared / terms.rounding) * terms.rounding
  }
  const price = share(counterOffer)
  if (decision === 'inspect' || decision === 'identify') {
    const isOnlyUncertain = reasons.some(({ code }) => code === UNCERTAIN)
    const spread = relativeRange(appraisal)
    if (!isOnlyUncertain || !spread || price === 0) return without('in_person', 'to_inspect')
    const [low, high] = [share(counterOffer * spread.low), share(counterOffer * spread.high)]
    if (high > terms.max_price) return without('in_person', 'above_limit')
    return { kind: 'range', price: null, low, high, reason: 'price_uncertain' }
  }
  if (price === 0) return without('not_bought', 'no_offer')
  if (price > terms.max_price) return without('in_person', 'above_limit')
  return { kind: 'price', price, low: null, high: null, reason: null }
}

/** Ends of the 80 % range of the market relative to its middle. */
function relativeRange({ trade_in: tradeIn, value }: QuotableAppraisal): { low: number; high: number } | null {
  const estimate = tradeIn ?? value.at(-1)?.resale
  if (!estimate || estimate.amount === 0) return null
  return { low: estimate.low / estimate.amount, high: estimate.high / estimate.amount }
}
