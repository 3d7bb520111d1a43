import { getPricing } from '../contract/endpoints.ts'
import { listLowestPrices } from '../contract/lowest-prices.ts'
import { type CarrierLock, HISTORY_DAYS, type PricingType, type VariantPricingWire } from '../contract/pricing.ts'
import { priceVariants } from '../contract/pricing-batch.ts'
import { convertPricing } from '../currency/convert-responses.ts'
import { type Exchange, US_DOLLARS } from '../currency/exchange.ts'
import type { ExchangeRateService } from '../currency/exchange-rate-service.ts'
import { type ApiRoute, route } from '../http/context.ts'
import type { PreparedResponse } from '../http/prepared-response.ts'
import { excerpt, notFound } from '../lib/errors.ts'
import { parseMarket } from './country-market.ts'
import { priceBatch } from './quotes/batch-pricing-service.ts'
import { checkLock, quoteWithLock } from './quotes/carrier-lock.ts'
import { presentPricing } from './quotes/present.ts'
import type { PriceScope, QuoteService } from './quotes/quote-service.ts'

/** Prices of a variant. `condition` and `days` are accepted and have no effect, as the API document says. */
export function pricingRoutes(
  quotes: Pick<QuoteService<PreparedResponse>, 'findResponse' | 'quoteOf' | 'scopeOf'>,
  rates: Pick<ExchangeRateService, 'exchangeFor'>,
  nearestIds: (variantId: string) => readonly string[],
  lowestUsedPrice: (deviceId: string) => Promise<number | null>,
): ApiRoute[] {
  return [
    route(getPricing, (c) => {
      const { variant_id: variantId, pricing_type: type, history_days: days, currency, market, lock } = c.get('query')
      const exchange = rates.exchangeFor(currency)
      const scope = scopeOf(c.get('principal').organizationId, market)
      if (exchange !== US_DOLLARS || days !== HISTORY_DAYS.default || lock !== 'unlocked')
        // Not cached: few callers ask for another currency, history or lock, and rates change.
        return priceOf(variantId, type, days, exchange, scope, lock).then((data) => ({ data }))
      const response = quotes.findResponse(variantId, type, scope)
      if (response instanceof Promise) return response.then((loaded) => loaded ?? throwNotFound(variantId))
      return response ?? throwNotFound(variantId)
    }),
    route(priceVariants, async (c) => {
      const { variant_ids: ids, pricing_type: type, currency, market, lock } = c.get('body')
      const exchange = rates.exchangeFor(currency)
      const scope = scopeOf(c.get('principal').organizationId, market)
      return { data: await priceBatch(ids, (id) => priceOf(id, type, HISTORY_DAYS.default, exchange, scope, lock)) }
    }),
    route(listLowestPrices, async (c) => {
      const { device_ids: ids } = c.get('query')
      return { data: await Promise.all(ids.map(async (id) => ({ device_id: id, resale: await lowestUsedPrice(id) }))) }
    }),
  ]

  function scopeOf(organizationId: string, market: string | undefined): PriceScope {
    return quotes.scopeOf(organizationId, market === undefined ? undefined : parseMarket(market).code)
  }

  async function priceOf(
    variantId: string,
    type: PricingType,
    days: number,
    exchange: Exchange,
    scope: PriceScope,
    lock: CarrierLock,
  ): Promise<VariantPricingWire> {
    const { device, variant, quote, ...state } =
      (await quotes.quoteOf(variantId, days, scope)) ?? throwNotFound(variantId)
    checkLock(lock, device)
    const pricing = presentPricing(device, variant, quoteWithLock(quote, lock), type, lock, state)
    return exchange === US_DOLLARS ? pricing : convertPricing(pricing, exchange)
  }

  function throwNotFound(variantId: string): never {
    throw notFound(`Variant ${excerpt(variantId)}`, nearestIds(variantId))
  }
}
