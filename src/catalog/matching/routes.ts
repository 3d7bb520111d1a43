import { matchText } from '../../contract/device-endpoints.ts'
import { type ApiRoute, type HandlerResult, route } from '../../http/context.ts'
import type { MatchingService } from './matching-service.ts'
import { presentMatch } from './present.ts'

export function matchRoutes(matchingService: Pick<MatchingService, 'match'>): ApiRoute[] {
  return [
    route(matchText, (c): HandlerResult | Promise<HandlerResult> => {
      const { text, make, limit } = c.get('query')
      const resolution = matchingService.match({ text, make: make ?? null })
      if (resolution instanceof Promise)
        return resolution.then((resolved) => ({ data: presentMatch(text, resolved, limit) }))
      return { data: presentMatch(text, resolution, limit) }
    }),
  ]
}
