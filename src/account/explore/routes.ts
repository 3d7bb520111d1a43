import type { SandboxWire } from '../../contract/account.ts'
import type { LookupResultWire } from '../../contract/imei.ts'
import { ApiError, notFound } from '../../errors.ts'
import { asApiError, isRefusal } from '../../http/api-error.ts'
import { readJsonBody } from '../../http/json-body.ts'
import { question } from '../../http/query.ts'
import { readyAnswer } from '../../http/ready.ts'
import { replyOutgoing } from '../../http/reply.ts'
import { type Answer, type ApiRoute, type Call, covers, type PageMeta } from '../../http/route.ts'
import { SANDBOX_IDENTIFIERS } from '../../risk/sources/sandbox.ts'
import { type Outgoing, outgoing } from '../../wire/outgoing.ts'
import { csvLine } from '../csv.ts'
import type { AccountParts } from '../parts.ts'
import { type AccountAnswer, type AccountRoute, type MemberVisit, reads } from '../route.ts'

/** Under this name the dashboard's own requests stand in the usage. */
export const DASHBOARD_KEY = 'dashboard'

const PREFIX = '/account/explore/'
const MOST_BODY_BYTES = 65_536
const CSV_PAGE = 100
const MOST_CSV_ROWS = 100_000
const LOOKUP_ID = /^lkp_\w{1,60}$/

/** What /api answers, for people: the same engines, in the organization's name and with its tier. */
export function exploreRoutes(parts: AccountParts): AccountRoute[] {
  function routeFor(visit: MemberVisit, method: string, path: string): ApiRoute {
    const route = parts.apiRoutes.find((one) => one.path === path && one.method === method)
    if (!route) throw new ApiError('NOT_FOUND', 'There is nothing at this path.')
    if (!covers(visit.workplace.tier, route.tier)) {
      throw new ApiError(
        'FORBIDDEN',
        `This needs the ${route.tier} tier and the organization's is ${visit.workplace.tier}.`,
      )
    }
    return route
  }

  function callOf(visit: MemberVisit, target: string, body: unknown): Call {
    return {
      ...question(target),
      caller: { organizationId: visit.workplace.id, keyId: DASHBOARD_KEY, tier: visit.workplace.tier },
      header: () => null,
      body,
      requestId: visit.requestId,
      now: visit.now,
    }
  }

  async function explore(visit: MemberVisit, method: 'GET' | 'POST'): Promise<Outgoing> {
    const route = routeFor(visit, method, `/api/${visit.path.slice(PREFIX.length)}`)
    const body =
      method === 'POST'
        ? await readJsonBody(visit.request, visit.sender, route.maxBodyBytes ?? MOST_BODY_BYTES)
        : undefined
    const use = { organizationId: visit.workplace.id, keyId: DASHBOARD_KEY, route: route.path }
    try {
      const answer = await route.handle(callOf(visit, visit.request.target, body))
      parts.recorder.add({ ...use, status: 200 }, visit.now)
      const reply = { status: 200, answer: readyOf(answer), headers: undefined, isOwn: false }
      return replyOutgoing(reply, visit.request.headers, null, null, visit.now)
    } catch (error) {
      if (isRefusal(error)) parts.recorder.add({ ...use, status: asApiError(error).status }, visit.now)
      throw error
    }
  }

  /** Any lookup of the organization, however old. */
  async function lookup(visit: MemberVisit): Promise<AccountAnswer> {
    routeFor(visit, 'GET', '/api/imei')
    const id = visit.query('id') ?? ''
    // What cannot be an id is asked of no store.
    const answer = LOOKUP_ID.test(id) ? await parts.findLookup(visit.workplace.id, id) : null
    if (answer === null) throw notFound('The lookup')
    return { data: JSON.parse(answer) }
  }

  /** The whole history as a file, page by page, so that its size is bounded by the network and not by memory. */
  async function lookupsCsv(visit: MemberVisit): Promise<Outgoing> {
    const route = routeFor(visit, 'GET', '/api/imei')
    const identifier = visit.query('identifier')
    const filter = identifier ? `&identifier=${encodeURIComponent(identifier)}` : ''
    async function* lines() {
      yield csvLine(CSV_COLUMNS.map(([name]) => name))
      for (let page = 1; page <= MOST_CSV_ROWS / CSV_PAGE; page++) {
        const answer = await route.handle(callOf(visit, `/api/imei?limit=${CSV_PAGE}&page=${page}${filter}`, undefined))
        const { data, meta } = contentOf(answer)
        for (const lookup of data) yield csvLine(CSV_COLUMNS.map(([, cell]) => cell(lookup)))
        if (!meta?.has_next) return
      }
    }
    return outgoing(
      200,
      { 'Content-Type': 'text/csv; charset=utf-8', 'Content-Disposition': 'attachment; filename="lookups.csv"' },
      streamOf(lines()),
    )
  }

  return [
    reads('/account/names', 'member', async () => ({ data: parts.names() })),
    reads('/account/lookup', 'member', lookup),
    reads('/account/sandbox', 'member', async () => ({ data: SANDBOX })),
    {
      method: 'GET',
      path: '/account/lookups.csv',
      access: 'member',
      body: undefined,
      handle: lookupsCsv,
    },
    { method: 'GET', path: `${PREFIX}*`, access: 'member', body: undefined, handle: (visit) => explore(visit, 'GET') },
    {
      method: 'POST',
      path: `${PREFIX}*`,
      access: 'member',
      body: undefined,
      handle: (visit) => explore(visit, 'POST'),
    },
  ]
}

const SANDBOX: readonly SandboxWire[] = SANDBOX_IDENTIFIERS.map(({ identifier, type, outcome, because }) => ({
  identifier,
  identifier_type: type,
  outcome,
  about: because,
}))

const CSV_COLUMNS: readonly (readonly [string, (lookup: LookupResultWire) => string | number | boolean | null])[] = [
  ['lookup_id', (lookup) => lookup.lookup_id],
  ['timestamp', (lookup) => lookup.timestamp],
  ['identifier', (lookup) => lookup.identifier],
  ['identifier_type', (lookup) => lookup.identifier_type],
  ['device', (lookup) => lookup.device_match.matched_device_name],
  ['match_confidence', (lookup) => lookup.device_match.confidence],
  ['risk_score', (lookup) => lookup.risk_score],
  ['risk_level', (lookup) => lookup.risk_level],
  ['blacklist_status', (lookup) => lookup.blacklist_status],
  ['gsma_status', (lookup) => lookup.gsma_status],
  ['ctia_status', (lookup) => lookup.ctia_status],
  ['carrier_lock', (lookup) => lookup.carrier_lock],
  ['carrier_name', (lookup) => lookup.carrier_name],
  ['reported_lost_stolen', (lookup) => lookup.reported_lost_stolen],
  ['activation_lock', (lookup) => lookup.activation_lock],
  ['source', (lookup) => lookup.source],
  ['freshness', (lookup) => lookup.freshness],
  ['risk_factors', (lookup) => lookup.risk_factors.map(({ code, points }) => `${code} ${points}`).join('; ')],
]

function streamOf(lines: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await lines.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    async cancel() {
      await lines.return(undefined)
    },
  })
}

function readyOf(answer: Answer) {
  if ('kind' in answer) return answer
  return readyAnswer(JSON.stringify(answer.data), answer.meta === undefined ? undefined : JSON.stringify(answer.meta))
}

function contentOf(answer: Answer): { data: LookupResultWire[]; meta: PageMeta | undefined } {
  if ('kind' in answer) {
    const { data, meta } = JSON.parse(`${new TextDecoder().decode(answer.head)}"}`)
    return { data, meta }
  }
  return { data: answer.data as LookupResultWire[], meta: answer.meta }
}
