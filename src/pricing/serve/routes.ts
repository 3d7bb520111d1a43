import { getPricing } from '../../contract/endpoints.ts'
import { HISTORY_DAYS, type PricingType, type VariantPricingWire } from '../../contract/pricing.ts'
import { priceVariants } from '../../contract/pricing-batch.ts'
import { DOLLARS, type Exchange } from '../../currency/exchange.ts'
import { pricingIn } from '../../currency/in-currency.ts'
import type { Rates } from '../../currency/rates.ts'
import { excerpt, notFound } from '../../errors.ts'
import { type Answer, type ApiRoute, route } from '../../http/context.ts'
import type { ReadyAnswer } from '../../http/ready.ts'
import { presentPricing } from './present.ts'
import { priceMany } from './price-many.ts'
import type { Quotes } from './quotes.ts'

/** What one variant is worth. `condition` and `days` are accepted and have no effect, as the document says. */
export function pricingRoutes(
  quotes: Pick<Quotes<ReadyAnswer>, 'find' | 'quoteOf'>,
  rates: Pick<Rates, 'exchange'>,
  nearest: (variantId: string) => readonly string[],
): ApiRoute[] {
  return [
    route(getPricing, (c) => {
      const { variant_id: variantId, pricing_type: type, history_days: days, currency } = c.get('query')
      const exchange = rates.exchange(currency)
      if (exchange !== DOLLARS || days !== HISTORY_DAYS.default) return asAsked(variantId, type, days, exchange)
      const answer = quotes.find(variantId, type)
      if (answer instanceof Promise) return answer.then((found) => found ?? missing(variantId))
      return answer ?? missing(variantId)
    }),
    route(priceVariants, async (c) => {
      const { variant_ids: ids, pricing_type: type, currency } = c.get('body')
      const exchange = rates.exchange(currency)
      return { data: await priceMany(ids, (id) => priceOf(id, type, HISTORY_DAYS.default, exchange)) }
    }),
  ]

  /** Made for this call alone: few ask for another currency or history, and rates change by themselves. */
  async function asAsked(variantId: string, type: PricingType, days: number, exchange: Exchange): Promise<Answer> {
    return { data: await priceOf(variantId, type, days, exchange) }
  }

  async function priceOf(
    variantId: string,
    type: PricingType,
    days: number,
    exchange: Exchange,
  ): Promise<VariantPricingWire> {
    const { device, variant, quote } = (await quotes.quoteOf(variantId, days)) ?? missing(variantId)
    const pricing = presentPricing(device, variant, quote, type)
    return exchange === DOLLARS ? pricing : pricingIn(pricing, exchange)
  }

  function missing(variantId: string): never {
    throw notFound(`Variant ${excerpt(variantId)}`, nearest(variantId))
  }
}
