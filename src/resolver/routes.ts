import { matchText } from '../contract/endpoints.ts'
import { type Answer, type ApiRoute, route } from '../http/context.ts'
import type { Matching } from './matching.ts'
import { presentMatch } from './present.ts'

/** What device a text names, or that it names none. */
export function matchRoutes(matching: Pick<Matching, 'match'>): ApiRoute[] {
  return [
    route(matchText, (c): Answer | Promise<Answer> => {
      const { text, make, limit } = c.get('query')
      const found = matching.match({ text, make: make ?? null })
      if (found instanceof Promise) return found.then((later) => ({ data: presentMatch(text, later, limit) }))
      return { data: presentMatch(text, found, limit) }
    }),
  ]
}
