import type { z } from 'zod'
import { type AccountEndpoint, type AccountRouteName, accountEndpoints } from '../../contract/account-endpoints.ts'
import { ApiError } from '../../http/api-error.ts'
import type { HttpContext } from '../../http/context.ts'
import { readJsonBody } from '../../http/json-body.ts'
import { successResponse } from '../../http/response.ts'
import type { SiteRoute } from '../../http/router.ts'
import { isSameOrigin } from '../../http/same-origin.ts'
import { reason } from '../../lib/reasons.ts'
import { parseOrThrow } from '../../lib/validate.ts'
import { type AccountDependencies, isHttps } from './account-dependencies.ts'
import { limitAttempts } from './attempt-limit.ts'
import { readSessionToken } from './session-cookie.ts'
import type { Session } from './session-store.ts'

/** Enough for the passkey of any authenticator. */
const MAX_BODY_BYTES = 48 * 1024
/** Per address; fast clicking stays far below it. */
const REQUESTS_PER_MINUTE = 600

type EndpointOf<Name extends AccountRouteName> = (typeof accountEndpoints)[Name]
type Parsed<Endpoint, Part extends 'body' | 'params'> = Endpoint extends {
  readonly [P in Part]: infer Schema extends z.ZodType
}
  ? z.output<Schema>
  : undefined

/** A request with its validated input. */
export type AccountRequest<Name extends AccountRouteName = AccountRouteName> = {
  readonly c: HttpContext
  readonly now: number
  readonly body: Parsed<EndpointOf<Name>, 'body'>
  readonly params: Parsed<EndpointOf<Name>, 'params'>
  /** Of the person who sends the request; undefined without one, which only requests of `anyone` can be. */
  readonly session: EndpointOf<Name>['access'] extends 'person' ? Session : Session | undefined
}

/** `data` of the declared type, with `Set-Cookie` values. Navigations return a redirect. */
type ResultOf<Name extends AccountRouteName> = EndpointOf<Name>['response'] extends infer Shape extends z.ZodType
  ? { readonly data: z.input<Shape>; readonly cookies?: readonly string[] }
  : Response

type AccountResult = { readonly data: unknown; readonly cookies?: readonly string[] } | Response

export type AccountRoute = {
  readonly name: AccountRouteName
  readonly handle: (request: AccountRequest) => Promise<AccountResult>
}

export const DONE = { done: true } as const

/** A request of the contract under /account with its handler. */
export function accountRoute<Name extends AccountRouteName>(
  name: Name,
  handle: (request: AccountRequest<Name>) => Promise<ResultOf<Name>>,
): AccountRoute {
  // `serve` has validated the input with the endpoint's schemas.
  return { name, handle: handle as unknown as AccountRoute['handle'] }
}

/** Serves requests that only a person sends. They need a session of ours; API keys are not accepted. */
export function serveAccountRoutes(dependencies: AccountDependencies, routes: readonly AccountRoute[]): SiteRoute[] {
  const served = new Set<string>(routes.map(({ name }) => name))
  const missing = Object.keys(accountEndpoints).filter((name) => !served.has(name))
  if (missing.length > 0) throw new Error(`No route for ${missing.join(', ')}`)
  return routes.map((route) => {
    const [method, path] = route.name.split(' ') as [SiteRoute['method'], string]
    return { method, path, handle: (c) => serve(dependencies, route, c).catch(dependencies.rethrowDatabaseError) }
  })
}

async function serve(
  dependencies: AccountDependencies,
  { name, handle }: AccountRoute,
  c: HttpContext,
): Promise<Response> {
  const endpoint: AccountEndpoint = accountEndpoints[name]
  const facts = c.get('facts')
  limitAttempts(dependencies, c, 'page', REQUESTS_PER_MINUTE)
  if (c.req.method !== 'GET' && c.req.method !== 'HEAD') requireSameOrigin(dependencies, c)
  const token = readSessionToken(c, isHttps(dependencies, c))
  const session = token === undefined ? undefined : await dependencies.accounts.findSession(token, facts.now)
  if (endpoint.access === 'person' && !session)
    throw new ApiError('UNAUTHORIZED', 'Sign in first.', reason('sign_in_needed'))
  const params = endpoint.params && parseOrThrow(endpoint.params, c.req.param(), { root: 'path' })
  const body =
    endpoint.body &&
    parseOrThrow(endpoint.body, await readJsonBody(c.req.raw, MAX_BODY_BYTES), { root: 'body', isSecret: true })
  const result = await handle({ c, now: facts.now, body, params, session } as AccountRequest)
  const response = result instanceof Response ? result : toResponse(c, result.data)
  response.headers.set('Cache-Control', 'no-store')
  if ('cookies' in result) {
    for (const cookie of result.cookies ?? []) response.headers.append('Set-Cookie', cookie)
  }
  return response
}

function toResponse(c: HttpContext, data: unknown): Response {
  const facts = c.get('facts')
  const requestHeaders = c.req.raw.headers
  return successResponse({ data }, { facts, requestHeaders, now: facts.now, ignored: null, isCacheable: true })
}

function requireSameOrigin({ baseUrl }: AccountDependencies, c: HttpContext): void {
  const { headers } = c.req.raw
  const host = headers.get('host')
  if (isSameOrigin(headers, [new URL(baseUrl()).origin, `http://${host}`, `https://${host}`])) return
  throw new ApiError('FORBIDDEN', 'Cross-site requests are not allowed.', reason('cross_site'))
}
