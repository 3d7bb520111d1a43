import { readCount } from '../catalog/pages.ts'
import { BATCH_MAX_BYTES, LOOKUP_MAX_BYTES } from '../contract/imei.ts'
import { HISTORY_LIMIT, PAGE_DEFAULT } from '../contract/paging.ts'
import { readyAnswer } from '../http/ready.ts'
import type { Answer, ApiRoute, Call, PageMeta } from '../http/route.ts'
import { type Replayable, readIdempotencyKey } from './idempotency.ts'
import type { Asking, Lookups } from './lookups.ts'
import { batchCost } from './request.ts'

export function riskRoutes(lookups: Lookups): ApiRoute[] {
  return [
    {
      method: 'POST',
      path: '/api/imei',
      tier: 'enterprise',
      maxBodyBytes: LOOKUP_MAX_BYTES,
      handle: async (call) => answerOf(await lookups.one(askingOf(call))),
    },
    {
      method: 'POST',
      path: '/api/imei/batch',
      tier: 'enterprise',
      maxBodyBytes: BATCH_MAX_BYTES,
      cost: batchCost,
      handle: async (call) => answerOf(await lookups.batch(askingOf(call))),
    },
    { method: 'GET', path: '/api/imei', tier: 'enterprise', handle: (call) => history(lookups, call) },
  ]
}

function askingOf({ caller, body, header, now }: Call): Asking {
  return {
    organizationId: caller.organizationId,
    body,
    idempotencyKey: readIdempotencyKey(header('idempotency-key')),
    now,
  }
}

function answerOf({ answer, replayed }: Replayable): Answer {
  if (!replayed) return readyAnswer(answer)
  return { data: JSON.parse(answer), headers: { 'Idempotency-Replayed': 'true' } }
}

async function history(lookups: Lookups, { caller, query }: Call): Promise<Answer> {
  const page = readCount(query('page'), PAGE_DEFAULT)
  const limit = readCount(query('limit'), HISTORY_LIMIT.default, HISTORY_LIMIT.maximum)
  const { answers, total } = await lookups.history(caller.organizationId, {
    page,
    limit,
    identifier: query('identifier'),
  })
  const pages = Math.ceil(total / limit)
  const meta: PageMeta = {
    page,
    limit,
    total,
    total_pages: pages,
    has_next: page < pages,
    has_prev: page > 1 && total > 0,
  }
  // The records are JSON already: they go out as they were written.
  return readyAnswer(`[${answers.join(',')}]`, JSON.stringify(meta))
}
