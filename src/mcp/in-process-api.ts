import { standInKey } from '../auth/cached-key.ts'
import type { AuthenticatedCaller, Connection } from '../http/context.ts'
import { type CallApi, readApiResult, toApiRequest } from './api-client.ts'

type ServiceHandle = {
  readonly serve: (request: Request, connection: Connection) => Response | Promise<Response>
  readonly baseUrl: string
}

/** The API of this process on behalf of an authenticated caller; calls are checked and logged like any request. */
export function inProcessApi(
  { serve, baseUrl }: ServiceHandle,
  caller: AuthenticatedCaller,
  headers: Readonly<Record<string, string>> = {},
): CallApi {
  const connection: Connection = { requestIP: () => null, authenticated: caller }
  return async (call) => readApiResult(await serve(toApiRequest(call, baseUrl, headers), connection))
}

/** For the command line: with access to the database every call for an organization is allowed, without a limit. */
export function localCaller(organizationId: string): AuthenticatedCaller {
  const key = standInKey({ id: 'command line', name: 'command line', organizationId, tier: 'enterprise' })
  const rateLimit = { allowed: true, limit: 0, remaining: 0, resetAtEpochSeconds: 0, retryAfterSeconds: 0 }
  return { key, rateLimit }
}
