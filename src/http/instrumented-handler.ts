import { errorDocsAnchor } from '../contract/errors.ts'
import type { Log } from '../lib/log.ts'
import { finishSpan, runInTrace, startTrace, type TraceContext } from '../lib/trace.ts'
import { type ApiError, toApiError } from './api-error.ts'
import type { HttpContext, RequestFacts } from './context.ts'
import type { LoadShedding } from './load-shedding/load-shedding.ts'
import type { LoopStretches } from './loop-stretches.ts'
import { acceptRequestId, redactRequestId } from './request-id.ts'
import { errorResponse } from './response.ts'

export type Handler = (c: HttpContext) => Response | Promise<Response>

export type HandlerInstrumentation = {
  readonly log: Log
  /** Public URL of the service; its reference explains every error. */
  readonly baseUrl: string
  /** Called at the end of every request. */
  readonly onFinished: (facts: RequestFacts) => void
  readonly loadShedding: Pick<LoadShedding, 'throttle'>
  readonly stretches?: Pick<LoopStretches, 'begin' | 'end'>
}

/** Wraps a handler: request id, duration, errors in the envelope, a log line and metrics. */
export function instrumentHandler(observer: HandlerInstrumentation, route: string, handle: Handler): Handler {
  const docsUrl = ({ code }: ApiError) => `${observer.baseUrl}/docs#${errorDocsAnchor(code)}`

  function finishRequest(facts: RequestFacts, response: Response): Response | Promise<Response> {
    const now = performance.now()
    facts.status = response.status
    facts.durationMs = now - facts.startedMs
    observer.stretches?.end(facts)
    observer.log.request(facts, facts.now)
    observer.onFinished(facts)
    if (facts.trace) finishRequestSpan(facts.trace, facts)
    return observer.loadShedding.throttle(facts, response, now)
  }

  function respondWithError(facts: RequestFacts, error: unknown): Response | Promise<Response> {
    const apiError = toApiError(error)
    const context = { request_id: facts.loggedId, route, trace_id: facts.trace?.traceId }
    if (apiError.code === 'INTERNAL_ERROR') {
      observer.log.error('request failed', { ...context, cause: describeCause(apiError.cause) })
    } else if (apiError.status >= 500 && apiError.cause !== undefined) {
      // An error without a cause is deliberate, such as load shedding; the request's own log line is enough.
      observer.log.warn('request could not be served', { ...context, cause: String(apiError.cause) })
    }
    return finishRequest(facts, errorResponse(apiError, facts, docsUrl(apiError), Date.now()))
  }

  return (c) => {
    const facts = startRequest(c, route)
    observer.stretches?.begin(facts)
    try {
      const response = facts.trace ? runInTrace(facts.trace, () => handle(c)) : handle(c)
      if (!(response instanceof Promise)) return finishRequest(facts, response)
      return response.then(
        (finished) => finishRequest(facts, finished),
        (error) => respondWithError(facts, error),
      )
    } catch (error) {
      return respondWithError(facts, error)
    }
  }
}

/** Any other method is logged as OTHER: a log must not repeat text that a caller made up. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT'])

function startRequest(c: HttpContext, route: string): RequestFacts {
  const { headers, method } = c.req.raw
  const sentId = headers.get('x-request-id')
  const id = acceptRequestId(sentId)
  const facts: RequestFacts = {
    id,
    loggedId: sentId === null ? id : redactRequestId(id),
    method: METHODS.has(method) ? method : 'OTHER',
    route,
    now: Date.now(),
    startedMs: performance.now(),
    trace: startTrace(headers.get('traceparent')),
    principal: null,
    rateLimit: null,
    status: 0,
    durationMs: 0,
  }
  c.set('facts', facts)
  return facts
}

function finishRequestSpan(
  trace: TraceContext,
  { method, route, status, now, durationMs, loggedId }: RequestFacts,
): void {
  finishSpan(trace, {
    name: `${method} ${route}`,
    kind: 'server',
    startedAt: now,
    durationMs,
    isError: status >= 500,
    attributes: {
      'http.request.method': method,
      'http.route': route,
      'http.response.status_code': status,
      'request.id': loggedId,
    },
  })
}

function describeCause(cause: unknown): string {
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
}
