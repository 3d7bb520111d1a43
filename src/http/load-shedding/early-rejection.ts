import type { CachedKey } from '../../auth/auth-store.ts'
import type { KeyCache } from '../../auth/key-cache.ts'
import { errorDocsAnchor } from '../../contract/errors.ts'
import type { Log } from '../../lib/log.ts'
import type { ApiError } from '../api-error.ts'
import { parseBearerToken } from '../bearer-token.ts'
import { acceptRequestId, newRequestId } from '../request-id.ts'
import { prebuiltErrorResponse } from '../response.ts'
import type { Fetch } from '../server.ts'
import { type ConcurrencyLimit, ORGANIZATION_LIMIT_REACHED, OVERLOADED } from './concurrency-limit.ts'
import type { LoopLagController } from './loop-lag.ts'

export type RejectedRequest = { readonly route: string; readonly key: CachedKey | null; readonly now: number }

export type EarlyRejectionDependencies = {
  readonly concurrency: ConcurrencyLimit
  readonly loopLag: Pick<LoopLagController, 'onRequest' | 'isIterationSlow'>
  readonly keyCache: Pick<KeyCache, 'findCached'>
  /** The paths that take a body, and with it room. */
  readonly paths: readonly string[]
  readonly baseUrl: string
  /** Whether scripts of other origins may call us: they must be told so in the answer too, which the router does. */
  readonly allowsCrossOrigin: boolean
  readonly log: Pick<Log, 'warn'>
  /** Called for each that was refused here. */
  readonly onReject: (refused: RejectedRequest) => void
}

const LOG_EVERY_MS = 1_000

/**
 * Stands before the router, at the paths that take a body. Where there are three requests and room for one, two have to be
 * refused, and what a refusal costs decides how many can be served. So as little as possible is done for it: the server
 * underneath has found the path, no line in the log is written for each, and the key is looked at only where its
 * organization may be the one that has too much.
 */
export function earlyRejection(parts: EarlyRejectionDependencies, next: Fetch): Readonly<Record<string, Fetch>> {
  const { concurrency: admission, loopLag: room, keyCache: keyring, log } = parts
  const responseFor = (error: ApiError) =>
    prebuiltErrorResponse(error, `${parts.baseUrl}/docs#${errorDocsAnchor(error.code)}`)
  const overloaded = responseFor(OVERLOADED)
  const organizationLimitReached = responseFor(ORGANIZATION_LIMIT_REACHED)
  let iterationEnd: Promise<void> | undefined
  let unlogged = 0

  /**
   * When the loop has come round. In a long turn refusals wait for that: whoever waits for an answer sends nothing, so the
   * loop cannot be kept from everything but reading and refusing.
   */
  function nextIteration(): Promise<void> {
    iterationEnd ??= new Promise<void>((called) => setImmediate(called)).then(() => {
      iterationEnd = undefined
    })
    return iterationEnd
  }

  function logRejections(): void {
    log.warn('requests were refused for want of room', { refused: unlogged })
    unlogged = 0
  }

  function reject(request: Request, refused: RejectedRequest): Response | Promise<Response> {
    if (unlogged++ === 0) setTimeout(logRejections, LOG_EVERY_MS).unref()
    parts.onReject(refused)
    const sentId = request.headers.get('x-request-id')
    const facts = { id: sentId === null ? newRequestId() : acceptRequestId(sentId), now: refused.now }
    const refusal = refused.key === null ? overloaded : organizationLimitReached
    return room.isIterationSlow() ? nextIteration().then(() => refusal(facts)) : refusal(facts)
  }

  function at(route: string): Fetch {
    return (request, connection) => {
      const isTight = admission.isNearLimit()
      room.onRequest(isTight)
      if (!isTight || (parts.allowsCrossOrigin && request.headers.has('origin'))) {
        return next(request, connection)
      }
      const now = Date.now()
      if (admission.isFull()) return reject(request, { route, key: null, now })
      const key = keyring.findCached(parseBearerToken(request.headers.get('authorization')) ?? '', now)
      if (!key || !admission.rejectionFor(key.organizationId)) return next(request, connection)
      return reject(request, { route, key, now })
    }
  }

  return Object.fromEntries(parts.paths.map((path) => [path, at(path)]))
}
