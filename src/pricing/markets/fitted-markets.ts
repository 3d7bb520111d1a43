import type { FittedMarkets } from '../model/estimate.ts'
import { priorMarket } from '../model/market-fit.ts'
import { PRICING_METHOD } from '../model/method.ts'
import { PRIOR_COEFFICIENTS } from '../model/prior-coefficients.ts'
import { parseMarket } from './market-document.ts'
import type { PricingStore } from './pricing-store.ts'

/** The markets that the last full pass learnt; those of the prior alone where none was, or one of another engine. */
export async function loadFittedMarkets(
  store: Pick<PricingStore, 'fits'>,
  now: number,
): Promise<{ markets: FittedMarkets; fittedAt: number }> {
  const fits = (await store.fits()).filter(({ method }) => method === PRICING_METHOD)
  const read = (trade: 'resale' | 'buyback') => {
    const fit = fits.find((each) => each.trade === trade)
    return fit && parseMarket(fit.document, trade, PRIOR_COEFFICIENTS)
  }
  const resale = read('resale')
  const buyback = read('buyback')
  if (resale && buyback) return { markets: { resale, buyback }, fittedAt: resale.fittedAt }
  return { markets: priorMarkets(now), fittedAt: 0 }
}

/** Both sides of the trade before anybody has observed a price. */
export function priorMarkets(now: number): FittedMarkets {
  return {
    resale: priorMarket('resale', PRIOR_COEFFICIENTS, now),
    buyback: priorMarket('buyback', PRIOR_COEFFICIENTS, now),
  }
}
