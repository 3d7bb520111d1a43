import { errorDocsAnchor } from '../contract/errors.ts'
import type { Log } from '../lib/log.ts'
import { type ApiError, toApiError } from './api-error.ts'
import type { HttpContext, RequestFacts } from './context.ts'
import { ORGANIZATION_LIMIT_REACHED, OVERLOADED } from './load-shedding/concurrency-limit.ts'
import type { FloodProtection } from './load-shedding/flood-protection.ts'
import { acceptRequestId, newRequestId, redactRequestId } from './request-id.ts'
import { errorResponse, prebuiltErrorResponse } from './response.ts'

export type Handler = (c: HttpContext) => Response | Promise<Response>

export type HandlerInstrumentation = {
  readonly log: Log
  /** Where the service is reached from outside; its reference explains every refusal. */
  readonly baseUrl: string
  /** Called at the end of every request. */
  readonly onFinished: (facts: RequestFacts) => void
  readonly floodProtection: Pick<FloodProtection, 'throttle'>
}

/** Around every handler: an id, the clock, refusals in the envelope, a line in the log and a count in the metrics. */
export function instrumentHandler(observer: HandlerInstrumentation, route: string, handle: Handler): Handler {
  const docsOf = ({ code }: ApiError) => `${observer.baseUrl}/docs#${errorDocsAnchor(code)}`
  const prebuiltErrors = new Map(
    [OVERLOADED, ORGANIZATION_LIMIT_REACHED].map((error) => [error, prebuiltErrorResponse(error, docsOf(error))]),
  )

  function finishRequest(facts: RequestFacts, response: Response): Response | Promise<Response> {
    const now = performance.now()
    facts.status = response.status
    facts.durationMs = now - facts.startedMs
    observer.log.request(facts, facts.now)
    observer.onFinished(facts)
    return observer.floodProtection.throttle(facts, response, now)
  }

  function respondWithError(facts: RequestFacts, error: unknown): Response | Promise<Response> {
    const refusal = toApiError(error)
    const ready = prebuiltErrors.get(refusal)
    if (ready) return finishRequest(facts, ready(facts))
    const about = { request_id: facts.loggedId, route }
    if (refusal.code === 'INTERNAL_ERROR') {
      observer.log.error('request failed', { ...about, cause: describeCause(refusal.cause) })
    } else if (refusal.status >= 500 && refusal.cause !== undefined) {
      // A refusal without a cause was meant, such as one of many under overload; its line in the log says enough.
      observer.log.warn('request could not be served', { ...about, cause: String(refusal.cause) })
    }
    return finishRequest(facts, errorResponse(refusal, facts, docsOf(refusal), Date.now()))
  }

  return (c) => {
    const facts = startRequest(c, route)
    try {
      const response = handle(c)
      if (!(response instanceof Promise)) return finishRequest(facts, response)
      return response.then(
        (made) => finishRequest(facts, made),
        (error) => respondWithError(facts, error),
      )
    } catch (error) {
      return respondWithError(facts, error)
    }
  }
}

/** A log repeats no word that a stranger made up. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT'])

function startRequest(c: HttpContext, route: string): RequestFacts {
  const { headers, method } = c.req.raw
  const sentId = headers.get('x-request-id')
  const id = sentId === null ? newRequestId() : acceptRequestId(sentId)
  const facts: RequestFacts = {
    id,
    loggedId: sentId === null ? id : redactRequestId(id),
    method: METHODS.has(method) ? method : 'OTHER',
    route,
    now: Date.now(),
    startedMs: performance.now(),
    key: null,
    rateLimit: null,
    status: 0,
    durationMs: 0,
  }
  c.set('facts', facts)
  return facts
}

function describeCause(cause: unknown): string {
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
}
