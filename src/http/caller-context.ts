import type { CallerContext } from '../records/durable-response-service.ts'
import { parseIdempotencyKey, type ReplayableResponse } from '../records/idempotency.ts'
import type { ApiContext, HandlerResult } from './context.ts'
import { prepareResponse } from './prepared-response.ts'

/** The caller of a recorded request and its idempotency key, which only a POST takes. */
export function callerContext<Query, Body>(c: ApiContext<Query, Body>): CallerContext {
  const { organizationId, keyId, isClerk = false } = c.get('caller')
  const header = c.req.method === 'POST' ? c.req.raw.headers.get('idempotency-key') : null
  return { organizationId, keyId, isClerk, idempotencyKey: parseIdempotencyKey(header), now: c.get('facts').now }
}

export function replayableResult({ json, isReplay }: ReplayableResponse): HandlerResult {
  const response = prepareResponse(json)
  return isReplay ? { ready: response, headers: { 'Idempotency-Replayed': 'true' } } : response
}
