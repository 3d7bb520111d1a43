import { Hono } from 'hono'
import { cors } from 'hono/cors'
import { secureHeaders } from 'hono/secure-headers'
import { hasPlaces, placesIn, routerPath } from '../contract/path.ts'
import type { Log } from '../log.ts'
import { apiHandler, type Gate } from './api.ts'
import { ApiError, asApiError } from './api-error.ts'
import type { ApiRoute, HttpContext, HttpEnv, RequestFacts } from './context.ts'
import { loggedId, newRequestId, requestIdFrom } from './request-id.ts'
import { refusalResponse } from './response.ts'

export type Handler = (c: HttpContext) => Response | Promise<Response>

/** Anything that is not the keyed API: health, documents, pictures, the dashboard and its own API. */
export type SiteRoute = {
  readonly method: 'GET' | 'POST'
  /** An exact path, or everything below it when it ends in "/*". */
  readonly path: string
  readonly handle: Handler
}

export type RouterParts = {
  readonly gate: Gate
  readonly apiRoutes: readonly ApiRoute[]
  readonly siteRoutes: readonly SiteRoute[]
  readonly corsOrigins: readonly string[]
  /** Whether callers reach us by https. */
  readonly isSecure: boolean
  readonly log: Log
  readonly finished: (facts: RequestFacts) => void
}

export type Router = Hono<HttpEnv>

const UNKNOWN = 'unknown'

/** Every route behind one entrance: finds what a request is for, and turns whatever comes of it into a logged answer. */
export function createRouter(parts: RouterParts): Router {
  const router = new Hono<HttpEnv>({ getPath: pathOf })
  const methods = new Map<string, string[]>()

  function add(method: 'GET' | 'POST', path: string, handle: Handler): void {
    methods.set(path, [...(methods.get(path) ?? []), ...(method === 'GET' ? ['GET', 'HEAD'] : [method])])
    const answer = observed(parts, path, handle)
    router.on(method, routerPath(path), hasPlaces(path) ? unlessPlain(answer) : answer)
  }

  /** A path that stands for itself is no thing of a list: `/api/appraisals/batch` is not the appraisal called "batch". */
  function unlessPlain(answer: Handler): Handler {
    return (c) => (wrongMethods.get(pathOf(c.req.raw)) ?? answer)(c)
  }

  for (const pages of ['/', '/dashboard/*', '/docs/*', '/account/*']) router.use(pages, pageHeaders(parts.isSecure))
  if (parts.corsOrigins.length > 0) router.use('/api/*', corsFor(parts.corsOrigins))
  for (const route of parts.apiRoutes) add(route.endpoint.method, route.endpoint.path, apiHandler(parts.gate, route))
  for (const { method, path, handle } of parts.siteRoutes) add(method, path, handle)

  // What no route took: the path is unknown, or known for other methods only.
  const refuse = (route: string, refusal: () => ApiError) =>
    observed(parts, route, () => {
      throw refusal()
    })
  const unknownPath = refuse(
    UNKNOWN,
    () => new ApiError('NOT_FOUND', 'There is nothing at this path. GET /docs lists what there is.'),
  )
  const wrongMethods: ReadonlyMap<string, Handler> = new Map(
    [...methods].map(([path, allowed]) => [path, refuse(path, () => methodNotAllowed(allowed.join(', ')))]),
  )
  router.notFound((c) => {
    const path = pathOf(c.req.raw)
    const known = wrongMethods.get(path) ?? fitting(wrongMethods, path)
    return (known ?? unknownPath)(c)
  })
  return router
}

function fitting<T>(byPath: ReadonlyMap<string, T>, path: string): T | undefined {
  for (const [pattern, found] of byPath) {
    if (pattern.endsWith('/*') && path.startsWith(pattern.slice(0, -1))) return found
    if (hasPlaces(pattern) && placesIn(pattern, path)) return found
  }
  return undefined
}

/** The path as it was sent: nothing in it is decoded, so that no spelling leads to a route but the route's own. */
function pathOf(request: Request): string {
  const { url } = request
  // Without a usable Host header the address is the path alone.
  const start = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('//') + 2)
  const query = url.indexOf('?', start)
  const path = url.slice(start, query < 0 ? undefined : query)
  const fragment = path.indexOf('#')
  return fragment < 0 ? path : path.slice(0, fragment)
}

/** Around every handler: an id, the clock, refusals in the envelope, a line in the log and a count in the metrics. */
function observed(parts: Pick<RouterParts, 'log' | 'finished'>, route: string, handle: Handler): Handler {
  function end(facts: RequestFacts, response: Response): Response {
    facts.status = response.status
    facts.durationMs = performance.now() - facts.startedMs
    parts.log.request(facts, facts.now)
    parts.finished(facts)
    return response
  }

  function refuse(facts: RequestFacts, error: unknown): Response {
    const refusal = asApiError(error)
    const about = { request_id: facts.loggedId, route }
    if (refusal.code === 'INTERNAL_ERROR') {
      parts.log.error('request failed', { ...about, cause: describe(refusal.cause) })
    } else if (refusal.status >= 500 && refusal.cause !== undefined) {
      // A refusal without a cause was meant, such as one of many under overload; its line in the log says enough.
      parts.log.warn('request could not be served', { ...about, cause: String(refusal.cause) })
    }
    return end(facts, refusalResponse(refusal, facts, Date.now()))
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

function methodNotAllowed(allow: string): ApiError {
  return new ApiError('METHOD_NOT_ALLOWED', `This path takes ${allow} only.`, { headers: { Allow: allow } })
}

function describe(cause: unknown): string {
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
}

/** Pages need nothing from another host, run no inline script, and may not be framed. */
function pageHeaders(isSecure: boolean) {
  return secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      imgSrc: ["'self'", 'data:'],
      connectSrc: ["'self'"],
      formAction: ["'self'"],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
    },
    strictTransportSecurity: isSecure,
  })
}

function corsFor(origins: readonly string[]) {
  return cors({
    origin: origins.includes('*') ? '*' : [...origins],
    allowMethods: ['GET', 'HEAD', 'POST'],
    allowHeaders: ['Authorization', 'Content-Type', 'If-None-Match', 'X-Request-Id', 'Idempotency-Key'],
    exposeHeaders: [
      'ETag',
      'Retry-After',
      'X-Request-Id',
      'X-RateLimit-Limit',
      'X-RateLimit-Remaining',
      'X-RateLimit-Reset',
      'RateLimit',
      'RateLimit-Policy',
      'Idempotency-Replayed',
    ],
    maxAge: 600,
  })
}
