import i18next from 'i18next'
import type { ErrorCode } from '../src/contract/error-catalogue.ts'
import type { HistoryMeta, PageMeta } from '../src/contract/paging.ts'
import { fillPath } from '../src/contract/path-template.ts'
import type { ReasonCode } from '../src/lib/reasons.ts'
import { reportConnection } from './connection.ts'
import type { ApiData, ApiRequest, ApiRouteName } from './endpoint-types.ts'
import { errorText } from './error-text.ts'

/** Error codes of the service, and two of the dashboard: no response, or one that is not of the service. */
type RequestErrorCode = ErrorCode | 'UNREACHABLE' | 'UNREADABLE'

/** An error response. Decide by the code, never by the message. */
export class RequestError extends Error {
  constructor(
    readonly status: number,
    readonly code: RequestErrorCode,
    message: string,
    readonly field?: string,
    readonly reasonCode?: ReasonCode,
    /** When to try again, in seconds. */
    readonly retryAfter?: number,
  ) {
    super(message)
  }
}

export type ApiResponse<T> = {
  readonly data: T
  readonly meta: PageMeta | HistoryMeta | undefined
  readonly rawBody: string
}

async function fetchOwn(path: string, init: RequestInit): Promise<Response> {
  let response: Response
  try {
    // The header proves to the service that a page of ours sends the request.
    const headers = { ...init.headers, 'X-Requested-With': 'dashboard' }
    response = await fetch(path, { ...init, headers, credentials: 'same-origin' })
  } catch (error) {
    if (init.signal?.aborted) throw error
    reportConnection(false)
    throw new RequestError(0, 'UNREACHABLE', i18next.t('request.unreachable'))
  }
  reportConnection(true)
  return response
}

async function sendRequest<T>(path: string, init: RequestInit): Promise<ApiResponse<T>> {
  const response = await fetchOwn(path, init)
  const text = await response.text()
  const body = parseEnvelope(text, response.status)
  if (response.ok) return { data: body.data, meta: body.meta, rawBody: text }
  throw toRequestError(response, body)
}

function toRequestError({ status, headers }: Response, body: ReturnType<typeof parseEnvelope>): RequestError {
  const { code, details, reason_code: reasonCode } = body.error
  const retryAfter = Number(headers.get('Retry-After')) || undefined
  return new RequestError(status, code, errorText(body.error), details?.[0]?.field, reasonCode, retryAfter)
}

/** A proxy may respond with a page of its own. */
function parseEnvelope(text: string, status: number) {
  try {
    return JSON.parse(text)
  } catch {
    throw new RequestError(status, 'UNREADABLE', i18next.t('request.unreadable'))
  }
}

/** Sends a request of the contract. With an idempotency key it may be sent again if no response arrived. */
export function callApi<R extends ApiRouteName>(
  route: R,
  request: ApiRequest<R>,
  signal?: AbortSignal,
  idempotencyKey?: string,
): Promise<ApiResponse<ApiData<R>>> {
  const [method = ''] = route.split(' ')
  const { body } = request as { readonly body?: unknown }
  return sendRequest(apiUrl(route, request), {
    method,
    headers: {
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(idempotencyKey ? { 'Idempotency-Key': idempotencyKey } : {}),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  })
}

/** The file of an operation, such as a list with `format=csv`. A link could not send the header of our pages. */
async function fetchFile<R extends ApiRouteName>(route: R, request: ApiRequest<R>): Promise<File> {
  const response = await fetchOwn(apiUrl(route, request), {})
  if (!response.ok) throw toRequestError(response, parseEnvelope(await response.text(), response.status))
  const disposition = response.headers.get('Content-Disposition') ?? ''
  const [, encoded] = /filename\*=UTF-8''([^;]+)/.exec(disposition) ?? []
  const name = encoded ? decodeURIComponent(encoded) : (/filename="([^"]+)"/.exec(disposition)?.[1] ?? 'download')
  const blob = await response.blob()
  return new File([blob], name, { type: blob.type })
}

/** Saves the file of an operation, under the name that the service gives it by default. */
export async function downloadApi<R extends ApiRouteName>(
  route: R,
  request: ApiRequest<R>,
  fileName?: string,
): Promise<void> {
  const file = await fetchFile(route, request)
  saveFile(fileName ?? file.name, file)
}

/** Lets the browser save the content as a file. */
export function saveFile(name: string, content: Blob): void {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}

/** Path and query of a request. */
function apiUrl<R extends ApiRouteName>(route: R, request: ApiRequest<R>): string {
  const { params = {}, query = {} } = request as {
    readonly params?: Readonly<Record<string, string>>
    readonly query?: Readonly<Record<string, unknown>>
  }
  const encodedParams = Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, encodeURIComponent(value)]),
  )
  const path = fillPath(route.split(' ')[1] ?? '', encodedParams)
  const sent = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === null || value === '' ? [] : [[name, String(value)]],
  )
  return sent.length > 0 ? `${path}?${new URLSearchParams(sent)}` : path
}
