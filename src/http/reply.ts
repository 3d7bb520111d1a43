import { ApiError } from '../errors.ts'
import type { Decision } from '../ratelimit/limiter.ts'
import { refusalBody } from './envelope.ts'
import { bestEncoding, type Encoding, holdsAlready } from './negotiation.ts'
import type { ReadyAnswer } from './ready.ts'

/** What a route came to, before it is put on the wire. */
export type Reply = {
  readonly status: number
  readonly answer: ReadyAnswer
  readonly headers: Readonly<Record<string, string>> | undefined
}

/** Below this, compressing costs more than it saves. */
const LEAST_COMPRESSED_BYTES = 860

/**
 * The headers of the common case, filled in anew for each answer. Handing Bun one long-lived `Headers` that it copies
 * natively is much cheaper than an object literal per answer, and most values are the same as last time.
 */
const shared = new Headers({ 'Content-Type': 'application/json; charset=utf-8', Vary: 'Accept-Encoding' })
const last = new Map<string, string>()

function set(name: string, value: string): void {
  if (last.get(name) === value) return
  last.set(name, value)
  shared.set(name, value)
}

function unset(name: string): void {
  if (last.delete(name)) shared.delete(name)
}

export function replyResponse(
  reply: Reply,
  request: Request,
  requestId: string,
  decision: Decision | null,
  now: number,
): Response {
  const { answer } = reply
  const sent = request.headers
  set('ETag', answer.etag)
  shared.set('X-Request-Id', requestId)
  setLimits(decision)
  const ifNoneMatch = reply.status === 200 ? sent.get('if-none-match') : null
  const held = ifNoneMatch !== null && holdsAlready(ifNoneMatch, answer.etag)
  const encoding: Encoding =
    !held && answer.head.length >= LEAST_COMPRESSED_BYTES ? bestEncoding(sent.get('accept-encoding')) : 'identity'
  if (encoding === 'identity') unset('Content-Encoding')
  else set('Content-Encoding', encoding)
  if (held) return new Response(null, { status: 304, headers: withMore(shared, reply.headers) })
  return new Response(answer.body(encoding, now), { status: reply.status, headers: withMore(shared, reply.headers) })
}

export function refusalResponse(error: ApiError, requestId: string, decision: Decision | null, now: number): Response {
  const headers = new Headers({ 'Content-Type': 'application/json; charset=utf-8', 'X-Request-Id': requestId })
  if (decision) for (const [name, value] of limitHeaders(decision)) headers.set(name, value)
  return new Response(refusalBody(error, now), { status: error.status, headers: withMore(headers, error.headers) })
}

/** A refusal meant for the caller stays as it is; anything else is a bug of ours, about which the caller learns nothing. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  return new ApiError(
    'INTERNAL_ERROR',
    'Something went wrong on our side. Try again; if it stays, quote the X-Request-Id.',
    {
      cause: error,
    },
  )
}

function withMore(headers: Headers, more: Readonly<Record<string, string>> | undefined): Headers {
  if (!more) return headers
  const own = new Headers(headers)
  for (const [name, value] of Object.entries(more)) own.set(name, value)
  return own
}

function setLimits(decision: Decision | null): void {
  if (decision) for (const [name, value] of limitHeaders(decision)) set(name, value)
}

function limitHeaders({ limit, remaining, resetAtEpochSeconds }: Decision): [string, string][] {
  const secondsLeft = Math.max(0, resetAtEpochSeconds - Math.floor(Date.now() / 1000))
  return [
    ['X-RateLimit-Limit', String(limit)],
    ['X-RateLimit-Remaining', String(remaining)],
    ['X-RateLimit-Reset', String(resetAtEpochSeconds)],
    ['RateLimit-Policy', `"per-minute";q=${limit};w=60`],
    ['RateLimit', `"per-minute";r=${remaining};t=${secondsLeft}`],
  ]
}
