import { getPricing } from '../../contract/endpoints.ts'
import { excerpt, notFound } from '../../errors.ts'
import { type ApiRoute, route } from '../../http/context.ts'
import type { ReadyAnswer } from '../../http/ready.ts'
import type { Quotes } from './quotes.ts'

/** What one variant is worth. `condition` and `days` are accepted and have no effect, as the document says. */
export function pricingRoutes(quotes: Pick<Quotes<ReadyAnswer>, 'find'>): ApiRoute[] {
  return [
    route(getPricing, (c) => {
      const { variant_id: variantId, pricing_type: type } = c.get('query')
      const answer = quotes.find(variantId, type)
      if (answer instanceof Promise) return answer.then((found) => found ?? missing(variantId))
      return answer ?? missing(variantId)
    }),
  ]
}

function missing(variantId: string): never {
  throw notFound(`Variant ${excerpt(variantId)}`)
}
