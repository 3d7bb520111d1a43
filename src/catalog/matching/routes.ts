import { matchText } from '../../contract/device-endpoints.ts'
import { type ApiRoute, type HandlerResult, route } from '../../http/context.ts'
import { type MatchedText, presentMatch } from './present.ts'
import type { TitleListing } from './resolution.ts'

export function matchRoutes(
  match: (listing: TitleListing, organizationId: string) => MatchedText | Promise<MatchedText>,
): ApiRoute[] {
  return [
    route(matchText, (c): HandlerResult | Promise<HandlerResult> => {
      const { text, make, limit } = c.get('query')
      const matched = match({ text, make: make ?? null }, c.get('principal').organizationId)
      const respond = (result: MatchedText) => ({ data: presentMatch(text, result, limit) })
      return matched instanceof Promise ? matched.then(respond) : respond(matched)
    }),
  ]
}
