import type { Asking } from '../durable/durable-answers.ts'
import { type Replayable, readIdempotencyKey } from '../durable/idempotency.ts'
import type { Answer, ApiContext } from './context.ts'
import { readyAnswer } from './ready.ts'

/** Who asks for an answer that is kept, and under which key of theirs. */
export function askingOf<Query, Body>(c: ApiContext<Query, Body>): Asking {
  const { organizationId, keyId } = c.get('caller')
  const idempotencyKey = readIdempotencyKey(c.req.raw.headers.get('idempotency-key'))
  return { organizationId, keyId, idempotencyKey, now: c.get('facts').now }
}

export function replayableAnswer({ answer, replayed }: Replayable): Answer {
  const ready = readyAnswer(answer)
  return replayed ? { ready, headers: { 'Idempotency-Replayed': 'true' } } : ready
}
