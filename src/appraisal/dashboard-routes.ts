import { personActor } from '../auth/actor.ts'
import { APPRAISAL_DECISIONS, type AppraisalWire } from '../contract/appraisal.ts'
import { listAppraisals } from '../contract/appraisal-endpoints.ts'
import { appraisalRequestSchema, tierOfAppraisal } from '../contract/appraisal-request.ts'
import type { AppraisedDeviceWire } from '../contract/dashboard.ts'
import { type LookupResultWire, lookupResultSchema } from '../contract/lookups.ts'
import { OUTCOME_FILTERS, outcomeRequestSchema } from '../contract/outcome.ts'
import { parseCount } from '../contract/paging.ts'
import { isTimeZone } from '../contract/values.ts'
import { csvLines, csvResponse } from '../http/csv-response.ts'
import { prepareResponse } from '../http/prepared-response.ts'
import { invalid, notFound } from '../lib/errors.ts'
import { addDays, isDay, startOfDayIn } from '../lib/time.ts'
import { parseOrThrow } from '../lib/validate.ts'
import { authenticateApprover } from '../people/authentication-service.ts'
import { requireTier } from '../people/check-tier.ts'
import type { DashboardDependencies } from '../people/dashboard-dependencies.ts'
import { downloadTexts } from '../people/download-texts.ts'
import { type DashboardRoute, dashboardRoute, type SessionContext } from '../people/session-route.ts'
import type { CallerContext } from '../records/durable-response-service.ts'
import { sheetHeader, sheetRowFromJson } from './appraisal-sheet.ts'
import type { AppraisalFilter } from './appraisal-store.ts'
import { withoutMargins } from './without-margins.ts'

const PAGE_SIZE = 25
/** Longer lists of choices are not useful. */
const MAX_DEVICES = 200

/** The counter: previews of an offer, and the saved appraisals. */
export function appraisalDashboardRoutes(dependencies: DashboardDependencies): DashboardRoute[] {
  const { appraisals, outcomes, records } = dependencies.appraisal

  const callerOf = (c: SessionContext): CallerContext => ({
    organizationId: c.get('organization').id,
    keyId: 'dashboard',
    isClerk: c.get('organization').role === 'clerk',
    idempotencyKey: null,
    now: c.get('facts').now,
  })

  /** A stored lookup of the organization. One in an older format counts as not found, so that it is repeated. */
  async function findLookup(c: SessionContext, id: string): Promise<LookupResultWire> {
    const record = await dependencies.lookups.find(c.get('organization').id, id)
    const parsed = record === null ? null : lookupResultSchema.safeParse(JSON.parse(record))
    if (!parsed?.success) throw notFound('The lookup')
    return parsed.data
  }

  return [
    dashboardRoute('POST /account/appraisals/preview', async (c, { lookup_id: lookupId, request }) => {
      requireTier(c, lookupId === null ? 'paid' : 'enterprise')
      const lookup = lookupId === null ? null : await findLookup(c, lookupId)
      // The identifier comes from the lookup only, so that sources are never queried without a record.
      const identifier = lookup
        ? { identifier: lookup.identifier, identifier_type: lookup.identifier_type }
        : { identifier: undefined }
      const body = parseOrThrow(appraisalRequestSchema, { ...request, ...identifier }, { root: 'request' })
      const preview = await appraisals.preview(body, callerOf(c), lookup)
      return { data: c.get('organization').seesMargins ? preview : withoutMargins(preview) }
    }),

    dashboardRoute('POST /account/appraisals/approve', async (c, { request, ...credentials }) => {
      requireTier(c, tierOfAppraisal(request))
      const body = parseOrThrow(appraisalRequestSchema, request, { root: 'request' })
      const { id: organizationId, seesMargins } = c.get('organization')
      const approver = personActor(await authenticateApprover(dependencies, c, credentials))
      const approvedCaller = { ...callerOf(c), isClerk: false }
      const appraisal: AppraisalWire = JSON.parse((await appraisals.appraise(body, approvedCaller)).json)
      const detail = { for: c.get('principal').actor.who }
      const entry = { action: 'appraisal.approved', subject: appraisal.appraisal_id, detail } as const
      await dependencies.people.writeEntry(organizationId, approver, entry, c.get('facts').now)
      return { data: seesMargins ? appraisal : withoutMargins(appraisal) }
    }),

    dashboardRoute('GET /account/appraisals', async (c) => {
      requireTier(c, 'paid')
      const { after } = parseOrThrow(listAppraisals.query.pick({ after: true }), c.req.query(), { root: 'query' })
      const query = { ...parseFilter(c), page: parseCount(c.req.query('page'), 1), limit: PAGE_SIZE, after }
      const { records, meta } = await appraisals.history(c.get('organization').id, query)
      const visible = c.get('organization').seesMargins
        ? records
        : records.map((record) => JSON.stringify(withoutMargins(JSON.parse(record))))
      return prepareResponse(`[${visible.join(',')}]`, JSON.stringify(meta))
    }),

    dashboardRoute('GET /account/appraisals.csv', async (c) => {
      requireTier(c, 'paid')
      const exported = records.export(c.get('organization').id, parseFilter(c))
      const { t, style } = downloadTexts(c)
      const lines = csvLines(sheetHeader(t), exported, (json) => sheetRowFromJson(json, t), style)
      return csvResponse('appraisals.csv', lines, c.get('facts').id)
    }),

    dashboardRoute('POST /account/appraisals/outcome', async (c, { appraisal_id: id, outcome }) => {
      requireTier(c, 'paid')
      const { actor } = c.get('principal')
      if (outcome === null) return prepareResponse((await outcomes.remove(id, callerOf(c), actor)).json)
      const request = parseOrThrow(outcomeRequestSchema, outcome, { root: 'outcome' })
      return prepareResponse((await outcomes.record(id, request, callerOf(c), actor)).json)
    }),

    dashboardRoute('POST /account/appraisals/outcomes', async (c, body) => {
      requireTier(c, 'paid')
      return prepareResponse((await outcomes.recordBatch(body, callerOf(c), c.get('principal').actor)).json)
    }),

    dashboardRoute('GET /account/appraisals/devices', async (c) => {
      requireTier(c, 'paid')
      const devices = await records.devices(c.get('organization').id, MAX_DEVICES)
      const data: AppraisedDeviceWire[] = devices.map(({ deviceId, total }) => ({
        device_id: deviceId,
        device_name: dependencies.appraisal.deviceName(deviceId) ?? deviceId,
        total,
      }))
      return { data }
    }),
  ]
}

function parseFilter(c: SessionContext): AppraisalFilter {
  const queryValue = (name: string) => c.req.query(name) || undefined
  const day = queryValue('day')
  if (day !== undefined && !isDay(day)) throw invalid('day', day, 'a day such as 2026-03-02')
  const timeZone = queryValue('time_zone') ?? 'UTC'
  if (!isTimeZone(timeZone)) throw invalid('time_zone', timeZone, 'a time zone such as Europe/Vilnius')
  return {
    decision: APPRAISAL_DECISIONS.find((decision) => decision === queryValue('decision')),
    deviceId: queryValue('device'),
    reference: queryValue('reference'),
    outcome: OUTCOME_FILTERS.find((outcome) => outcome === queryValue('outcome')),
    from: day === undefined ? undefined : startOfDayIn(day, timeZone),
    to: day === undefined ? undefined : startOfDayIn(addDays(day, 1), timeZone),
  }
}
