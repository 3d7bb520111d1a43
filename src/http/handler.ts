import { ApiError } from '../errors.ts'
import { type Exchange, type Gate, serveApi } from './api.ts'
import { asApiError, type Reply, refusalResponse, replyResponse } from './reply.ts'
import { loggedId, requestIdFrom } from './request-id.ts'
import type { Finished, Log } from './request-log.ts'
import type { ApiRoute } from './route.ts'

export type PageRequest = {
  readonly request: Request
  readonly method: string
  readonly url: string
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
  readonly handle: (page: PageRequest) => Response | Promise<Response>
}

export type HandlerParts = {
  readonly gate: Gate
  readonly routes: readonly ApiRoute[]
  readonly pages: readonly Page[]
  readonly corsOrigins: readonly string[]
  readonly trustProxy: boolean
  readonly log: Log
  readonly finished: (finished: Finished, now: number) => void
}

/** Who is at the other end of the connection. Bun's server is one of these. */
export type Peers = { requestIP(request: Request): { address: string } | null }

export type RequestHandler = (request: Request, peers: Peers) => Response | Promise<Response>

type Entry = { readonly name: string; readonly allow: string; readonly byMethod: Map<string, ApiRoute | Page> }

/** Where a request leads; worked out once per address, since callers repeat theirs. */
type Way = { readonly path: string; readonly entry: Entry | undefined }

type Visit = Exchange & { readonly started: number; readonly way: Way }

const MOST_WAYS = 4_000
const LONGEST_KEPT_URL = 300

/** Takes every request: finds what it is for, lets it through the gate, and turns whatever comes of it into an answer. */
export function requestHandler(parts: HandlerParts): RequestHandler {
  const findWay = wayFinder(parts)
  const cors = corsHeaders(parts.corsOrigins)

  function end(visit: Visit, response: Response): Response {
    if (cors) cors(visit.request, response)
    const { key } = visit
    const finished: Finished = {
      requestId: visit.requestId,
      method: visit.method,
      route: visit.way.entry?.name ?? 'unknown',
      status: response.status,
      durationMs: performance.now() - visit.started,
      keyId: key === null ? null : key.id,
      organizationId: key === null ? null : key.organizationId,
    }
    parts.log.request(finished, visit.now)
    parts.finished(finished, visit.now)
    return response
  }

  function refuse(visit: Visit, error: unknown): Response {
    const refusal = asApiError(error)
    if (refusal.status >= 500) {
      const facts = { request_id: loggedId(visit.requestId), route: visit.way.entry?.name ?? 'unknown' }
      if (refusal.code === 'INTERNAL_ERROR')
        parts.log.error('request failed', { ...facts, cause: describe(refusal.cause) })
      else parts.log.warn('request could not be served', { ...facts, cause: String(refusal.cause ?? refusal.message) })
    }
    return end(visit, refusalResponse(refusal, visit.requestId, visit.decision, Date.now()))
  }

  function present(visit: Visit, reply: Reply, now: number): Response {
    return end(visit, replyResponse(reply, visit.request, visit.requestId, visit.decision, now))
  }

  function serve(visit: Visit): Response | Promise<Response> {
    const { request, method, requestId, way } = visit
    const { entry } = way
    if (!entry) throw new ApiError('NOT_FOUND', 'There is nothing at this path. GET /docs lists what there is.')
    if (cors && method === 'OPTIONS') return end(visit, preflight(entry, requestId))
    const target = entry.byMethod.get(method) ?? (method === 'HEAD' ? entry.byMethod.get('GET') : undefined)
    if (!target) {
      const { allow } = entry
      throw new ApiError('METHOD_NOT_ALLOWED', `This path takes ${allow} only.`, { headers: { Allow: allow } })
    }
    if ('tier' in target) {
      const reply = serveApi(parts.gate, target, visit)
      if (!(reply instanceof Promise)) return present(visit, reply, visit.now)
      return reply.then((made) => present(visit, made, Date.now())).catch((error) => refuse(visit, error))
    }
    const { url, now, address } = visit
    const response = target.handle({ request, method, url, path: way.path, requestId, now, address })
    if (!(response instanceof Promise)) return end(visit, withId(response, requestId))
    return response.then((made) => end(visit, withId(made, requestId))).catch((error) => refuse(visit, error))
  }

  return (request, peers) => {
    const { url, method } = request
    const visit: Visit = {
      started: performance.now(),
      way: findWay(url),
      request,
      url,
      method,
      requestId: requestIdFrom(request.headers.get('x-request-id')),
      now: Date.now(),
      address: () => addressOf(request, peers, parts.trustProxy),
      key: null,
      decision: null,
    }
    try {
      return serve(visit)
    } catch (error) {
      return refuse(visit, error)
    }
  }
}

function wayFinder(parts: HandlerParts): (url: string) => Way {
  const { exact, below } = tableOf(parts)
  const known = new Map<string, Way>()
  return (url) => {
    const kept = known.get(url)
    if (kept) return kept
    const pathStart = url.indexOf('/', 8)
    const queryStart = url.indexOf('?', pathStart)
    const path = pathStart < 0 ? '/' : queryStart < 0 ? url.slice(pathStart) : url.slice(pathStart, queryStart)
    const entry = exact.get(path) ?? below.find(([prefix]) => path.startsWith(prefix))?.[1]
    const way = { path, entry }
    if (entry && url.length <= LONGEST_KEPT_URL) {
      if (known.size >= MOST_WAYS) known.clear()
      known.set(url, way)
    }
    return way
  }
}

function tableOf({ routes, pages }: HandlerParts) {
  const exact = new Map<string, Entry>()
  const below: [string, Entry][] = []
  const methodsAt = new Map<string, Map<string, ApiRoute | Page>>()
  for (const route of routes) {
    // A route that names no tier must not start, let alone answer.
    if (!route.tier) throw new Error(`${route.method} ${route.path} names no tier`)
    methodsAt.set(route.path, (methodsAt.get(route.path) ?? new Map()).set(route.method, route))
  }
  for (const page of pages) {
    const byMethod = methodsAt.get(page.path) ?? new Map()
    for (const method of page.methods) byMethod.set(method, page)
    methodsAt.set(page.path, byMethod)
  }
  for (const [path, byMethod] of methodsAt) {
    const methods = [...byMethod.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    const entry: Entry = { name: path, allow: methods.join(', '), byMethod }
    if (path.endsWith('/*')) below.push([path.slice(0, -1), entry])
    else exact.set(path, entry)
  }
  return { exact, below }
}

function withId(response: Response, requestId: string): Response {
  response.headers.set('X-Request-Id', requestId)
  return response
}

/** The first address of X-Forwarded-For only where a proxy of ours is known to set it; anyone else could write it. */
function addressOf(request: Request, peers: Peers, trustProxy: boolean): string {
  const forwarded = trustProxy ? request.headers.get('x-forwarded-for')?.split(',')[0]?.trim().slice(0, 64) : undefined
  return forwarded || peers.requestIP(request)?.address || 'unknown'
}

function corsHeaders(origins: readonly string[]): ((request: Request, response: Response) => void) | undefined {
  if (origins.length === 0) return undefined
  const any = origins.includes('*')
  return (request, response) => {
    const origin = request.headers.get('origin')
    if (origin === null || !(any || origins.includes(origin))) return
    response.headers.set('Access-Control-Allow-Origin', any ? '*' : origin)
    response.headers.append('Vary', 'Origin')
    response.headers.set(
      'Access-Control-Expose-Headers',
      'ETag, Retry-After, X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, RateLimit, RateLimit-Policy, Idempotency-Replayed',
    )
  }
}

function preflight(entry: Entry, requestId: string): Response {
  return new Response(null, {
    status: 204,
    headers: {
      'X-Request-Id': requestId,
      'Access-Control-Allow-Methods': entry.allow,
      'Access-Control-Allow-Headers': 'Authorization, Content-Type, If-None-Match, X-Request-Id, Idempotency-Key',
      'Access-Control-Max-Age': '600',
    },
  })
}

function describe(cause: unknown): string {
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
}
