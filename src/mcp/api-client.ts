import type { Endpoint } from '../contract/endpoints.ts'
import type { ErrorCode } from '../contract/errors.ts'
import { fillPath } from '../contract/path-template.ts'

/** A call of an endpoint of the contract, in this process or over the network. */
export type ApiCall = {
  readonly endpoint: Endpoint
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number | undefined>>
  readonly body?: unknown
}

/** The data of a success, or the error. */
export type ApiResult =
  | { readonly success: true; readonly data: unknown; readonly meta?: unknown }
  | { readonly success: false; readonly code: ErrorCode; readonly message: string }

/** Calls the API on behalf of the user of the tools. */
export type CallApi = (call: ApiCall) => Promise<ApiResult>

/** Path with its parameters, and the query. */
function requestPath({ endpoint, params = {}, query = {} }: ApiCall): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value))
  return `${fillPath(endpoint.path, params)}${parameters.size > 0 ? `?${parameters}` : ''}`
}

/** The HTTP request of a call to a service at `baseUrl`. */
export function toApiRequest(call: ApiCall, baseUrl: string, headers: Readonly<Record<string, string>>): Request {
  const allHeaders = { Accept: 'application/json', ...headers }
  const { method } = call.endpoint
  if (method === 'GET') return new Request(`${baseUrl}${requestPath(call)}`, { method, headers: allHeaders })
  return new Request(`${baseUrl}${requestPath(call)}`, {
    method,
    headers: { ...allHeaders, 'Content-Type': 'application/json' },
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
    message: error?.message ?? `The service responded with status ${response.status}.`,
  }
}
