import type { ApiError } from '../errors.ts'
import type { Decision } from '../ratelimit/limiter.ts'
import { isoInstant } from '../time.ts'
import type { Answer, RequestFacts } from './context.ts'
import { bestEncoding, holdsAlready } from './negotiation.ts'
import { type ReadyAnswer, readyAnswer } from './ready.ts'

/** Below this, compressing costs more than it saves. */
const LEAST_COMPRESSED_BYTES = 860

const JSON_TYPE = 'application/json; charset=utf-8'

type HeaderValues = Record<string, string>

export type AnswerOptions = {
  readonly facts: RequestFacts
  /** The request's own headers: what encodings it takes, what it holds already. */
  readonly sent: Headers
  /** The instant that the envelope says. */
  readonly now: number
  /** Whether a caller can hold the answer already: it has a tag, and asking with it can be answered 304. */
  readonly isCacheable: boolean
}

/** What a handler returned, in the envelope and with the headers that every such answer has. */
export function answerResponse(answer: Answer, { facts, sent, now, isCacheable }: AnswerOptions): Response {
  const ready = readyOf(answer)
  const headers: HeaderValues = { 'Content-Type': JSON_TYPE, Vary: 'Accept-Encoding', 'X-Request-Id': facts.id }
  if (isCacheable) headers.ETag = ready.etag
  if (facts.limit !== null) addLimit(headers, facts.limit, now)
  if ('headers' in answer) Object.assign(headers, answer.headers)
  const held = isCacheable ? sent.get('if-none-match') : null
  if (held !== null && holdsAlready(held, ready.etag)) return new Response(null, { status: 304, headers })
  const encoding = ready.head.length >= LEAST_COMPRESSED_BYTES ? bestEncoding(sent.get('accept-encoding')) : 'identity'
  if (encoding !== 'identity') headers['Content-Encoding'] = encoding
  const body = ready.body(encoding, now)
  // The server counts the bytes that it sends. To a HEAD it sends none, and is told how many a GET would get.
  if (facts.method === 'HEAD') headers['Content-Length'] = String(body.length)
  return new Response(body, { headers })
}

function readyOf(answer: Answer): ReadyAnswer {
  if ('etag' in answer) return answer
  if ('ready' in answer) return answer.ready
  return readyAnswer(JSON.stringify(answer.data), answer.meta && JSON.stringify(answer.meta))
}

/** What every keyed answer says about its limit: the names most clients know, and those of the IETF draft. */
function addLimit(headers: HeaderValues, { limit, remaining, resetAtEpochSeconds }: Decision, now: number): void {
  const seconds = Math.max(0, Math.ceil(resetAtEpochSeconds - now / 1000))
  headers['X-RateLimit-Limit'] = String(limit)
  headers['X-RateLimit-Remaining'] = String(remaining)
  headers['X-RateLimit-Reset'] = String(resetAtEpochSeconds)
  headers['RateLimit-Policy'] = `"per-minute";q=${limit};w=60`
  headers.RateLimit = `"per-minute";r=${remaining};t=${seconds}`
}

/** A refusal in the envelope. `details` names each field that was wrong, for programs; `message` says it, for people. */
export function refusalResponse(error: ApiError, facts: RequestFacts, now: number): Response {
  const { code, message, details } = error
  const body = JSON.stringify({
    success: false,
    error: { code, message, ...(details.length > 0 ? { details } : {}) },
    timestamp: isoInstant(now),
  })
  const headers: HeaderValues = { 'Content-Type': JSON_TYPE, 'X-Request-Id': facts.id }
  if (facts.limit !== null) addLimit(headers, facts.limit, now)
  Object.assign(headers, error.headers)
  return new Response(body, { status: error.status, headers })
}
