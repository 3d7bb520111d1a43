import type { ApiError } from '../errors.ts'
import type { Decision } from '../ratelimit/limiter.ts'
import { field, fieldsOf, type Outgoing, sendable } from '../wire/outgoing.ts'
import type { RequestHeaders } from '../wire/request-head.ts'
import { refusalBody } from './envelope.ts'
import { limitFields } from './limit-headers.ts'
import { bestEncoding, type Encoding, holdsAlready } from './negotiation.ts'
import { JSON_FIELD, READY_FIELDS, type ReadyAnswer } from './ready.ts'

/** What a route came to, before it is put on the wire. */
export type Reply = {
  readonly status: number
  readonly answer: ReadyAnswer
  readonly headers: Readonly<Record<string, string>> | undefined
  /** Made for this one call (a lookup, a history): it has no tag, and a caller cannot hold it already. */
  readonly isOwn: boolean
}

/** Below this, compressing costs more than it saves. */
const LEAST_COMPRESSED_BYTES = 860

/** For people in the dashboard no limit applies, and every page of theirs gets its id in one place: both are null then. */
export function replyOutgoing(
  { status, answer, headers, isOwn }: Reply,
  sent: RequestHeaders,
  requestId: string | null,
  decision: Decision | null,
  now: number,
): Outgoing {
  const id = requestId === null ? '' : `X-Request-Id: ${requestId}\r\n`
  const limits = decision === null ? '' : limitFields(decision, now)
  let fields = `${isOwn ? READY_FIELDS : answer.fields}${id}${limits}`
  if (headers !== undefined) fields += fieldsOf(headers)
  const ifNoneMatch = isOwn || status !== 200 ? null : sent.get('if-none-match')
  if (ifNoneMatch !== null && holdsAlready(ifNoneMatch, answer.etag)) return { status: 304, fields, body: null }
  const encoding: Encoding =
    answer.head.length >= LEAST_COMPRESSED_BYTES ? bestEncoding(sent.get('accept-encoding')) : 'identity'
  if (encoding !== 'identity') fields += field('Content-Encoding', encoding)
  return { status, fields, body: answer.body(encoding, now) }
}

export function refusalOutgoing(error: ApiError, requestId: string, decision: Decision | null, now: number): Outgoing {
  const limits = decision === null ? '' : limitFields(decision, now)
  const fields = `${JSON_FIELD}X-Request-Id: ${requestId}\r\n${limits}${fieldsOf(error.headers)}`
  return { status: error.status, fields, body: sendable(refusalBody(error, now)) }
}
