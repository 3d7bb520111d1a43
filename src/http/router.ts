import { Hono } from 'hono'
import { hasPathParameters, matchPath, toRouterPath } from '../contract/path-template.ts'
import { ApiError } from './api-error.ts'
import { type ApiDependencies, apiHandler } from './api-pipeline.ts'
import { corsHeaders, pageHeaders } from './browser-headers.ts'
import type { ApiRoute, HttpEnv } from './context.ts'
import { type Handler, type HandlerInstrumentation, instrumentHandler } from './instrumented-handler.ts'

/** Anything that is not the keyed API: health, documents, pictures, the dashboard and its own API. */
export type SiteRoute = {
  readonly method: 'GET' | 'POST'
  /** An exact path, or with "/*" at its end the path before that and everything below. */
  readonly path: string
  readonly handle: Handler
}

export type RouterDependencies = HandlerInstrumentation & {
  readonly api: ApiDependencies
  readonly apiRoutes: readonly ApiRoute[]
  readonly siteRoutes: readonly SiteRoute[]
  readonly corsOrigins: readonly string[]
  /** Whether callers reach us by https. */
  readonly isSecure: boolean
}

export type Router = Hono<HttpEnv>

const UNKNOWN_ROUTE = 'unknown'

/** Every route behind one entrance: finds what a request is for, and turns whatever comes of it into a logged answer. */
export function createRouter(parts: RouterDependencies): Router {
  const router = new Hono<HttpEnv>({ getPath: pathOf })
  const methods = new Map<string, string[]>()

  function add(method: 'GET' | 'POST' | 'DELETE', path: string, handle: Handler): void {
    methods.set(path, [...(methods.get(path) ?? []), ...(method === 'GET' ? ['GET', 'HEAD'] : [method])])
    const handler = instrumentHandler(parts, path, handle)
    router.on(method, toRouterPath(path), hasPathParameters(path) ? unlessExactPath(handler) : handler)
  }

  /** A path that stands for itself is no thing of a list: `/api/appraisals/batch` is not the appraisal called "batch". */
  function unlessExactPath(answer: Handler): Handler {
    return (c) => (wrongMethods.get(pathOf(c.req.raw)) ?? answer)(c)
  }

  for (const pages of ['/', '/dashboard/*', '/docs/*', '/account/*', '/verify/*'])
    router.use(pages, pageHeaders(parts.isSecure))
  if (parts.corsOrigins.length > 0) router.use('/api/*', corsHeaders(parts.corsOrigins))
  for (const route of parts.apiRoutes) add(route.endpoint.method, route.endpoint.path, apiHandler(parts.api, route))
  for (const { method, path, handle } of parts.siteRoutes) add(method, path, handle)

  // What no route took: the path is unknown, or known for other methods only.
  const rejectWith = (route: string, refusal: () => ApiError) =>
    instrumentHandler(parts, route, () => {
      throw refusal()
    })
  const unknownPath = rejectWith(
    UNKNOWN_ROUTE,
    () => new ApiError('NOT_FOUND', 'There is nothing at this path. GET /docs lists what there is.'),
  )
  const wrongMethods: ReadonlyMap<string, Handler> = new Map(
    [...methods].map(([path, allowed]) => [path, rejectWith(path, () => methodNotAllowedError(allowed.join(', ')))]),
  )
  router.notFound((c) => {
    const path = pathOf(c.req.raw)
    const known = wrongMethods.get(path) ?? findMatchingPattern(wrongMethods, path)
    return (known ?? unknownPath)(c)
  })
  return router
}

function findMatchingPattern<T>(byPath: ReadonlyMap<string, T>, path: string): T | undefined {
  for (const [pattern, found] of byPath) {
    if (pattern.endsWith('/*') && path.startsWith(pattern.slice(0, -1))) return found
    if (hasPathParameters(pattern) && matchPath(pattern, path)) return found
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

function methodNotAllowedError(allow: string): ApiError {
  return new ApiError('METHOD_NOT_ALLOWED', `This path takes ${allow} only.`, { headers: { Allow: allow } })
}
