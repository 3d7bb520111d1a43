import { ApiError } from '../errors.ts'
import type { Decision } from '../ratelimit/limiter.ts'
import { refusalBody } from './envelope.ts'
import { allowanceOf, rateLimit, secondsUntil, setLimitHeaders } from './limit-headers.ts'
import { bestEncoding, type Encoding, holdsAlready } from './negotiation.ts'
import type { ReadyAnswer } from './ready.ts'

/** What a route came to, before it is put on the wire. */
export type Reply = {
  readonly status: number
  readonly answer: ReadyAnswer
  readonly headers: Readonly<Record<string, string>> | undefined
  /** Made for this one call (a lookup, a history): it has no tag, and a caller cannot hold it already. */
  readonly isOwn?: boolean
}

/** Below this, compressing costs more than it saves. */
const LEAST_COMPRESSED_BYTES = 860
const JSON_TYPE = 'application/json; charset=utf-8'

/**
 * The headers of the common case, filled in anew for each answer. Handing Bun one long-lived `Headers` that it copies
 * natively is much cheaper than an object literal per answer, and most values are those of the answer before.
 */
const shared = new Headers({ 'Content-Type': JSON_TYPE, Vary: 'Accept-Encoding' })
const sharedInit = { headers: shared }
/** What the shared headers say at the moment, compared as numbers so that no text is made for what stays. */
let lastTag: string | null = null
const last = {
  limit: Number.NaN,
  remaining: Number.NaN,
  resetAtEpochSeconds: Number.NaN,
  secondsLeft: Number.NaN,
}

function shareTag(tag: string | null): void {
  if (tag === lastTag) return
  lastTag = tag
  if (tag === null) shared.delete('ETag')
  else shared.set('ETag', tag)
}

function shareLimits({ limit, remaining, resetAtEpochSeconds }: Decision, now: number): void {
  const secondsLeft = secondsUntil(resetAtEpochSeconds, now)
  if (limit !== last.limit) {
    const { text, policy } = allowanceOf(limit)
    shared.set('X-RateLimit-Limit', text)
    shared.set('RateLimit-Policy', policy)
  }
  if (resetAtEpochSeconds !== last.resetAtEpochSeconds) shared.set('X-RateLimit-Reset', String(resetAtEpochSeconds))
  if (remaining !== last.remaining || secondsLeft !== last.secondsLeft) {
    shared.set('X-RateLimit-Remaining', String(remaining))
    shared.set('RateLimit', rateLimit(remaining, secondsLeft))
  }
  last.limit = limit
  last.remaining = remaining
  last.resetAtEpochSeconds = resetAtEpochSeconds
  last.secondsLeft = secondsLeft
}

/** `decision` is null where no limit applies: for people in the dashboard. */
export function replyResponse(
  reply: Reply,
  request: Request,
  requestId: string,
  decision: Decision | null,
  now: number,
): Response {
  const { answer, status } = reply
  const sent = request.headers
  const tag = reply.isOwn ? null : answer.etag
  const ifNoneMatch = tag !== null && status === 200 ? sent.get('if-none-match') : null
  const isHeld = tag !== null && ifNoneMatch !== null && holdsAlready(ifNoneMatch, tag)
  const encoding: Encoding =
    answer.head.length >= LEAST_COMPRESSED_BYTES ? bestEncoding(sent.get('accept-encoding')) : 'identity'
  if (decision && status === 200 && !isHeld && encoding === 'identity' && !reply.headers) {
    shareTag(tag)
    shared.set('X-Request-Id', requestId)
    shareLimits(decision, now)
    return new Response(answer.body('identity', now), sharedInit)
  }
  const headers = new Headers({
    'Content-Type': JSON_TYPE,
    Vary: 'Accept-Encoding',
    ...(tag === null ? {} : { ETag: tag }),
    'X-Request-Id': requestId,
    ...reply.headers,
  })
  if (decision) setLimitHeaders((name, value) => headers.set(name, value), decision, now)
  if (isHeld) return new Response(null, { status: 304, headers })
  if (encoding !== 'identity') headers.set('Content-Encoding', encoding)
  return new Response(answer.body(encoding, now), { status, headers })
}

export function refusalResponse(error: ApiError, requestId: string, decision: Decision | null, now: number): Response {
  const headers = new Headers({ 'Content-Type': JSON_TYPE, 'X-Request-Id': requestId, ...error.headers })
  if (decision) setLimitHeaders((name, value) => headers.set(name, value), decision, now)
  return new Response(refusalBody(error, now), { status: error.status, headers })
}

/** A refusal meant for the caller stays as it is; anything else is a bug of ours, about which the caller learns nothing. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  return new ApiError(
    'INTERNAL_ERROR',
    'Something went wrong on our side. Try again; if it stays, quote the X-Request-Id.',
    { cause: error },
  )
}
