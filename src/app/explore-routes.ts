import { withoutMargins } from '../appraisal/without-margins.ts'
import type { AppraisalRequestWire } from '../contract/appraisal-request.ts'
import type { SandboxWire } from '../contract/dashboard.ts'
import { CLERK_API_ENDPOINTS } from '../contract/dashboard-endpoints.ts'
import {
  appraiseDevice,
  type Endpoint,
  findEndpoint,
  getAppraisal,
  listAppraisals,
  requiredTier,
} from '../contract/endpoints.ts'
import { matchPath } from '../contract/path-template.ts'
import { ApiError, isExpectedError, toApiError } from '../http/api-error.ts'
import { rateLimitError } from '../http/api-pipeline.ts'
import type { ApiRoute, HandlerResult } from '../http/context.ts'
import { csvLines, csvResponse } from '../http/csv-response.ts'
import { readJsonBody } from '../http/json-body.ts'
import { prepareResponse } from '../http/prepared-response.ts'
import { queryParser } from '../http/query-parser.ts'
import { notFound } from '../lib/errors.ts'
import { parseOrThrow } from '../lib/validate.ts'
import { forbidPolicyOverrides, requireTier } from '../people/check-tier.ts'
import type { DashboardDependencies } from '../people/dashboard-dependencies.ts'
import { type DashboardRoute, dashboardRoute, type SessionContext } from '../people/session-route.ts'
import { LOOKUP_EXPORT_HEADER, lookupExportCells } from '../risk/lookup-export.ts'
import { SANDBOX_IDENTIFIERS } from '../risk/sources/sandbox-identifiers.ts'

/** The key name of dashboard requests in the usage. */
const DASHBOARD_KEY_ID = 'dashboard'

const PREFIX = '/account/explore/'
const LOOKUP_ID = /^lkp_\w{1,60}$/

/** The endpoints of /api for people: the same handlers, with the organization's tier. */
export function exploreRoutes(parts: DashboardDependencies): DashboardRoute[] {
  const queries = new Map(parts.apiRoutes.map(({ endpoint }) => [endpoint, queryParser(endpoint.query)]))

  function routeFor(c: SessionContext, method: string, path: string): ApiRoute {
    const asked = findEndpoint(method, path)
    const route = parts.apiRoutes.find(({ endpoint }) => endpoint === asked)
    if (!route) throw new ApiError('NOT_FOUND', 'There is nothing at this path.')
    requireTier(c, route.endpoint.tier)
    if (c.get('organization').role === 'clerk' && !CLERK_API_ENDPOINTS.has(`${method} ${route.endpoint.path}`)) {
      throw new ApiError('FORBIDDEN', 'Only a manager or an owner of the organization may do this.')
    }
    // Only keys have rights.
    if (route.endpoint.right) throw new ApiError('FORBIDDEN', 'This needs an API key with the right to contribute.')
    return route
  }

  async function explore(c: SessionContext) {
    const method = c.req.method === 'POST' ? 'POST' : 'GET'
    const path = `/api/${c.req.path.slice(PREFIX.length)}`
    const route = routeFor(c, method, path)
    const { endpoint } = route
    const { id: organizationId, tier, role, seesMargins } = c.get('organization')
    const { now } = c.get('facts')
    const use = { organizationId, keyId: DASHBOARD_KEY_ID, route: endpoint.path }
    const { startedMs, loggedId: requestId } = c.get('facts')
    const record = (status: number) => {
      const durationMs = performance.now() - startedMs
      parts.recorder.add({ ...use, status, durationMs }, now)
      parts.recorder.log({ ...use, at: now, method, status, durationMs, requestId })
    }
    c.set('caller', { organizationId, keyId: DASHBOARD_KEY_ID, tier, isClerk: role === 'clerk' })
    try {
      c.set('params', matchPath(endpoint.path, path))
      c.set('query', queries.get(endpoint)?.(c.req.url).query)
      if (endpoint.body) {
        const sent = await readJsonBody(c.req.raw, endpoint.body.maxBytes)
        await takeOfPeople(c, endpoint.body.cost?.(sent) ?? 1)
        requireTier(c, requiredTier(endpoint, sent))
        const body = parseOrThrow(endpoint.body.schema, sent, { root: endpoint.body.name ?? 'body' })
        if (endpoint === appraiseDevice) forbidPolicyOverrides(c, body as AppraisalRequestWire)
        c.set('body', body)
      }
      const answer = await route.handle(c)
      record(200)
      return seesMargins || !APPRAISAL_ENDPOINTS.has(endpoint) ? answer : redact(answer, now)
    } catch (error) {
      if (isExpectedError(error)) record(toApiError(error).status)
      throw error
    }
  }

  /** All members of an organization share the limit of one key. */
  async function takeOfPeople(c: SessionContext, cost: number): Promise<void> {
    const { id, tier, limits } = c.get('organization')
    const facts = c.get('facts')
    facts.rateLimit = await parts.takeFromPeopleLimit(id, limits[tier], cost, facts.now)
    if (!facts.rateLimit.allowed)
      throw rateLimitError(facts.rateLimit, "requests per minute of your organization's members")
  }

  /** Any lookup of the organization. */
  async function lookup(c: SessionContext) {
    routeFor(c, 'GET', '/api/imei')
    const id = c.req.query('id') ?? ''
    // Invalid ids are not looked up.
    const answer = LOOKUP_ID.test(id) ? await parts.lookups.find(c.get('organization').id, id) : null
    if (answer === null) throw notFound('The lookup')
    return { data: JSON.parse(answer) }
  }

  /** Streams the whole history as a file. */
  async function lookupsCsv(c: SessionContext): Promise<Response> {
    routeFor(c, 'GET', '/api/imei')
    const { id } = c.get('organization')
    const identifier = c.req.query('identifier') || undefined
    const lines = csvLines(LOOKUP_EXPORT_HEADER, parts.lookups.export(id, identifier), lookupExportCells)
    return csvResponse('lookups.csv', lines, c.get('facts').id)
  }

  return [
    dashboardRoute('GET /account/names', async () => ({ data: parts.filterNames() })),
    dashboardRoute('GET /account/lookup', lookup),
    dashboardRoute('GET /account/sandbox', async () => ({ data: SANDBOX })),
    dashboardRoute('GET /account/lookups.csv', lookupsCsv),
    dashboardRoute('GET /account/explore/*', explore),
    dashboardRoute('POST /account/explore/*', explore),
  ]
}

/** Endpoints whose responses contain appraisals. */
const APPRAISAL_ENDPOINTS: ReadonlySet<Endpoint> = new Set([appraiseDevice, listAppraisals, getAppraisal])

/** The response without margins; the handlers return it serialized. */
function redact(result: HandlerResult, now: number): HandlerResult {
  const prepared = 'ready' in result ? result.ready : result
  if (!('etag' in prepared)) throw new Error('expected a serialized appraisal')
  const { data, meta } = JSON.parse(new TextDecoder().decode(prepared.body('identity', now)))
  const redacted = Array.isArray(data) ? data.map(withoutMargins) : withoutMargins(data)
  const ready = prepareResponse(JSON.stringify(redacted), meta && JSON.stringify(meta))
  return 'ready' in result ? { ...result, ready } : ready
}

const SANDBOX: SandboxWire[] = SANDBOX_IDENTIFIERS.map(({ identifier, type, outcome, explanation: because }) => ({
  identifier,
  identifier_type: type,
  outcome,
  about: because,
}))
