import type { RateLimitDecision } from '../auth/rate-limit/rate-limiter.ts'
import { isoInstant } from '../lib/time.ts'
import type { ApiError } from './api-error.ts'
import { bestEncoding, matchesEtag } from './content-negotiation.ts'
import type { HandlerResult, RequestFacts } from './context.ts'
import { type PreparedResponse, prepareResponse } from './prepared-response.ts'
import { shareLargeBody } from './shared-blob.ts'

/** Below this, compressing costs more than it saves. */
const MIN_COMPRESSED_BYTES = 860

const JSON_TYPE = 'application/json; charset=utf-8'

export type ResponseOptions = {
  readonly facts: RequestFacts
  /** The request's own headers: what encodings it takes, what it holds already. */
  readonly requestHeaders: Headers
  /** The instant that the envelope says. */
  readonly now: number
  /** Parameters that look like known ones misspelt; null when there are none, as nearly always. */
  readonly ignored: readonly string[] | null
  /** Whether a caller can hold the answer already: it has a tag, and asking with it can be answered 304. */
  readonly isCacheable: boolean
}

/** What a handler returned, in the envelope and with the headers that every such answer has. */
export function successResponse(
  answer: HandlerResult,
  { facts, requestHeaders: sent, now, ignored, isCacheable }: ResponseOptions,
): Response {
  const prepared = toPreparedResponse(answer)
  const ready = ignored === null ? prepared : prepared.withRemarks({ ignored_parameters: [...ignored] })
  const headers = successHeaders(facts, isCacheable ? ready.etag : undefined, now)
  const ifNoneMatch = isCacheable ? sent.get('if-none-match') : null
  if (ifNoneMatch !== null && matchesEtag(ifNoneMatch, ready.etag)) return new Response(null, { status: 304, headers })
  const encoding = ready.head.length >= MIN_COMPRESSED_BYTES ? bestEncoding(sent.get('accept-encoding')) : 'identity'
  const body = ready.body(encoding, now)
  const response = new Response(shareLargeBody(body, now), { headers })
  if ('headers' in answer)
    for (const [name, value] of Object.entries(answer.headers ?? {})) response.headers.set(name, value)
  if (encoding !== 'identity') response.headers.set('Content-Encoding', encoding)
  // The server counts the bytes that it sends. To a HEAD it sends none, and is told how many a GET would get.
  if (facts.method === 'HEAD') response.headers.set('Content-Length', String(body.length))
  return response
}

/**
 * The headers of the last keyed and tagged answer. The next one has the same names and mostly the same values, and a
 * response copies what it is given, so these are kept and only what differs is written: a third of what it costs to make
 * nine headers anew for every read.
 */
const sharedHeaders = new Headers({ 'Content-Type': JSON_TYPE, Vary: 'Accept-Encoding' })
const lastWritten = { limit: Number.NaN, resetAt: Number.NaN, etag: '' }

function successHeaders({ id, rateLimit: limit }: RequestFacts, etag: string | undefined, now: number): Headers {
  if (limit === null || etag === undefined) {
    const headers = new Headers({ 'Content-Type': JSON_TYPE, Vary: 'Accept-Encoding', 'X-Request-Id': id })
    if (etag !== undefined) headers.set('ETag', etag)
    if (limit !== null) for (const [name, value] of rateLimitHeaders(limit, now)) headers.set(name, value)
    return headers
  }
  sharedHeaders.set('X-Request-Id', id)
  if (etag !== lastWritten.etag) sharedHeaders.set('ETag', etag)
  if (limit.limit !== lastWritten.limit || limit.resetAtEpochSeconds !== lastWritten.resetAt) {
    for (const [name, value] of rateLimitHeaders(limit, now)) sharedHeaders.set(name, value)
  } else {
    sharedHeaders.set('X-RateLimit-Remaining', String(limit.remaining))
    sharedHeaders.set('RateLimit', rateLimitValue(limit, now))
  }
  lastWritten.etag = etag
  lastWritten.limit = limit.limit
  lastWritten.resetAt = limit.resetAtEpochSeconds
  return sharedHeaders
}

function toPreparedResponse(answer: HandlerResult): PreparedResponse {
  if ('etag' in answer) return answer
  if ('ready' in answer) return answer.ready
  return prepareResponse(JSON.stringify(answer.data), answer.meta && JSON.stringify(answer.meta))
}

/** What every keyed answer says about its limit: the names most clients know, and those of the IETF draft. */
export function rateLimitHeaders(decision: RateLimitDecision, now: number): [string, string][] {
  return [
    ['X-RateLimit-Limit', String(decision.limit)],
    ['X-RateLimit-Remaining', String(decision.remaining)],
    ['X-RateLimit-Reset', String(decision.resetAtEpochSeconds)],
    ['RateLimit-Policy', `"per-minute";q=${decision.limit};w=60`],
    ['RateLimit', rateLimitValue(decision, now)],
  ]
}

function rateLimitValue({ remaining, resetAtEpochSeconds }: RateLimitDecision, now: number): string {
  return `"per-minute";r=${remaining};t=${Math.max(0, Math.ceil(resetAtEpochSeconds - now / 1000))}`
}

/** A refusal in the envelope. `details` names each field that was wrong, for programs; `message` says it, for people. */
export function errorResponse(error: ApiError, facts: RequestFacts, docs: string, now: number): Response {
  const { code, message, details, nearestIds } = error
  const body = JSON.stringify({
    success: false,
    error: {
      code,
      message,
      ...(details.length > 0 ? { details } : {}),
      ...(nearestIds.length > 0 ? { nearest_ids: nearestIds } : {}),
      request_id: facts.id,
      docs,
    },
    timestamp: isoInstant(now),
  })
  const limit = facts.rateLimit === null ? {} : Object.fromEntries(rateLimitHeaders(facts.rateLimit, now))
  const headers = { 'Content-Type': JSON_TYPE, 'X-Request-Id': facts.id, ...limit, ...error.headers }
  return new Response(body, { status: error.status, headers })
}

/**
 * One and the same refusal, ready to be given many thousand times a second: an overrun process has no time to lose on
 * those it sends away. Headers are kept as for the usual answer above, and so is all of the text that does not change.
 */
export function prebuiltErrorResponse(
  error: ApiError,
  docs: string,
): (facts: Pick<RequestFacts, 'id' | 'now'>) => Response {
  const { code, message } = error
  const begin = `${JSON.stringify({ success: false, error: { code, message } }).slice(0, -2)},"request_id":"`
  const headers = new Headers({ 'Content-Type': JSON_TYPE, ...error.headers })
  let end = ''
  let endMadeAt = Number.NaN
  return ({ id, now }) => {
    if (now !== endMadeAt) {
      end = `","docs":${JSON.stringify(docs)}},"timestamp":"${isoInstant(now)}"}`
      endMadeAt = now
    }
    headers.set('X-Request-Id', id)
    // An id is a checked token, so it needs no escaping.
    return new Response(begin + id + end, { status: error.status, headers })
  }
}
