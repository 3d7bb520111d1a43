import type { ResponseMeta } from '../contract/paging.ts'
import { presentReason } from '../lib/reasons.ts'
import { isoSecond } from '../lib/time.ts'
import type { RateLimitDecision } from './admission.ts'
import type { ApiError } from './api-error.ts'
import { NOT_STORED, PROTECTIVE_HEADERS, protectResponse } from './browser-headers.ts'
import { bestEncoding, type ContentEncoding, matchesEtag } from './content-negotiation.ts'
import type { HandlerResult, RequestFacts } from './context.ts'
import { compress, type PreparedResponse, prepareResponse } from './prepared-response.ts'

/** Below this, compressing costs more than it saves. */
const MIN_COMPRESSED_BYTES = 860

const JSON_TYPE = 'application/json; charset=utf-8'
const JSON_HEADERS = { 'Content-Type': JSON_TYPE, ...PROTECTIVE_HEADERS } as const
const ERROR_HEADERS = { ...JSON_HEADERS, 'Cache-Control': NOT_STORED } as const

/** Of JSON, in UTF-8. Larger results are files, which are streamed. */
export const MAX_RESPONSE_BYTES = 4_000_000

/** The JSON of a result is larger than a response may be. */
export class OversizedResponseError extends Error {
  constructor(readonly bytes: number) {
    super(`a response of ${bytes} bytes is above the limit of ${MAX_RESPONSE_BYTES}`)
    this.name = 'OversizedResponseError'
  }
}

function requireWithinLimit(bytes: number): void {
  if (bytes > MAX_RESPONSE_BYTES) throw new OversizedResponseError(bytes)
}

export type ResponseOptions = {
  readonly facts: RequestFacts
  /** For `Accept-Encoding` and `If-None-Match`. */
  readonly requestHeaders: Headers
  /** The timestamp of the envelope. */
  readonly now: number
  /** Parameters that the endpoint does not know; null if there are none. */
  readonly ignored: readonly string[] | null
  /** Whether the response has an ETag and a request with it can be answered 304. */
  readonly isCacheable: boolean
  /** False for what is stored already: its caller needs the ids, however long the answer is. */
  readonly isBounded?: boolean
}

/** Puts the result of a handler into the envelope, with the headers of every successful response. */
export function successResponse(
  result: HandlerResult,
  { facts, requestHeaders, now, ignored, isCacheable, isBounded = true }: ResponseOptions,
): Response {
  if ('file' in result) {
    if (facts.rateLimit) {
      for (const [name, value] of rateLimitHeaders(facts.rateLimit, now)) result.file.headers.set(name, value)
    }
    return protectResponse(result.file)
  }
  const acceptEncoding = requestHeaders.get('accept-encoding')
  if (!isCacheable) return uncachedResponse(result, { facts, acceptEncoding, now, ignored, isBounded })
  const prepared = toPreparedResponse(result)
  requireWithinLimit(prepared.bytes)
  const envelope = ignored === null ? prepared : prepared.withRemarks({ ignored_parameters: [...ignored] })
  const headers = successHeaders(facts, envelope.etag, now)
  const ifNoneMatch = requestHeaders.get('if-none-match')
  if (ifNoneMatch !== null && matchesEtag(ifNoneMatch, envelope.etag))
    return new Response(null, { status: 304, headers })
  const encoding = envelope.bytes >= MIN_COMPRESSED_BYTES ? bestEncoding(acceptEncoding) : 'identity'
  const body = envelope.body(encoding, now)
  const response = new Response(body, { headers })
  addHeaders(response, result, encoding)
  // Bun sets Content-Length from the body, and a response to HEAD has none.
  if (facts.method === 'HEAD') response.headers.set('Content-Length', String(body.size))
  return response
}

/** A response that is sent once: without an ETag, and written in one piece. */
function uncachedResponse(
  result: SerializableResult,
  {
    facts,
    acceptEncoding,
    now,
    ignored,
    isBounded,
  }: Pick<ResponseOptions, 'facts' | 'now' | 'ignored' | 'isBounded'> & { readonly acceptEncoding: string | null },
): Response {
  const headers = successHeaders(facts, undefined, now)
  const remarks = ignored === null ? undefined : { ignored_parameters: [...ignored] }
  const json = envelopeJson(result, remarks, now)
  // A character takes at most three bytes.
  if (isBounded && json.length * 3 > MAX_RESPONSE_BYTES) requireWithinLimit(Buffer.byteLength(json))
  const encoding = json.length >= MIN_COMPRESSED_BYTES ? bestEncoding(acceptEncoding) : 'identity'
  const body = encoding === 'identity' ? json : compress(Buffer.from(json), encoding, { isShared: false })
  const response = new Response(body, { headers })
  addHeaders(response, result, encoding)
  return response
}

type SerializableResult = Exclude<HandlerResult, { file: Response }>

function addHeaders(response: Response, result: SerializableResult, encoding: ContentEncoding): void {
  if ('headers' in result)
    for (const [name, value] of Object.entries(result.headers ?? {})) response.headers.set(name, value)
  if (encoding !== 'identity') response.headers.set('Content-Encoding', encoding)
}

function envelopeJson(result: SerializableResult, remarks: ResponseMeta | undefined, now: number): string {
  if (!('data' in result)) throw new Error('A prepared response belongs to an endpoint with an ETag.')
  const { data, meta } = result
  const allMeta = meta || remarks ? { ...meta, ...remarks } : undefined
  return JSON.stringify({ success: true, data, meta: allMeta, timestamp: isoSecond(now) })
}

/**
 * The headers of the last response with a rate limit. `Response` copies headers, so they are reused and only changed values
 * are set: a third of the cost of nine new headers per response.
 */
const sharedHeaders = new Headers({ ...JSON_HEADERS, Vary: 'Accept-Encoding' })
const lastWritten: { limit: number; resetAt: number; etag: string | undefined } = {
  limit: Number.NaN,
  resetAt: Number.NaN,
  etag: undefined,
}

function successHeaders({ id, rateLimit }: RequestFacts, etag: string | undefined, now: number): Headers {
  if (rateLimit === null) {
    const headers = new Headers({ ...JSON_HEADERS, Vary: 'Accept-Encoding', 'X-Request-Id': id })
    if (etag !== undefined) headers.set('ETag', etag)
    return headers
  }
  sharedHeaders.set('X-Request-Id', id)
  if (etag === undefined) sharedHeaders.delete('ETag')
  else if (etag !== lastWritten.etag) sharedHeaders.set('ETag', etag)
  if (rateLimit.limit !== lastWritten.limit || rateLimit.resetAtEpochSeconds !== lastWritten.resetAt) {
    for (const [name, value] of rateLimitHeaders(rateLimit, now)) sharedHeaders.set(name, value)
  } else {
    sharedHeaders.set('X-RateLimit-Remaining', String(rateLimit.remaining))
    sharedHeaders.set('RateLimit', rateLimitValue(rateLimit, now))
  }
  lastWritten.etag = etag
  lastWritten.limit = rateLimit.limit
  lastWritten.resetAt = rateLimit.resetAtEpochSeconds
  return sharedHeaders
}

function toPreparedResponse(result: SerializableResult): PreparedResponse {
  return 'etag' in result ? result : prepareResponse(result.data, result.meta)
}

/** Rate limit headers: the names most clients know, and those of the IETF draft. */
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

/** An error in the envelope. `details` names each invalid field, for programs; `message` is for people. */
export function errorResponse(
  error: ApiError,
  facts: Pick<RequestFacts, 'id' | 'rateLimit'>,
  docs: string,
  now: number,
): Response {
  const { code, message, reason, details, nearestIds } = error
  const body = JSON.stringify({
    success: false,
    error: {
      code,
      message,
      ...presentReason(reason),
      ...(details.length > 0 ? { details } : {}),
      ...(nearestIds.length > 0 ? { nearest_ids: nearestIds } : {}),
      request_id: facts.id,
      docs,
    },
    timestamp: isoSecond(now),
  })
  const limitHeaders = facts.rateLimit === null ? {} : Object.fromEntries(rateLimitHeaders(facts.rateLimit, now))
  const headers = { ...ERROR_HEADERS, 'X-Request-Id': facts.id, ...limitHeaders, ...error.headers }
  return new Response(body, { status: error.status, headers })
}
