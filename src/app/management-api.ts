import type { SharedEndpoint } from '../contract/management-shared.ts'
import type { ApiRoute, HandlerResult, HttpContext } from '../http/context.ts'
import type { Principal } from '../http/principal.ts'
import { invalid, unknownId } from '../lib/errors.ts'
import { type DashboardDependencies, readTierAndLimits } from '../people/dashboard-dependencies.ts'
import type { CurrentOrganization, DashboardRoute, SessionContext } from '../people/session-route.ts'

export type ManagementDependencies = Pick<DashboardDependencies, 'auth' | 'limitsPerMinute'> & {
  readonly principalOf: (c: HttpContext) => Principal
}

/** The endpoints of /api/manage that `routes`, handlers of the dashboard, can serve. The principal acts as an owner. */
export function managementRoutes(
  dependencies: ManagementDependencies,
  sharedEndpoints: readonly SharedEndpoint[],
  routes: readonly DashboardRoute[],
): ApiRoute[] {
  const handlers = new Map(routes.map(({ name, handle }) => [name, handle]))
  return sharedEndpoints.flatMap((shared) => {
    const handle = handlers.get(shared.dashboard)
    return handle
      ? { endpoint: shared.endpoint, handle: (c: HttpContext) => serve(dependencies, shared, handle, c) }
      : []
  })
}

async function serve(
  dependencies: ManagementDependencies,
  { toDashboard = (request) => request, toPublic }: SharedEndpoint,
  handle: DashboardRoute['handle'],
  c: HttpContext,
): Promise<HandlerResult> {
  const account = await authorize(dependencies, c)
  const { organization_id: _, ...query } = c.get('query') as { organization_id?: string }
  // Names in the path, the query and the body never overlap; together they are what the dashboard sends.
  const request = { ...query, ...(c.get('params') as object), ...(c.get('body') as object) }
  const result = await handle(account, toDashboard(request))
  if (result instanceof Response) return { file: result }
  return toPublic && 'data' in result ? { data: toPublic(result.data as never) } : result
}

/** Sets the principal of the request and the organization it acts for. */
async function authorize(dependencies: ManagementDependencies, c: HttpContext): Promise<SessionContext> {
  const principal = dependencies.principalOf(c)
  const { organization_id: requestedId } = c.get('query') as { organization_id?: string }
  const account = c as SessionContext
  account.set('principal', principal)
  account.set('organization', await findOrganization(dependencies, principal, requestedId))
  return account
}

/** Another organization is NOT_FOUND without the right to operate, so that callers cannot probe for ids. */
async function findOrganization(
  dependencies: ManagementDependencies,
  { organizationId, operates }: Principal,
  requestedId: string | undefined,
): Promise<CurrentOrganization> {
  const id = requestedId ?? organizationId
  if (id === '') throw invalid('organization_id', undefined, 'the id of an organization')
  const isAllowed = operates || id === organizationId
  const name = isAllowed ? await dependencies.auth.organizationName(id) : null
  if (name === null) throw unknownId('organization', id)
  const tierAndLimits = await readTierAndLimits(dependencies, id)
  return { id, name, role: 'owner', needsSecondFactor: false, ...tierAndLimits, seesMargins: true, offerLimit: null }
}
