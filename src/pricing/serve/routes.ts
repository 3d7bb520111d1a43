import { PRICING_TYPES } from '../../contract/pricing.ts'
import { excerpt, invalid, notFound } from '../../errors.ts'
import type { ReadyAnswer } from '../../http/ready.ts'
import type { ApiRoute } from '../../http/route.ts'
import type { Quotes } from './quotes.ts'

/** What one variant is worth. `condition` and `days` are accepted and have no effect, as the document says. */
export function pricingRoutes(quotes: Pick<Quotes<ReadyAnswer>, 'find'>): ApiRoute[] {
  return [
    {
      method: 'GET',
      path: '/api/pricing',
      tier: 'paid',
      handle({ query }) {
        const variantId = query('variant_id')
        if (variantId === undefined)
          throw invalid('variant_id', undefined, 'the id of a variant, as /api/variants lists them')
        const sent = query('pricing_type') ?? 'both'
        const type = PRICING_TYPES.find((known) => known === sent)
        if (!type) throw invalid('pricing_type', sent, PRICING_TYPES.join(', '))
        const answer = quotes.find(variantId, type)
        if (answer instanceof Promise) return answer.then((found) => found ?? missing(variantId))
        return answer ?? missing(variantId)
      },
    },
  ]
}

function missing(variantId: string): never {
  throw notFound(`Variant ${excerpt(variantId)}`)
}
