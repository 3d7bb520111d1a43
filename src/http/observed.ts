import { errorAnchor } from '../contract/errors.ts'
import type { Log } from '../log.ts'
import { OVERLOADED, SHARE_TAKEN } from './admission.ts'
import { type ApiError, asApiError } from './api-error.ts'
import type { HttpContext, RequestFacts } from './context.ts'
import type { Pressure } from './pressure.ts'
import { loggedId, newRequestId, requestIdFrom } from './request-id.ts'
import { refusalResponse, repeatedRefusal } from './response.ts'

export type Handler = (c: HttpContext) => Response | Promise<Response>

export type Observer = {
  readonly log: Log
  /** Where the service is reached from outside; its reference explains every refusal. */
  readonly baseUrl: string
  /** Called at the end of every request. */
  readonly finished: (facts: RequestFacts) => void
  readonly pressure: Pick<Pressure, 'relieve'>
}

/** Around every handler: an id, the clock, refusals in the envelope, a line in the log and a count in the metrics. */
export function observed(observer: Observer, route: string, handle: Handler): Handler {
  const docsOf = ({ code }: ApiError) => `${observer.baseUrl}/docs#${errorAnchor(code)}`
  const repeated = new Map([OVERLOADED, SHARE_TAKEN].map((error) => [error, repeatedRefusal(error, docsOf(error))]))

  function end(facts: RequestFacts, response: Response): Response | Promise<Response> {
    const now = performance.now()
    facts.status = response.status
    facts.durationMs = now - facts.startedMs
    observer.log.request(facts, facts.now)
    observer.finished(facts)
    return observer.pressure.relieve(facts, response, now)
  }

  function refuse(facts: RequestFacts, error: unknown): Response | Promise<Response> {
    const refusal = asApiError(error)
    const ready = repeated.get(refusal)
    if (ready) return end(facts, ready(facts))
    const about = { request_id: facts.loggedId, route }
    if (refusal.code === 'INTERNAL_ERROR') {
      observer.log.error('request failed', { ...about, cause: describe(refusal.cause) })
    } else if (refusal.status >= 500 && refusal.cause !== undefined) {
      // A refusal without a cause was meant, such as one of many under overload; its line in the log says enough.
      observer.log.warn('request could not be served', { ...about, cause: String(refusal.cause) })
    }
    return end(facts, refusalResponse(refusal, facts, docsOf(refusal), Date.now()))
  }

  return (c) => {
    const facts = begin(c, route)
    try {
      const response = handle(c)
      if (!(response instanceof Promise)) return end(facts, response)
      return response.then(
        (made) => end(facts, made),
        (error) => refuse(facts, error),
      )
    } catch (error) {
      return refuse(facts, error)
    }
  }
}

/** A log repeats no word that a stranger made up. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT'])

function begin(c: HttpContext, route: string): RequestFacts {
  const { headers, method } = c.req.raw
  const sentId = headers.get('x-request-id')
  const id = sentId === null ? newRequestId() : requestIdFrom(sentId)
  const facts: RequestFacts = {
    id,
    loggedId: sentId === null ? id : loggedId(id),
    method: METHODS.has(method) ? method : 'OTHER',
    route,
    now: Date.now(),
    startedMs: performance.now(),
    key: null,
    limit: null,
    status: 0,
    durationMs: 0,
  }
  c.set('facts', facts)
  return facts
}

function describe(cause: unknown): string {
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
}
