import type { Markets } from '../engine/estimate.ts'
import { unobservedMarket } from '../engine/market-fit.ts'
import { METHOD } from '../engine/method.ts'
import { PRIOR_COEFFICIENTS } from '../engine/prior-coefficients.ts'
import { readFit } from './fit-record.ts'
import type { PricingStore } from './store.ts'

/** The markets that the last full pass learnt; those of the prior alone where none was, or one of another engine. */
export async function readMarkets(
  store: Pick<PricingStore, 'fits'>,
  now: number,
): Promise<{ markets: Markets; fittedAt: number }> {
  const fits = (await store.fits()).filter(({ method }) => method === METHOD)
  const read = (trade: 'resale' | 'buyback') => {
    const fit = fits.find((each) => each.trade === trade)
    return fit && readFit(fit.document, trade, PRIOR_COEFFICIENTS)
  }
  const resale = read('resale')
  const buyback = read('buyback')
  if (resale && buyback) return { markets: { resale, buyback }, fittedAt: resale.fittedAt }
  return { markets: unobservedMarkets(now), fittedAt: 0 }
}

/** Both sides of the trade before anybody has observed a price. */
export function unobservedMarkets(now: number): Markets {
  return {
    resale: unobservedMarket('resale', PRIOR_COEFFICIENTS, now),
    buyback: unobservedMarket('buyback', PRIOR_COEFFICIENTS, now),
  }
}
