import { organizationRoutes } from '../auth/organization-routes.ts'
import { keyPrincipal, operatesService, type Principal } from '../auth/principal.ts'
import type { Endpoint } from '../contract/endpoints.ts'
import { sharedEndpoints } from '../contract/management.ts'
import {
  changePolicy,
  changeSettings,
  getOrganizationUsage,
  getPolicy,
  getSettings,
  type OwnPolicyWire,
  SETTINGS_FIELDS,
  type SettingsWire,
} from '../contract/management-organization.ts'
import { getUsage } from '../contract/usage.ts'
import type { ApiRoute, HandlerResult, HttpContext } from '../http/context.ts'
import { unknownId } from '../lib/errors.ts'
import { parseOrThrow } from '../lib/validate.ts'
import type { DashboardDependencies } from '../people/dashboard-dependencies.ts'
import type { CurrentOrganization, DashboardRoute, SessionContext } from '../people/session-route.ts'
import { describeOrganization } from './dashboard-api.ts'

/** The dashboard's handlers for API keys: the key is the principal, with the permissions of an owner. */
export function managementRoutes(dependencies: DashboardDependencies, routes: readonly DashboardRoute[]): ApiRoute[] {
  const byName = new Map(routes.map((route) => [`${route.method} ${route.path}`, route]))
  const usage = dependencies.apiRoutes.find(({ endpoint }) => endpoint === getUsage)
  if (!usage) throw new Error('getUsage has no handler')
  return [
    ...sharedEndpoints.map(({ endpoint, dashboard }) => {
      const route = byName.get(dashboard)
      if (!route) throw new Error(`${endpoint.id} has no handler ${dashboard}`)
      return { endpoint, handle: (c: HttpContext) => serveKey(dependencies, endpoint, route, c) }
    }),
    {
      endpoint: getOrganizationUsage,
      async handle(c) {
        const { id } = (await authorizeKey(dependencies, c)).get('organization')
        c.set('caller', { ...c.get('caller'), organizationId: id })
        return usage.handle(c)
      },
    },
    ...organizationRoutes(dependencies),
  ]
}

/** Where the public form of a request or response differs from that of the dashboard. */
const toDashboard = new Map<Endpoint, (request: object) => object>([[changePolicy, (terms) => ({ terms })]])
const toPolicy = ({ policy, own }: OwnPolicyWire): OwnPolicyWire => ({ policy, own })
const toSettings = (settings: SettingsWire) => Object.fromEntries(SETTINGS_FIELDS.map((name) => [name, settings[name]]))
const fromDashboard = new Map<Endpoint, (data: never) => object>([
  [getPolicy, toPolicy],
  [changePolicy, toPolicy],
  [getSettings, toSettings],
  [changeSettings, toSettings],
])

async function serveKey(
  dependencies: DashboardDependencies,
  endpoint: Endpoint,
  route: DashboardRoute,
  c: HttpContext,
): Promise<HandlerResult> {
  const account = await authorizeKey(dependencies, c)
  const { organization_id: _, ...query } = c.get('query') as { organization_id?: string }
  // Names in the path, the query and the body never overlap; together they are what the dashboard sends.
  const request = { ...query, ...(c.get('params') as object), ...(c.get('body') as object) }
  const input = toDashboard.get(endpoint)?.(request) ?? request
  const result = await route.handle(account, route.input && parseOrThrow(route.input, input, { root: 'body' }))
  if (result instanceof Response) return { file: result }
  const toPublic = fromDashboard.get(endpoint)
  return toPublic && 'data' in result ? { data: toPublic(result.data as never) } : result
}

/** Makes the key of the request the principal and finds the organization it acts for. */
async function authorizeKey(dependencies: DashboardDependencies, c: HttpContext): Promise<SessionContext> {
  const { key } = c.get('facts')
  if (!key) throw new Error('A management request has a key.')
  const principal = keyPrincipal(key)
  const { organization_id: requestedId } = c.get('query') as { organization_id?: string }
  const account = c as SessionContext
  account.set('address', dependencies.addressOf(c))
  account.set('principal', principal)
  account.set('organization', await findOrganization(dependencies, principal, requestedId ?? key.organizationId))
  return account
}

/** Another organization is NOT_FOUND without the right to operate, so that callers cannot probe for ids. */
async function findOrganization(
  dependencies: DashboardDependencies,
  principal: Principal,
  id: string,
): Promise<CurrentOrganization> {
  const isOwn = id === principal.key?.organizationId
  const name = isOwn || operatesService(principal) ? await dependencies.auth.organizationName(id) : null
  if (name === null) throw unknownId('organization', id)
  return describeOrganization(dependencies, { id, name, role: 'owner', needsSecondFactor: false })
}
