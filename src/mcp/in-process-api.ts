import type { HeldKey } from '../access/store.ts'
import type { Admitted, Connection } from '../http/context.ts'
import { type CallApi, replyOf, requestOf } from './api-call.ts'

type Service = {
  readonly serve: (request: Request, connection: Connection) => Response | Promise<Response>
  readonly baseUrl: string
}

/** The API of this very process, in the name of somebody who was admitted: checked and logged like any request to it. */
export function inProcessApi(
  { serve, baseUrl }: Service,
  admitted: Admitted,
  headers: Readonly<Record<string, string>> = {},
): CallApi {
  const connection: Connection = { requestIP: () => null, admitted }
  return async (call) => replyOf(await serve(requestOf(call, baseUrl, headers), connection))
}

/** Whoever may read the store may do everything with it, in an organization's name and as often as they like. */
export function atTheStore(organizationId: string): Admitted {
  const key: HeldKey = {
    id: 'command line',
    hash: '',
    organizationId,
    tier: 'enterprise',
    rights: [],
    limitPerMinute: null,
    ownLimitPerMinute: null,
    restriction: null,
    expiresAt: null,
    revokedAt: null,
    revision: 0,
  }
  const limit = { allowed: true, limit: 0, remaining: 0, resetAtEpochSeconds: 0, retryAfterSeconds: 0 }
  return { key, limit }
}
