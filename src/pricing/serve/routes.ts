import { getPricing } from '../../contract/endpoints.ts'
import type { PricingType } from '../../contract/pricing.ts'
import { DOLLARS, type Exchange } from '../../currency/exchange.ts'
import { pricingIn } from '../../currency/in-currency.ts'
import type { Rates } from '../../currency/rates.ts'
import { excerpt, notFound } from '../../errors.ts'
import { type Answer, type ApiRoute, route } from '../../http/context.ts'
import type { ReadyAnswer } from '../../http/ready.ts'
import { presentPricing } from './present.ts'
import type { Quotes } from './quotes.ts'

/** What one variant is worth. `condition` and `days` are accepted and have no effect, as the document says. */
export function pricingRoutes(
  quotes: Pick<Quotes<ReadyAnswer>, 'find' | 'quoteOf'>,
  rates: Pick<Rates, 'exchange'>,
): ApiRoute[] {
  return [
    route(getPricing, (c) => {
      const { variant_id: variantId, pricing_type: type, currency } = c.get('query')
      const exchange = rates.exchange(currency)
      if (exchange !== DOLLARS) return converted(variantId, type, exchange)
      const answer = quotes.find(variantId, type)
      if (answer instanceof Promise) return answer.then((found) => found ?? missing(variantId))
      return answer ?? missing(variantId)
    }),
  ]

  /** Made for this call alone: few ask for it, and rates change by themselves. */
  async function converted(variantId: string, type: PricingType, exchange: Exchange): Promise<Answer> {
    const { device, variant, quote } = (await quotes.quoteOf(variantId)) ?? missing(variantId)
    return { data: pricingIn(presentPricing(device, variant, quote, type), exchange) }
  }
}

function missing(variantId: string): never {
  throw notFound(`Variant ${excerpt(variantId)}`)
}
