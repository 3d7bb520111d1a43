import type { PageMeta } from '../src/contract/paging.ts'
import type { ErrorCode } from '../src/contract/refusals.ts'

/** The codes of the service, and two of our own: nobody answered, or what came was not an answer of the service. */
type RefusalCode = ErrorCode | 'UNREACHABLE' | 'UNREADABLE'

/** A refusal of the service, in its own words. What to do is decided by the code, never by the message. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: RefusalCode,
    message: string,
    readonly field?: string,
  ) {
    super(message)
  }
}

export type Answered<T> = { readonly data: T; readonly meta: PageMeta | undefined; readonly text: string }

async function call<T>(path: string, init: RequestInit): Promise<Answered<T>> {
  let response: Response
  try {
    response = await fetch(path, { ...init, credentials: 'same-origin' })
  } catch (error) {
    if (init.signal?.aborted) throw error
    throw new Refusal(0, 'UNREACHABLE', 'The service cannot be reached. Check the connection and try again.')
  }
  const text = await response.text()
  const body = envelopeIn(text, response.status)
  if (response.ok) return { data: body.data, meta: body.meta, text }
  const { code, message, details } = body.error
  throw new Refusal(response.status, code, message, details?.[0]?.field)
}

/** A proxy in between may answer with a page of its own. */
function envelopeIn(text: string, status: number) {
  try {
    return JSON.parse(text)
  } catch {
    throw new Refusal(status, 'UNREADABLE', 'Something between this page and the service answered in its place.')
  }
}

export const get = <T>(path: string, signal?: AbortSignal) => call<T>(path, signal ? { signal } : {})

export const post = <T>(path: string, body: unknown, signal?: AbortSignal) =>
  call<T>(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal ? { signal } : {}),
  })

/** Bytes as they are. */
export const send = <T>(path: string, bytes: Blob, signal: AbortSignal) =>
  call<T>(path, { method: 'POST', headers: { 'Content-Type': 'application/octet-stream' }, body: bytes, signal })
