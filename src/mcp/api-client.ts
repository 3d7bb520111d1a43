import type { Endpoint } from '../contract/endpoints.ts'
import type { ErrorCode } from '../contract/errors.ts'
import { fillPath } from '../contract/path-template.ts'

/** A request to an endpoint of the contract, before it is known whether it is made in this process or over the network. */
export type ApiCall = {
  readonly endpoint: Endpoint
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number | undefined>>
  readonly body?: unknown
}

/** What came back: the data of a success, or why it was refused. */
export type ApiResult =
  | { readonly success: true; readonly data: unknown; readonly meta?: unknown }
  | { readonly success: false; readonly code: ErrorCode; readonly message: string }

/** Asks the API in the name of whoever uses the tools. */
export type CallApi = (call: ApiCall) => Promise<ApiResult>

/** Where a call goes: the path with its places filled, and its query. */
function requestPath({ endpoint, params = {}, query = {} }: ApiCall): string {
  const sent = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) sent.set(name, String(value))
  return `${fillPath(endpoint.path, params)}${sent.size > 0 ? `?${sent}` : ''}`
}

/** The request that a call is, to a service at this address. */
export function toApiRequest(call: ApiCall, baseUrl: string, headers: Readonly<Record<string, string>>): Request {
  const sent = { Accept: 'application/json', ...headers }
  const { method } = call.endpoint
  if (method === 'GET') return new Request(`${baseUrl}${requestPath(call)}`, { method, headers: sent })
  return new Request(`${baseUrl}${requestPath(call)}`, {
    method,
    headers: { ...sent, 'Content-Type': 'application/json' },
    body: JSON.stringify(call.body),
  })
}

type Envelope = {
  readonly success: boolean
  readonly data?: unknown
  readonly meta?: unknown
  readonly error?: { readonly code: ErrorCode; readonly message: string }
}

export async function readApiResult(response: Response): Promise<ApiResult> {
  const { success, data, meta, error } = (await response.json()) as Envelope
  if (success) return { success, data, meta }
  return {
    success: false,
    code: error?.code ?? 'INTERNAL_ERROR',
    message: error?.message ?? `The service answered ${response.status}.`,
  }
}
