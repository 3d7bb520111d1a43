import { ApiError } from '../errors.ts'
import { type Exchange, type Gate, serveApi } from './api.ts'
import { asApiError, refusalResponse, replyResponse } from './reply.ts'
import { requestIdFrom } from './request-id.ts'
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

/** Takes every request: finds what it is for, lets it through the gate, and turns whatever comes of it into an answer. */
export function requestHandler(parts: HandlerParts): RequestHandler {
  const { exact, below } = tableOf(parts)
  const cors = corsHeaders(parts.corsOrigins)

  return (request, peers) => {
    const started = performance.now()
    const now = Date.now()
    const { url, method } = request
    const pathStart = url.indexOf('/', 8)
    const queryStart = url.indexOf('?', pathStart)
    const path = pathStart < 0 ? '/' : queryStart < 0 ? url.slice(pathStart) : url.slice(pathStart, queryStart)
    const requestId = requestIdFrom(request.headers.get('x-request-id'))
    const exchange: Exchange = {
      request,
      url,
      method,
      requestId,
      now,
      address: () => addressOf(request, peers, parts.trustProxy),
      key: null,
      decision: null,
    }
    let entry: Entry | undefined

    const end = (response: Response): Response => {
      if (cors) cors(request, response)
      const finished: Finished = {
        requestId,
        method,
        route: entry?.name ?? 'unknown',
        status: response.status,
        durationMs: performance.now() - started,
        keyId: exchange.key?.id ?? null,
        organizationId: exchange.key?.organizationId ?? null,
      }
      parts.log.request(finished, now)
      parts.finished(finished, now)
      return response
    }
    const refuse = (error: unknown): Response => {
      const refusal = asApiError(error)
      if (refusal.cause !== undefined) {
        parts.log.error(refusal.code === 'INTERNAL_ERROR' ? 'request failed' : 'request refused', {
          request_id: requestId,
          route: entry?.name ?? 'unknown',
          code: refusal.code,
          cause: describe(refusal.cause),
        })
      }
      return end(refusalResponse(refusal, requestId, exchange.decision, now))
    }

    try {
      entry = exact.get(path) ?? below.find(([prefix]) => path.startsWith(prefix))?.[1]
      if (!entry) throw new ApiError('NOT_FOUND', 'There is nothing at this path. GET /docs lists what there is.')
      if (cors && method === 'OPTIONS') return end(preflight(entry, requestId))
      const target = entry.byMethod.get(method) ?? (method === 'HEAD' ? entry.byMethod.get('GET') : undefined)
      if (!target) {
        throw new ApiError('METHOD_NOT_ALLOWED', `This path takes ${entry.allow} only.`, {
          headers: { Allow: entry.allow },
        })
      }
      if ('tier' in target) {
        const reply = serveApi(parts.gate, target, exchange)
        if (reply instanceof Promise) {
          return reply
            .then((made) => end(replyResponse(made, request, requestId, exchange.decision, now)))
            .catch(refuse)
        }
        return end(replyResponse(reply, request, requestId, exchange.decision, now))
      }
      const response = target.handle({ request, method, url, path, requestId, now, address: exchange.address })
      if (response instanceof Promise) return response.then((made) => end(withId(made, requestId))).catch(refuse)
      return end(withId(response, requestId))
    } catch (error) {
      return refuse(error)
    }
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
