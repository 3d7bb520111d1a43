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
export function managementRoutes(parts: DashboardDependencies, routes: readonly DashboardRoute[]): ApiRoute[] {
  const byName = new Map(routes.map((route) => [`${route.method} ${route.path}`, route]))
  const usage = parts.apiRoutes.find(({ endpoint }) => endpoint === getUsage)
  if (!usage) throw new Error('getUsage has no handler')
  return [
    ...sharedEndpoints.map(({ endpoint, dashboard }) => {
      const route = byName.get(dashboard)
      if (!route) throw new Error(`${endpoint.id} has no handler ${dashboard}`)
      return { endpoint, handle: (c: HttpContext) => serveKey(parts, endpoint, route, c) }
    }),
    {
      endpoint: getOrganizationUsage,
      async handle(c) {
        const { id } = (await authorizeKey(parts, c)).get('organization')
        c.set('caller', { ...c.get('caller'), organizationId: id })
        return usage.handle(c)
      },
    },
    ...organizationRoutes(parts),
  ]
}

/** Where the public form of a request or response differs from that of the dashboard. */
const toDashboard = new Map<Endpoint, (sent: object) => object>([[changePolicy, (terms) => ({ terms })]])
const toPolicy = ({ policy, own }: OwnPolicyWire): OwnPolicyWire => ({ policy, own })
const toSettings = (settings: SettingsWire) => Object.fromEntries(SETTINGS_FIELDS.map((name) => [name, settings[name]]))
const fromDashboard = new Map<Endpoint, (data: never) => object>([
  [getPolicy, toPolicy],
  [changePolicy, toPolicy],
  [getSettings, toSettings],
  [changeSettings, toSettings],
])

async function serveKey(
  parts: DashboardDependencies,
  endpoint: Endpoint,
  route: DashboardRoute,
  c: HttpContext,
): Promise<HandlerResult> {
  const account = await authorizeKey(parts, c)
  const { organization_id: _, ...query } = c.get('query') as { organization_id?: string }
  // Names in the path, the query and the body never overlap; together they are what the dashboard sends.
  const sent = { ...query, ...(c.get('params') as object), ...(c.get('body') as object) }
  const input = toDashboard.get(endpoint)?.(sent) ?? sent
  const result = await route.handle(account, route.input && parseOrThrow(route.input, input, { root: 'body' }))
  if (result instanceof Response) throw new Error(`${route.path} returns a file`)
  const present = fromDashboard.get(endpoint)
  return present && 'data' in result ? { data: present(result.data as never) } : result
}

/** Makes the key of the request the principal and finds the organization it acts for. */
async function authorizeKey(parts: DashboardDependencies, c: HttpContext): Promise<SessionContext> {
  const { key } = c.get('facts')
  if (!key) throw new Error('A management request has a key.')
  const principal = keyPrincipal(key)
  const { organization_id: asked } = c.get('query') as { organization_id?: string }
  const account = c as SessionContext
  account.set('address', parts.addressOf(c))
  account.set('principal', principal)
  account.set('organization', await findOrganization(parts, principal, asked ?? key.organizationId))
  return account
}

/** Another organization is NOT_FOUND without the right to operate, so that callers cannot probe for ids. */
async function findOrganization(
  parts: DashboardDependencies,
  principal: Principal,
  id: string,
): Promise<CurrentOrganization> {
  const isOwn = id === principal.key?.organizationId
  const name = isOwn || operatesService(principal) ? await parts.auth.organizationName(id) : null
  if (name === null) throw unknownId('organization', id)
  return describeOrganization(parts, { id, name, role: 'owner', needsSecondFactor: false })
}
