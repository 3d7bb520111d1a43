import { assessIdentifier, assessIdentifiers, listLookups } from '../contract/endpoints.ts'
import { pageMeta } from '../contract/paging.ts'
import { type Replayable, readIdempotencyKey } from '../durable/idempotency.ts'
import { type Answer, type ApiContext, type ApiRoute, route } from '../http/context.ts'
import { readyAnswer } from '../http/ready.ts'
import type { Asking, Lookups } from './lookups.ts'

export function riskRoutes(lookups: Lookups): ApiRoute[] {
  return [
    route(assessIdentifier, async (c) => answerOf(await lookups.one(c.get('body'), askingOf(c)))),
    route(assessIdentifiers, async (c) => answerOf(await lookups.batch(c.get('body'), askingOf(c)))),
    route(listLookups, async (c) => {
      const { page, limit, identifier } = c.get('query')
      const { answers, total } = await lookups.history(c.get('caller').organizationId, { page, limit, identifier })
      // The records are JSON already: they go out as they were written.
      return readyAnswer(`[${answers.join(',')}]`, JSON.stringify(pageMeta(page, limit, total)))
    }),
  ]
}

function askingOf<Query, Body>(c: ApiContext<Query, Body>): Asking {
  const { organizationId, keyId } = c.get('caller')
  const idempotencyKey = readIdempotencyKey(c.req.raw.headers.get('idempotency-key'))
  return { organizationId, keyId, idempotencyKey, now: c.get('facts').now }
}

function answerOf({ answer, replayed }: Replayable): Answer {
  const ready = readyAnswer(answer)
  return replayed ? { ready, headers: { 'Idempotency-Replayed': 'true' } } : ready
}
