import type { Connection } from '../http/context.ts'
import type { Principal } from '../http/principal.ts'
import { type CallApi, readApiResult, toApiRequest } from './api-client.ts'

type ServiceHandle = {
  readonly serve: (request: Request, connection: Connection) => Response | Promise<Response>
  readonly baseUrl: string
}

/** The API of this process on behalf of an authenticated principal; calls are checked and logged like any request. */
export function inProcessApi(
  { serve, baseUrl }: ServiceHandle,
  principal: Principal,
  headers: Readonly<Record<string, string>> = {},
): CallApi {
  const connection: Connection = { requestIP: () => null, principal }
  return async (call) => readApiResult(await serve(toApiRequest(call, baseUrl, headers), connection))
}
