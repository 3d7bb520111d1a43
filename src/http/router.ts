import { Hono } from 'hono'
import type { Method } from '../contract/endpoint.ts'
import { hasPathParameters, matchPath, toRouterPath } from '../contract/path-template.ts'
import { reason } from '../lib/reasons.ts'
import { ApiError } from './api-error.ts'
import { type ApiDependencies, apiHandler } from './api-pipeline.ts'
import { corsHeaders, pageHeaders, protectResponse } from './browser-headers.ts'
import type { ApiRoute, HttpEnv } from './context.ts'
import { exactPathRouter } from './exact-path-router.ts'
import { type Handler, type HandlerInstrumentation, instrumentHandler } from './instrumented-handler.ts'

/** A route outside the keyed API: health, documents, thumbnails, the dashboard and its API. */
export type SiteRoute = {
  readonly method: Method
  /** A path with parameters in braces, or one that ends with "/*" for everything below it. */
  readonly path: string
  readonly handle: Handler
  /** Its `Content-Security-Policy` says which websites may show it in a frame. */
  readonly saysWhoFrames?: boolean
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

/** The router of all requests; every response is logged and counted. */
export function createRouter(dependencies: RouterDependencies): Router {
  const router = new Hono<HttpEnv>({ getPath: pathOf, router: exactPathRouter() })
  const methods = new Map<string, string[]>()

  function add(method: Method, path: string, handle: Handler): void {
    methods.set(path, [...(methods.get(path) ?? []), ...(method === 'GET' ? ['GET', 'HEAD'] : [method])])
    const handler = instrumentHandler(dependencies, path, handle)
    router.on(method, toRouterPath(path), hasPathParameters(path) ? unlessExactPath(handler) : handler)
  }

  /** `/api/appraisals/batch` is not the appraisal with the id "batch". */
  function unlessExactPath(handle: Handler): Handler {
    return (c) => (wrongMethods.get(pathOf(c.req.raw)) ?? handle)(c)
  }

  router.use('/dashboard/*', pageHeaders(dependencies.isSecure, { allowsWebAssembly: true }))
  for (const path of ['/', '/docs/*', '/account/*', '/verify/*']) router.use(path, pageHeaders(dependencies.isSecure))
  if (dependencies.corsOrigins.length > 0) router.use('/api/*', corsHeaders(dependencies.corsOrigins))
  for (const route of dependencies.apiRoutes)
    add(route.endpoint.method, route.endpoint.path, apiHandler(dependencies.api, route))
  for (const { method, path, handle, saysWhoFrames = false } of dependencies.siteRoutes)
    add(method, path, async (c) => protectResponse(await handle(c), { mayBeFramed: saysWhoFrames }))

  // No route matched: the path is unknown, or it exists for other methods only.
  const rejectWith = (route: string, error: () => ApiError) =>
    instrumentHandler(dependencies, route, () => {
      throw error()
    })
  const unknownPath = rejectWith(
    UNKNOWN_ROUTE,
    () => new ApiError('NOT_FOUND', 'Unknown path. GET /docs lists all endpoints.', reason('technical')),
  )
  const wrongMethods: ReadonlyMap<string, Handler> = new Map(
    [...methods].map(([path, allowed]) => [path, rejectWith(path, () => methodNotAllowedError(allowed.join(', ')))]),
  )
  router.notFound((c) => {
    const path = pathOf(c.req.raw)
    const wrongMethod = wrongMethods.get(path) ?? findMatchingPattern(wrongMethods, path)
    return (wrongMethod ?? unknownPath)(c)
  })
  return router
}

function findMatchingPattern<T>(byPath: ReadonlyMap<string, T>, path: string): T | undefined {
  for (const [pattern, value] of byPath) {
    if (pattern.endsWith('/*') && path.startsWith(pattern.slice(0, -1))) return value
    if (hasPathParameters(pattern) && matchPath(pattern, path)) return value
  }
  return undefined
}

/** The raw path, not decoded, so that only a route's exact spelling leads to it. */
function pathOf(request: Request): string {
  const { url } = request
  // Without a valid Host header the URL is only a path.
  const start = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('//') + 2)
  const query = url.indexOf('?', start)
  const path = url.slice(start, query < 0 ? undefined : query)
  const fragment = path.indexOf('#')
  return fragment < 0 ? path : path.slice(0, fragment)
}

function methodNotAllowedError(allow: string): ApiError {
  return new ApiError('METHOD_NOT_ALLOWED', `This path takes ${allow} only.`, reason('technical'), {
    headers: { Allow: allow },
  })
}
