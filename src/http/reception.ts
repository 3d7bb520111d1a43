import { ApiError } from '../errors.ts'
import { field, flat, type Outgoing, outgoing, withFields } from '../wire/outgoing.ts'
import type { Reception, Sender } from '../wire/reception.ts'
import type { Malformed, RequestHead, RequestHeaders } from '../wire/request-head.ts'
import { type Exchange, type Gate, serveApi } from './api.ts'
import { asApiError } from './api-error.ts'
import { type Question, question } from './query.ts'
import { type Reply, refusalOutgoing, replyOutgoing } from './reply.ts'
import { loggedId, newRequestId, requestIdFrom } from './request-id.ts'
import type { Finished, Log } from './request-log.ts'
import type { ApiRoute } from './route.ts'

export type PageRequest = {
  readonly request: RequestHead
  readonly sender: Sender
  readonly path: string
  readonly requestId: string
  readonly now: number
  readonly address: () => string
}

/** Anything that is not the keyed API: health, documents, pictures, the dashboard. */
export type Page = {
  /** An exact path, or everything below it when it ends in "/*". */
  readonly path: string
  readonly methods: readonly string[]
  readonly handle: (page: PageRequest) => Outgoing | Promise<Outgoing>
}

export type ReceptionParts = {
  readonly gate: Gate
  readonly routes: readonly ApiRoute[]
  readonly pages: readonly Page[]
  readonly corsOrigins: readonly string[]
  readonly log: Log
  readonly finished: (finished: Finished, now: number) => void
}

type Target = { readonly api: ApiRoute } | { readonly page: Page }

type Entry = {
  readonly name: string
  readonly allow: string
  /** What most requests are after. */
  readonly get: Target | undefined
  readonly byMethod: ReadonlyMap<string, Target>
}

/** Where a request leads; worked out once per target, since callers repeat theirs. */
type Way = {
  readonly path: string
  readonly entry: Entry | undefined
  /** The name of the route in logs and metrics. A made-up path may hold anything and has none. */
  readonly route: string
  readonly question: Question
}

/** A request from its arrival to its end, when it is also the record of what it came to. */
type Visit = Exchange & {
  readonly way: Way
  readonly loggedId: string
  readonly method: string
  readonly route: string
  readonly startedMs: number
  durationMs: number
  status: number
}

const MOST_WAYS = 4_000
const LONGEST_KEPT_TARGET = 300
const UNKNOWN = 'unknown'

/** Takes every request: finds what it is for, lets it through the gate, and turns whatever comes of it into an answer. */
export function reception(parts: ReceptionParts): Reception {
  const findWay = wayFinder(parts)
  const cors = corsFields(parts.corsOrigins)

  function end(visit: Visit, answer: Outgoing): Outgoing {
    visit.status = answer.status
    visit.durationMs = performance.now() - visit.startedMs
    parts.log.request(visit, visit.now)
    parts.finished(visit, visit.now)
    return cors === undefined ? answer : { ...answer, fields: answer.fields + cors(visit.request.headers) }
  }

  function refuse(visit: Visit, error: unknown): Outgoing {
    const refusal = asApiError(error)
    if (refusal.status >= 500) {
      const facts = { request_id: visit.loggedId, route: visit.route }
      if (refusal.code === 'INTERNAL_ERROR') {
        parts.log.error('request failed', { ...facts, cause: describe(refusal.cause) })
      } else if (refusal.cause !== undefined) {
        // A refusal without a cause was meant, such as one of many under overload; its line in the log says enough.
        parts.log.warn('request could not be served', { ...facts, cause: String(refusal.cause) })
      }
    }
    return end(visit, refusalOutgoing(refusal, visit.requestId, visit.decision, Date.now()))
  }

  function present(visit: Visit, reply: Reply, now: number): Outgoing {
    return end(visit, replyOutgoing(reply, visit.request.headers, visit.requestId, visit.decision, now))
  }

  function serve(visit: Visit): Outgoing | Promise<Outgoing> {
    const { entry, path } = visit.way
    const { method } = visit.request
    if (!entry) throw new ApiError('NOT_FOUND', 'There is nothing at this path. GET /docs lists what there is.')
    if (cors && method === 'OPTIONS') return end(visit, preflight(entry, visit.requestId))
    const target = method === 'GET' || method === 'HEAD' ? entry.get : entry.byMethod.get(method)
    if (!target) {
      const { allow } = entry
      throw new ApiError('METHOD_NOT_ALLOWED', `This path takes ${allow} only.`, { headers: { Allow: allow } })
    }
    if ('api' in target) {
      const reply = serveApi(parts.gate, target.api, visit)
      if (!(reply instanceof Promise)) return present(visit, reply, visit.now)
      return reply.then((made) => present(visit, made, Date.now())).catch((error) => refuse(visit, error))
    }
    const { request, sender, requestId, now } = visit
    const address = () => parts.gate.addressOf(visit)
    const made = target.page.handle({ request, sender, path, requestId, now, address })
    if (!(made instanceof Promise)) return end(visit, withId(made, requestId))
    return made.then((answer) => end(visit, withId(answer, requestId))).catch((error) => refuse(visit, error))
  }

  return {
    answer(request, sender) {
      const way = findWay(request.target)
      const sentId = request.headers.get('x-request-id')
      const requestId = sentId === null ? newRequestId() : requestIdFrom(sentId)
      const visit: Visit = {
        startedMs: performance.now(),
        now: Date.now(),
        request,
        sender,
        way,
        question: way.question,
        route: way.route,
        method: request.method,
        requestId,
        loggedId: sentId === null ? requestId : loggedId(requestId),
        key: null,
        decision: null,
        status: 0,
        durationMs: 0,
      }
      try {
        return serve(visit)
      } catch (error) {
        return refuse(visit, error)
      }
    },
    refuse(what) {
      const requestId = newRequestId()
      const now = Date.now()
      const { status, error } = refusalOfBytes(what)
      const finished = { loggedId: requestId, method: UNKNOWN, route: UNKNOWN, status, durationMs: 0, key: null }
      parts.log.request(finished, now)
      parts.finished(finished, now)
      return { ...refusalOutgoing(error, requestId, null, now), status }
    },
  }
}

/** Bytes that are no request are refused like everything else, with the status that HTTP has for them. */
function refusalOfBytes(what: Malformed | 'late'): { status: number; error: ApiError } {
  if (what === 'late')
    return { status: 408, error: new ApiError('VALIDATION_ERROR', 'The request did not arrive in time.') }
  return { status: what.status, error: new ApiError('VALIDATION_ERROR', what.why) }
}

function wayFinder(parts: ReceptionParts): (target: string) => Way {
  const { exact, below } = tableOf(parts)
  const known = new Map<string, Way>()
  return (sent) => {
    const kept = known.get(sent)
    if (kept) return kept
    // A part of a text keeps all of it in memory, and this one is a part of a head with a key in it.
    const target = flat(sent)
    const queryStart = target.search(/[?#]/)
    const path = queryStart < 0 ? target : target.slice(0, queryStart)
    const entry = exact.get(path) ?? below.find(([prefix]) => path.startsWith(prefix))?.[1]
    const way = { path, entry, route: entry?.name ?? UNKNOWN, question: question(target) }
    if (entry && target.length <= LONGEST_KEPT_TARGET) {
      if (known.size >= MOST_WAYS) known.clear()
      known.set(target, way)
    }
    return way
  }
}

function tableOf({ routes, pages }: ReceptionParts) {
  const exact = new Map<string, Entry>()
  const below: [string, Entry][] = []
  const methodsAt = new Map<string, Map<string, Target>>()
  const methodsOf = (path: string) => {
    const known = methodsAt.get(path) ?? new Map<string, Target>()
    methodsAt.set(path, known)
    return known
  }
  for (const route of routes) {
    // A route that names no tier must not start, let alone answer.
    if (!route.tier) throw new Error(`${route.method} ${route.path} names no tier`)
    methodsOf(route.path).set(route.method, { api: route })
  }
  for (const page of pages) for (const method of page.methods) methodsOf(page.path).set(method, { page })
  for (const [path, byMethod] of methodsAt) {
    const methods = [...byMethod.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    const entry: Entry = { name: path, allow: methods.join(', '), get: byMethod.get('GET'), byMethod }
    if (path.endsWith('/*')) below.push([path.slice(0, -1), entry])
    else exact.set(path, entry)
  }
  return { exact, below }
}

function withId(answer: Outgoing, requestId: string): Outgoing {
  return withFields(answer, { 'X-Request-Id': requestId })
}

/** The first address of X-Forwarded-For only where a proxy of ours is known to set it; anyone else could write it. */
export function addressFinder(trustProxy: boolean): Gate['addressOf'] {
  return ({ request, sender }) => {
    const forwarded = trustProxy
      ? request.headers.get('x-forwarded-for')?.split(',')[0]?.trim().slice(0, 64)
      : undefined
    return forwarded || sender.address() || UNKNOWN
  }
}

const EXPOSED =
  'Access-Control-Expose-Headers: ETag, Retry-After, X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, RateLimit, RateLimit-Policy, Idempotency-Replayed\r\n'

function corsFields(origins: readonly string[]): ((headers: RequestHeaders) => string) | undefined {
  if (origins.length === 0) return undefined
  const any = origins.includes('*')
  return (headers) => {
    const origin = headers.get('origin')
    if (origin === null || !(any || origins.includes(origin))) return ''
    return `${field('Access-Control-Allow-Origin', any ? '*' : origin)}Vary: Origin\r\n${EXPOSED}`
  }
}

function preflight(entry: Entry, requestId: string): Outgoing {
  return outgoing(
    204,
    {
      'X-Request-Id': requestId,
      'Access-Control-Allow-Methods': entry.allow,
      'Access-Control-Allow-Headers': 'Authorization, Content-Type, If-None-Match, X-Request-Id, Idempotency-Key',
      'Access-Control-Max-Age': '600',
    },
    null,
  )
}

function describe(cause: unknown): string {
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
}
