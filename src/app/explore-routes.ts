import { withoutMargins } from '../appraisal/without-margins.ts'
import { standInKey } from '../auth/cached-key.ts'
import { appraiseDevice, getAppraisal, listAppraisals } from '../contract/appraisal-endpoints.ts'
import type { AppraisalRequestWire } from '../contract/appraisal-request.ts'
import type { SandboxWire } from '../contract/dashboard.ts'
import { CLERK_API_ENDPOINTS } from '../contract/dashboard-endpoints.ts'
import { type Endpoint, findEndpoint } from '../contract/endpoints.ts'
import { matchPath } from '../contract/path-template.ts'
import { ApiError } from '../http/api-error.ts'
import { sessionHandler } from '../http/api-pipeline.ts'
import type { ApiRoute, AuthenticatedCaller, HandlerResult } from '../http/context.ts'
import { csvLines, csvResponse } from '../http/csv-response.ts'
import { prepareResponse } from '../http/prepared-response.ts'
import { notFound } from '../lib/errors.ts'
import { forbidPolicyOverrides, requireTier } from '../people/check-tier.ts'
import type { DashboardDependencies } from '../people/dashboard-dependencies.ts'
import { downloadTexts } from '../people/download-texts.ts'
import { type DashboardRoute, dashboardRoute, type SessionContext } from '../people/session-route.ts'
import { LOOKUP_EXPORT_HEADER, lookupExportCells } from '../risk/lookup-export.ts'
import { SANDBOX_IDENTIFIERS } from '../risk/sources/sandbox-identifiers.ts'
import { DASHBOARD_KEY } from '../usage/quota.ts'

const PREFIX = '/account/explore/'
const LOOKUP_ID = /^lkp_\w{1,60}$/

/** The endpoints of /api for people: the same pipeline, with the session instead of a key. */
export function exploreRoutes(dependencies: DashboardDependencies): DashboardRoute[] {
  const handlers = new Map(
    dependencies.apiRoutes.map(
      (route) => [route.endpoint, sessionHandler(dependencies.api, withPeopleRules(route))] as const,
    ),
  )

  function requireEndpoint(c: SessionContext, method: string, path: string): Endpoint {
    const endpoint = findEndpoint(method, path)
    if (!endpoint || !handlers.has(endpoint)) throw new ApiError('NOT_FOUND', 'There is nothing at this path.')
    requireTier(c, endpoint.tier)
    if (c.get('organization').role === 'clerk' && !CLERK_API_ENDPOINTS.has(`${method} ${endpoint.path}`)) {
      throw new ApiError('FORBIDDEN', 'Only a manager or an owner of the organization may do this.')
    }
    return endpoint
  }

  async function explore(c: SessionContext): Promise<Response> {
    const path = `/api/${c.req.path.slice(PREFIX.length)}`
    const endpoint = requireEndpoint(c, c.req.method === 'POST' ? 'POST' : 'GET', path)
    const handle = handlers.get(endpoint)
    if (!handle) throw new Error(`${endpoint.id} has no handler`)
    const { id, tier, role, limits } = c.get('organization')
    const { now } = c.get('facts')
    // All members of an organization share the limit of one key; reads are limited by address only.
    const takeFromLimit = (cost: number) => dependencies.takeFromPeopleLimit(id, limits[tier], cost, now)
    const caller: AuthenticatedCaller = {
      key: standInKey({ id: DASHBOARD_KEY, name: 'Dashboard', organizationId: id, tier }),
      rateLimit: endpoint.body ? await takeFromLimit(1) : null,
      session: { isClerk: role === 'clerk', actor: c.get('principal').actor, takeFromLimit },
    }
    return handle(c, caller, matchPath(endpoint.path, path))
  }

  // The pipeline returns the complete response instead of data.
  const exploreRoute = explore as (c: SessionContext) => Promise<never>

  /** Any lookup of the organization. */
  async function lookup(c: SessionContext) {
    requireEndpoint(c, 'GET', '/api/imei')
    const id = c.req.query('id') ?? ''
    // Invalid ids are not looked up.
    const json = LOOKUP_ID.test(id) ? await dependencies.lookups.find(c.get('organization').id, id) : null
    if (json === null) throw notFound('The lookup')
    return { data: JSON.parse(json) }
  }

  /** Streams the whole history as a file. */
  async function lookupsCsv(c: SessionContext): Promise<Response> {
    requireEndpoint(c, 'GET', '/api/imei')
    const { id } = c.get('organization')
    const identifier = c.req.query('identifier') || undefined
    const { t, style } = downloadTexts(c)
    const header = LOOKUP_EXPORT_HEADER.map((column) => t(`sheet:lookup.${column}`))
    const lines = csvLines(header, dependencies.lookups.export(id, identifier), lookupExportCells, style)
    return csvResponse('lookups.csv', lines, c.get('facts').id)
  }

  return [
    dashboardRoute('GET /account/names', async () => ({ data: dependencies.filterNames() })),
    dashboardRoute('GET /account/lookup', lookup),
    dashboardRoute('GET /account/sandbox', async () => ({ data: SANDBOX })),
    dashboardRoute('GET /account/lookups.csv', lookupsCsv),
    dashboardRoute('GET /account/explore/*', exploreRoute),
    dashboardRoute('POST /account/explore/*', exploreRoute),
  ]
}

/** Endpoints whose responses contain appraisals. */
const APPRAISAL_ENDPOINTS: ReadonlySet<Endpoint> = new Set([appraiseDevice, listAppraisals, getAppraisal])

/** Clerks may not change the policy of an appraisal; some people see no margins. */
function withPeopleRules(route: ApiRoute): ApiRoute {
  if (!APPRAISAL_ENDPOINTS.has(route.endpoint)) return route
  return {
    ...route,
    async handle(c) {
      const account = c as SessionContext
      if (route.endpoint === appraiseDevice) forbidPolicyOverrides(account, c.get('body') as AppraisalRequestWire)
      const result = await route.handle(c)
      return account.get('organization').seesMargins ? result : withoutMarginsInResult(result, c.get('facts').now)
    },
  }
}

/** The response without margins; the handlers return it serialized. */
function withoutMarginsInResult(result: HandlerResult, now: number): HandlerResult {
  const prepared = 'ready' in result ? result.ready : result
  if (!('etag' in prepared)) throw new Error('expected a serialized appraisal')
  const { data, meta } = JSON.parse(new TextDecoder().decode(prepared.body('identity', now)))
  const redacted = Array.isArray(data) ? data.map(withoutMargins) : withoutMargins(data)
  const ready = prepareResponse(JSON.stringify(redacted), meta && JSON.stringify(meta))
  return 'ready' in result ? { ...result, ready } : ready
}

const SANDBOX: SandboxWire[] = SANDBOX_IDENTIFIERS.map(({ identifier, type, outcome, explanation }) => ({
  identifier,
  identifier_type: type,
  outcome,
  about: explanation,
}))
