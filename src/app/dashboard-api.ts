import { personPrincipal } from '../auth/guard.ts'
import { type MemberRole, roleIncludes } from '../contract/account-limits.ts'
import { type DashboardEndpoint, dashboardEndpoints, type RequiredRole } from '../contract/dashboard-endpoints.ts'
import { ApiError } from '../http/api-error.ts'
import type { HttpContext } from '../http/context.ts'
import { readJsonBody } from '../http/json-body.ts'
import { successResponse } from '../http/response.ts'
import type { SiteRoute } from '../http/router.ts'
import { isSameOrigin } from '../http/same-origin.ts'
import { parseOrThrow } from '../lib/validate.ts'
import {
  type DashboardDependencies,
  isHttps,
  readTierAndLimits,
  tooManyAttemptsError,
} from '../people/dashboard-dependencies.ts'
import { oidcRoutes } from '../people/oidc-routes.ts'
import { personRoutes } from '../people/person-routes.ts'
import { hasSecondFactor } from '../people/second-factor.ts'
import { secondFactorRoutes } from '../people/second-factor-routes.ts'
import { readSessionToken } from '../people/session-cookie.ts'
import type { CurrentOrganization, DashboardRoute, SessionContext } from '../people/session-route.ts'
import type { Session } from '../people/session-store.ts'
import { setupRoutes } from '../people/setup-routes.ts'
import { signInRoutes } from '../people/sign-in-routes.ts'

/** Enough for the logo of a receipt. */
const MAX_BODY_BYTES = 49_152
/** Per address; fast clicking stays far below it. */
const REQUESTS_PER_MINUTE = 600

/** The handlers of all requests of the dashboard. */
export function dashboardRoutes(dependencies: DashboardDependencies): readonly DashboardRoute[] {
  const routes: readonly DashboardRoute[] = [
    ...setupRoutes(dependencies),
    ...signInRoutes(dependencies),
    ...oidcRoutes(dependencies),
    ...secondFactorRoutes(dependencies),
    ...personRoutes(dependencies),
  ]
  const registered = new Set<string>(routes.map(({ name }) => name))
  const missing = Object.keys(dashboardEndpoints).filter((name) => !registered.has(name))
  if (missing.length > 0) throw new Error(`No route for ${missing.join(', ')}`)
  return routes
}

/** The dashboard's API. Requires a session; API keys are not accepted. */
export function dashboardApiRoutes(
  dependencies: DashboardDependencies,
  routes: readonly DashboardRoute[],
): SiteRoute[] {
  return routes.map((route) => {
    const [method, path] = route.name.split(' ') as [SiteRoute['method'], string]
    return {
      method,
      path,
      handle: (c) => serve(dependencies, route, c).catch(dependencies.rethrowDatabaseError),
    }
  })
}

async function serve(
  dependencies: DashboardDependencies,
  { name, handle }: DashboardRoute,
  c: HttpContext,
): Promise<Response> {
  const endpoint: DashboardEndpoint = dashboardEndpoints[name]
  const facts = c.get('facts')
  const account = c as SessionContext
  const decision = dependencies.takeFromAddressLimit(dependencies.addressOf(c), 'page', REQUESTS_PER_MINUTE, facts.now)
  if (!decision.allowed) throw tooManyAttemptsError(decision.retryAfterSeconds)
  const requestHeaders = c.req.raw.headers
  const host = requestHeaders.get('host')
  const ownOrigins = [new URL(dependencies.baseUrl()).origin, `http://${host}`, `https://${host}`]
  if (c.req.method === 'POST' && !isSameOrigin(requestHeaders, ownOrigins)) {
    throw new ApiError('FORBIDDEN', 'Cross-site requests are not allowed.')
  }
  await authorize(dependencies, endpoint.role, account)
  const result = await handle(account, await readInput(endpoint, c))
  const response =
    result instanceof Response
      ? result
      : successResponse(result, { facts, requestHeaders, now: facts.now, ignored: null, isCacheable: true })
  response.headers.set('Cache-Control', 'no-store')
  if ('cookies' in result) for (const cookie of result.cookies ?? []) response.headers.append('Set-Cookie', cookie)
  return response
}

async function readInput({ body, query }: DashboardEndpoint, c: HttpContext): Promise<unknown> {
  if (body) return parseOrThrow(body, await readJsonBody(c.req.raw, MAX_BODY_BYTES), { root: 'body', isSecret: true })
  return query && parseOrThrow(query, c.req.query(), { root: 'query' })
}

/** Finds the session and its organization, and checks the requirements of the route. */
async function authorize(
  dependencies: DashboardDependencies,
  requiredRole: RequiredRole,
  c: SessionContext,
): Promise<void> {
  const token = readSessionToken(c, isHttps(dependencies))
  const session = token === undefined ? undefined : await dependencies.people.findSession(token, c.get('facts').now)
  const organization = session ? await currentOrganization(dependencies, session) : null
  if (session) {
    const person = c as unknown as SessionContext<'person'>
    person.set('person', session.account)
    person.set('sessionId', session.id)
    c.set('principal', personPrincipal(await dependencies.sessionAccountOf(session)))
  }
  if (organization) c.set('organization', organization)
  if (requiredRole === 'anyone') return
  if (!session || !organization) throw new ApiError('UNAUTHORIZED', 'Sign in first.')
  if (requiredRole === 'person') return
  if (organization.needsSecondFactor && !hasSecondFactor(await dependencies.people.factorsOf(session.account.id))) {
    throw new ApiError('FORBIDDEN', 'Your organization requires a second factor. Add one to your account first.')
  }
  const role = requiredRole === 'operator' ? 'owner' : requiredRole
  if (!roleIncludes(organization.role, role)) {
    const allowedRoles = role === 'owner' ? 'an owner' : 'a manager or an owner'
    throw new ApiError('FORBIDDEN', `Only ${allowedRoles} of the organization may do this.`)
  }
  if (requiredRole === 'operator' && (await dependencies.auth.operatorOrganization()) !== organization.id) {
    throw new ApiError('FORBIDDEN', 'Only the organization that runs this service may do this.')
  }
}

async function currentOrganization(
  dependencies: DashboardDependencies,
  { account, organization: { name, needsSecondFactor } }: Session,
): Promise<CurrentOrganization> {
  const { organizationId: id, role } = account
  const [tierAndLimits, rules] = await Promise.all([
    readTierAndLimits(dependencies, id),
    clerkRules(dependencies, id, role),
  ])
  return { id, name, role, needsSecondFactor, ...tierAndLimits, ...rules }
}

async function clerkRules({ appraisal }: DashboardDependencies, organizationId: string, role: MemberRole) {
  if (role !== 'clerk') return { seesMargins: true, offerLimit: null }
  const { clerks_see_margins: seesMargins = false, clerk_offer_limit: offerLimit = null } =
    await appraisal.policies.of(organizationId)
  return { seesMargins, offerLimit }
}
