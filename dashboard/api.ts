import i18next from 'i18next'
import type { ErrorCode } from '../src/contract/error-catalogue.ts'
import type { HistoryMeta, PageMeta } from '../src/contract/paging.ts'
import { reportConnection } from './connection.ts'
import type { GetData, GetPath, PostBody, PostData, PostPath } from './endpoint-types.ts'

/** Error codes of the service, and two of the dashboard: no response, or one that is not of the service. */
type RequestErrorCode = ErrorCode | 'UNREACHABLE' | 'UNREADABLE'

/** An error response. Decide by the code, never by the message. */
export class RequestError extends Error {
  constructor(
    readonly status: number,
    readonly code: RequestErrorCode,
    message: string,
    readonly field?: string,
  ) {
    super(message)
  }
}

export type ApiResponse<T> = {
  readonly data: T
  readonly meta: PageMeta | HistoryMeta | undefined
  readonly rawBody: string
}

async function sendRequest<T>(path: string, init: RequestInit): Promise<ApiResponse<T>> {
  let response: Response
  try {
    response = await fetch(path, { ...init, credentials: 'same-origin' })
  } catch (error) {
    if (init.signal?.aborted) throw error
    reportConnection(false)
    throw new RequestError(0, 'UNREACHABLE', i18next.t('request.unreachable'))
  }
  reportConnection(true)
  const text = await response.text()
  const body = parseEnvelope(text, response.status)
  if (response.ok) return { data: body.data, meta: body.meta, rawBody: text }
  const { code, message, details } = body.error
  throw new RequestError(response.status, code, message, details?.[0]?.field)
}

/** A proxy may respond with a page of its own. */
function parseEnvelope(text: string, status: number) {
  try {
    return JSON.parse(text)
  } catch {
    throw new RequestError(status, 'UNREADABLE', i18next.t('request.unreadable'))
  }
}

export const apiGet = <P extends GetPath>(path: P, signal?: AbortSignal) =>
  sendRequest<GetData<P>>(path, signal ? { signal } : {})

export const apiPost = <P extends PostPath>(path: P, body: PostBody<P>, signal?: AbortSignal) =>
  sendRequest<PostData<P>>(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal ? { signal } : {}),
  })

/** Sends bytes unchanged. */
export const apiUpload = <P extends PostPath>(path: P, bytes: Blob, signal: AbortSignal) =>
  sendRequest<PostData<P>>(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/octet-stream' },
    body: bytes,
    signal,
  })
