import type { SandboxWire } from '../contract/account.ts'
import { findEndpoint, tierNeeded } from '../contract/endpoints.ts'
import { placesIn } from '../contract/path.ts'
import { notFound } from '../errors.ts'
import { ApiError, asApiError, isRefusal } from '../http/api-error.ts'
import type { ApiRoute } from '../http/context.ts'
import { readJsonBody } from '../http/json-body.ts'
import { queryReader } from '../http/query.ts'
import { readAs } from '../read-as.ts'
import { EXPORT_HEADER, exportCells } from '../risk/lookup-export.ts'
import { SANDBOX_IDENTIFIERS } from '../risk/sources/sandbox.ts'
import { checkTier } from './check-tier.ts'
import { csvLines, csvResponse } from './csv-response.ts'
import type { AccountParts } from './parts.ts'
import { type AccountContext, type AccountRoute, reads } from './route.ts'

/** Under this name the dashboard's own requests stand in the usage. */
const DASHBOARD_KEY = 'dashboard'

const PREFIX = '/account/explore/'
const LOOKUP_ID = /^lkp_\w{1,60}$/

/** What /api answers, for people: the same handlers, in the organization's name and with its tier. */
export function exploreRoutes(parts: AccountParts): AccountRoute[] {
  const queries = new Map(parts.apiRoutes.map(({ endpoint }) => [endpoint, queryReader(endpoint.query)]))

  function routeFor(c: AccountContext, method: string, path: string): ApiRoute {
    const asked = findEndpoint(method, path)
    const route = parts.apiRoutes.find(({ endpoint }) => endpoint === asked)
    if (!route) throw new ApiError('NOT_FOUND', 'There is nothing at this path.')
    checkTier(c, route.endpoint.tier)
    // Rights are given to keys, and a person is none.
    if (route.endpoint.right) throw new ApiError('FORBIDDEN', 'This needs a key that was given the right to it.')
    return route
  }

  async function explore(c: AccountContext) {
    const method = c.req.method === 'POST' ? 'POST' : 'GET'
    const path = `/api/${c.req.path.slice(PREFIX.length)}`
    const route = routeFor(c, method, path)
    const { endpoint } = route
    const { id: organizationId, tier } = c.get('organization')
    const { now } = c.get('facts')
    const use = { organizationId, keyId: DASHBOARD_KEY, route: endpoint.path }
    const { startedMs, loggedId: requestId } = c.get('facts')
    const record = (status: number) => {
      const durationMs = performance.now() - startedMs
      parts.recorder.add({ ...use, status, durationMs }, now)
      parts.recorder.log({ ...use, at: now, method, status, durationMs, requestId })
    }
    c.set('caller', { organizationId, keyId: DASHBOARD_KEY, tier })
    try {
      c.set('params', placesIn(endpoint.path, path))
      c.set('query', queries.get(endpoint)?.(c.req.url).query)
      if (endpoint.body) {
        const sent = await readJsonBody(c.req.raw, endpoint.body.maxBytes)
        await takeOfPeople(c, endpoint.body.cost?.(sent) ?? 1)
        checkTier(c, tierNeeded(endpoint, sent))
        c.set('body', readAs(endpoint.body.schema, sent, { whole: endpoint.body.name ?? 'body' }))
      }
      const answer = await route.handle(c)
      record(200)
      return answer
    } catch (error) {
      if (isRefusal(error)) record(asApiError(error).status)
      throw error
    }
  }

  /** What a key of the organization may do in a minute its people may too, all of them together. */
  async function takeOfPeople(c: AccountContext, cost: number): Promise<void> {
    const { id, tier, limits } = c.get('organization')
    const facts = c.get('facts')
    facts.limit = await parts.takeLookups(id, limits[tier], cost, facts.now)
    if (facts.limit.allowed) return
    const { limit, retryAfterSeconds } = facts.limit
    throw new ApiError(
      'RATE_LIMIT_EXCEEDED',
      `The limit of ${limit} requests per minute of the organization's people is reached. Try again in ${retryAfterSeconds} s.`,
      { headers: { 'Retry-After': String(retryAfterSeconds) } },
    )
  }

  /** Any lookup of the organization, however old. */
  async function lookup(c: AccountContext) {
    routeFor(c, 'GET', '/api/imei')
    const id = c.req.query('id') ?? ''
    // What cannot be an id is not looked up.
    const answer = LOOKUP_ID.test(id) ? await parts.lookups.find(c.get('organization').id, id) : null
    if (answer === null) throw notFound('The lookup')
    return { data: JSON.parse(answer) }
  }

  /** The whole history as a file, written as it is read, so that its size is bounded by neither memory nor patience. */
  async function lookupsCsv(c: AccountContext): Promise<Response> {
    routeFor(c, 'GET', '/api/imei')
    const { id } = c.get('organization')
    const identifier = c.req.query('identifier') || undefined
    const lines = csvLines(EXPORT_HEADER, parts.lookups.export(id, identifier), exportCells)
    return csvResponse('lookups.csv', lines, c.get('facts').id)
  }

  return [
    reads('/account/names', 'member', async () => ({ data: parts.names() })),
    reads('/account/lookup', 'member', lookup),
    reads('/account/sandbox', 'member', async () => ({ data: SANDBOX })),
    reads('/account/lookups.csv', 'member', lookupsCsv),
    reads(`${PREFIX}*`, 'member', explore),
    { method: 'POST', path: `${PREFIX}*`, access: 'member', body: undefined, handle: explore },
  ]
}

const SANDBOX: readonly SandboxWire[] = SANDBOX_IDENTIFIERS.map(({ identifier, type, outcome, because }) => ({
  identifier,
  identifier_type: type,
  outcome,
  about: because,
}))
