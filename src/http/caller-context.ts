import type { CallerContext } from '../records/durable-response-service.ts'
import { parseIdempotencyKey, type ReplayableResponse } from '../records/idempotency.ts'
import type { ApiContext, HandlerResult } from './context.ts'
import { can, usageKeyId } from './principal.ts'

/** The caller of a recorded request and its idempotency key, which only a POST takes. */
export function callerContext<Query, Body>(c: ApiContext<Query, Body>): CallerContext {
  const principal = c.get('principal')
  const { organizationId, role } = principal
  const header = c.req.method === 'POST' ? c.req.raw.headers.get('idempotency-key') : null
  return {
    principal,
    organizationId,
    keyId: usageKeyId(principal),
    isClerk: role === 'clerk',
    mayCorrectSellers: can(principal, 'sellers:correct'),
    mayApprove: can(principal, 'offers:approve'),
    idempotencyKey: parseIdempotencyKey(header),
    sentBody: withoutApproval(c.get('sentBody')),
    now: c.get('facts').now,
  }
}

/** Who approves a request is no part of what its idempotency key stands for. */
function withoutApproval(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('approval' in body)) return body
  const { approval: _, ...request } = body
  return request
}

export const REPLAY_HEADERS: Readonly<Record<string, string>> = { 'Idempotency-Replayed': 'true' }

export const replayHeaders = ({ isReplay }: ReplayableResponse): Readonly<Record<string, string>> =>
  isReplay ? REPLAY_HEADERS : {}

export const replayableResult = (replayable: ReplayableResponse): HandlerResult => ({
  data: replayable.data,
  headers: replayHeaders(replayable),
})
