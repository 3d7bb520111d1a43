import type { CachedKey } from '../auth/auth-store.ts'
import type { AuthenticatedCaller, Connection } from '../http/context.ts'
import { type CallApi, readApiResult, toApiRequest } from './api-client.ts'

type ServiceHandle = {
  readonly serve: (request: Request, connection: Connection) => Response | Promise<Response>
  readonly baseUrl: string
}

/** The API of this very process, in the name of somebody who was admitted: checked and logged like any request to it. */
export function inProcessApi(
  { serve, baseUrl }: ServiceHandle,
  admitted: AuthenticatedCaller,
  headers: Readonly<Record<string, string>> = {},
): CallApi {
  const connection: Connection = { requestIP: () => null, authenticated: admitted }
  return async (call) => readApiResult(await serve(toApiRequest(call, baseUrl, headers), connection))
}

/** Whoever may read the store may do everything with it, in an organization's name and as often as they like. */
export function localCaller(organizationId: string): AuthenticatedCaller {
  const key: CachedKey = {
    id: 'command line',
    hash: '',
    organizationId,
    tier: 'enterprise',
    name: 'command line',
    rights: [],
    limitPerMinute: null,
    ownLimitPerMinute: null,
    restriction: null,
    expiresAt: null,
    revokedAt: null,
    revision: 0,
  }
  const limit = { allowed: true, limit: 0, remaining: 0, resetAtEpochSeconds: 0, retryAfterSeconds: 0 }
  return { key, rateLimit: limit }
}
