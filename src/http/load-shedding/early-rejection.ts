import { errorDocsAnchor } from '../../contract/errors.ts'
import type { Log } from '../../lib/log.ts'
import type { ApiError } from '../api-error.ts'
import { parseBearerToken } from '../bearer-token.ts'
import { acceptRequestId } from '../request-id.ts'
import { errorResponse } from '../response.ts'
import type { Fetch } from '../server.ts'
import { type ConcurrencyLimit, ORGANIZATION_LIMIT_REACHED, OVERLOADED } from './concurrency-limit.ts'
import type { LoopLagController } from './loop-lag.ts'

type RejectedKey = { readonly id: string; readonly organizationId: string }

export type RejectedRequest = { readonly route: string; readonly key: RejectedKey | null; readonly now: number }

export type EarlyRejectionDependencies = {
  readonly concurrency: ConcurrencyLimit
  readonly loopLag: Pick<LoopLagController, 'onRequest' | 'isIterationSlow'>
  /** The valid key of a secret if it is in memory. */
  readonly findCachedKey: (secret: string, now: number) => RejectedKey | undefined
  /** Paths whose requests have a body and take a slot. */
  readonly paths: readonly string[]
  readonly baseUrl: string
  /** Whether CORS is on: requests with an Origin go to the router, which adds the CORS headers. */
  readonly allowsCrossOrigin: boolean
  readonly log: Pick<Log, 'warn'>
  /** Called for every rejected request. */
  readonly onReject: (rejected: RejectedRequest) => void
}

const LOG_EVERY_MS = 1_000

/**
 * Rejects requests with a body before the router sees them. Under overload the cost of a rejection decides how many
 * requests can be served, so it does little: Bun matches the path, rejections are logged once a second, and the key is
 * only looked up if its organization may be over its limit.
 */
export function earlyRejection(dependencies: EarlyRejectionDependencies, next: Fetch): Readonly<Record<string, Fetch>> {
  const { concurrency, loopLag, findCachedKey, log } = dependencies
  const docsUrl = ({ code }: ApiError) => `${dependencies.baseUrl}/docs#${errorDocsAnchor(code)}`
  let iterationEnd: Promise<void> | undefined
  let unlogged = 0

  /** In a slow iteration rejections wait for its end: a client that waits sends nothing, so the loop gets to other work. */
  function nextIteration(): Promise<void> {
    iterationEnd ??= new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      iterationEnd = undefined
    })
    return iterationEnd
  }

  function logRejections(): void {
    log.warn('load shedding: requests rejected', { rejected: unlogged, in_seconds: LOG_EVERY_MS / 1000 })
    unlogged = 0
  }

  function reject(request: Request, rejected: RejectedRequest): Response | Promise<Response> {
    if (unlogged++ === 0) setTimeout(logRejections, LOG_EVERY_MS).unref()
    dependencies.onReject(rejected)
    const error = rejected.key === null ? OVERLOADED : ORGANIZATION_LIMIT_REACHED
    const facts = { id: acceptRequestId(request.headers.get('x-request-id')), rateLimit: null }
    const respond = () => errorResponse(error, facts, docsUrl(error), rejected.now)
    return loopLag.isIterationSlow() ? nextIteration().then(respond) : respond()
  }

  function handlerFor(route: string): Fetch {
    return (request, connection) => {
      const isNearLimit = concurrency.isNearLimit()
      loopLag.onRequest(isNearLimit)
      if (!isNearLimit || (dependencies.allowsCrossOrigin && request.headers.has('origin'))) {
        return next(request, connection)
      }
      const now = Date.now()
      if (concurrency.isFull()) return reject(request, { route, key: null, now })
      const key = findCachedKey(parseBearerToken(request.headers.get('authorization')) ?? '', now)
      if (!key || !concurrency.rejectionFor(key.organizationId)) return next(request, connection)
      return reject(request, { route, key, now })
    }
  }

  return Object.fromEntries(dependencies.paths.map((path) => [path, handlerFor(path)]))
}
