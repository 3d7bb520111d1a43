import { matchText } from '../../contract/endpoints.ts'
import { type ApiRoute, type HandlerResult, route } from '../../http/context.ts'
import type { MatchingService } from './matching-service.ts'
import { presentMatch } from './present.ts'

/** What device a text names, or that it names none. */
export function matchRoutes(matchingService: Pick<MatchingService, 'match'>): ApiRoute[] {
  return [
    route(matchText, (c): HandlerResult | Promise<HandlerResult> => {
      const { text, make, limit } = c.get('query')
      const found = matchingService.match({ text, make: make ?? null })
      if (found instanceof Promise) return found.then((later) => ({ data: presentMatch(text, later, limit) }))
      return { data: presentMatch(text, found, limit) }
    }),
  ]
}
