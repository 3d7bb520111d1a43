import { assessIdentifier, assessIdentifiers, listLookups } from '../contract/endpoints.ts'
import { pageMeta } from '../contract/paging.ts'
import { soundAnswer } from '../durable/kept-answer.ts'
import { type ApiRoute, route } from '../http/context.ts'
import { readyAnswer } from '../http/ready.ts'
import { askingOf, replayableAnswer } from '../http/replayable.ts'
import type { Lookups } from './lookups.ts'

export function riskRoutes(lookups: Lookups): ApiRoute[] {
  return [
    route(assessIdentifier, async (c) => replayableAnswer(await lookups.one(c.get('body'), askingOf(c)))),
    route(assessIdentifiers, async (c) => replayableAnswer(await lookups.batch(c.get('body'), askingOf(c)))),
    route(listLookups, async (c) => {
      const { page, limit, identifier } = c.get('query')
      const wanted = { page, limit, identifier, now: c.get('facts').now }
      const { answers, total } = await lookups.history(c.get('caller').organizationId, wanted)
      // The records are JSON already: they go out as they were written.
      return readyAnswer(`[${answers.map(soundAnswer).join(',')}]`, JSON.stringify(pageMeta(page, limit, total)))
    }),
  ]
}
