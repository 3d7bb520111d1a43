import type { z } from 'zod'
import type { Actor } from '../auth/actor.ts'
import { type Device, slug } from '../catalog/device.ts'
import {
  type AppraisedDeviceWire,
  appraiseDevice,
  appraiseDevices,
  getAppraisal,
  listAppraisals,
  listAppraisedDevices,
  previewAppraisal,
} from '../contract/appraisal-endpoints.ts'
import { appraisalRequestSchema } from '../contract/appraisal-request.ts'
import type { ApprovalWire } from '../contract/approval.ts'
import { getDealReport } from '../contract/deal-report.ts'
import { listConditions, listDefects } from '../contract/device-endpoints.ts'
import {
  DEVICE_KINDS,
  type DeviceKind,
  defectsOfKind,
  deviceKind,
  gradesOfKind,
  parseDeviceKind,
} from '../contract/device-kinds.ts'
import { type LookupResultWire, lookupResultSchema } from '../contract/lookups.ts'
import { recordOutcome, recordOutcomes, removeOutcome } from '../contract/outcome-endpoints.ts'
import { callerContext, replayableResult, replayHeaders } from '../http/caller-context.ts'
import { type ApiRoute, type HttpContext, route } from '../http/context.ts'
import { csvLines, csvResponse, csvTexts, xlsxResponse } from '../http/csv-response.ts'
import { type PreparedResponse, prepareResponse } from '../http/prepared-response.ts'
import { can, requireMargins } from '../http/principal.ts'
import { excerpt, invalid, notFound } from '../lib/errors.ts'
import { yieldToEventLoop } from '../lib/event-loop.ts'
import { addDays, startOfDayIn } from '../lib/time.ts'
import { parseOrThrow } from '../lib/validate.ts'
import type { AppraisalService } from './appraisal-service.ts'
import { sheetCells, sheetHeader } from './appraisal-sheet.ts'
import type { AppraisalFilter, AppraisalStore } from './appraisal-store.ts'
import type { ReportedDeal } from './deal-report.ts'
import type { DealReports } from './deal-reports.ts'
import { dealSheetHeader, dealSheetRow } from './deal-sheet.ts'
import { withoutMargins } from './hidden-margins.ts'
import type { OutcomeService } from './outcome-service.ts'
import { possibleDefects } from './possible-defects.ts'

/** Longer lists of choices are not useful. */
const MAX_DEVICES = 200

type Registry = {
  findDevice(id: string): Device | undefined
  /** The name of the category with this slug. */
  findLabel(kind: 'categories', slug: string): string | undefined
}

export type AppraisalRouteDependencies = {
  readonly appraisals: AppraisalService
  readonly outcomes: OutcomeService
  readonly reports: DealReports
  readonly records: Pick<AppraisalStore, 'export' | 'devices'>
  /** A lookup of an organization. */
  readonly findLookup: (organizationId: string, id: string) => Promise<LookupResultWire | null>
  readonly registry: () => Registry
  /** A manager or an owner of the caller's organization, who enters credentials in the session of a clerk. */
  readonly authenticateApprover: (c: HttpContext, approval: ApprovalWire) => Promise<Actor>
}

export function appraisalRoutes(dependencies: AppraisalRouteDependencies): ApiRoute[] {
  const { appraisals, outcomes, reports, records, registry } = dependencies
  /** A stored lookup of the organization. One in an older format counts as not found, so that it is repeated. */
  async function findLookup(organizationId: string, id: string): Promise<LookupResultWire> {
    const record = await dependencies.findLookup(organizationId, id)
    const parsed = lookupResultSchema.safeParse(record)
    if (!parsed.success) throw notFound('The lookup')
    return parsed.data
  }
  const deviceName = (id: string) => registry().findDevice(id)?.name ?? null
  const defects = responsePerKind(defectsOfKind)
  const grades = responsePerKind(gradesOfKind)
  return [
    route(listDefects, (c) => {
      const { device_id: deviceId } = c.get('query')
      const device = deviceId ? registry().findDevice(deviceId) : undefined
      return device ? { data: [...possibleDefects(device)] } : defects(selectedKind(c.get('query'), registry()))
    }),
    route(listConditions, (c) => grades(selectedKind(c.get('query'), registry()))),
    route(appraiseDevice, async (c) => {
      // Credentials are neither stored nor part of what an idempotency key stands for.
      const { approval, ...request } = c.get('body')
      const approver = approval && (await dependencies.authenticateApprover(c, approval))
      const appraised = await appraisals.appraise(request, callerContext(c), approver)
      if (c.get('principal').seesMargins) return replayableResult(appraised)
      return { data: withoutMargins(appraised.data), headers: replayHeaders(appraised) }
    }),
    route(appraiseDevices, async (c) =>
      replayableResult(await appraisals.appraiseBatch(c.get('body'), callerContext(c))),
    ),
    route(previewAppraisal, async (c) => {
      const { organizationId, seesMargins } = c.get('principal')
      const { lookup_id: lookupId, quote_id: quoteId, ...request } = c.get('body')
      const lookup = lookupId === undefined ? null : await findLookup(organizationId, lookupId)
      const identifier = lookup && {
        identifier: lookup.identifier,
        second_identifier: lookup.second_identifier,
        identifier_type: lookup.identifier_type,
      }
      const body = parseOrThrow(appraisalRequestSchema, { ...request, ...identifier }, { root: 'body' })
      const preview = await appraisals.preview(body, callerContext(c), lookup, quoteId)
      return { data: seesMargins ? preview : withoutMargins(preview) }
    }),
    route(listAppraisals, async (c) => {
      const { organizationId, seesMargins } = c.get('principal')
      const { format, language, page, limit, after, ...query } = c.get('query')
      const filter = { ...toFilter(query), findsSellers: can(c.get('principal'), 'sellers:read') }
      if (format === 'csv') {
        const { t, style } = csvTexts(language)
        const exported = records.export(organizationId, filter)
        const lines = csvLines(sheetHeader(t), exported, (appraisal) => sheetCells(appraisal, t, language), style)
        return { file: csvResponse('appraisals.csv', lines, c.get('facts').id) }
      }
      const { records: data, meta } = await appraisals.history(organizationId, { ...filter, page, limit, after })
      return { data: seesMargins ? data : data.map(withoutMargins), meta }
    }),
    route(listAppraisedDevices, async (c) => {
      const devices = await records.devices(c.get('principal').organizationId, MAX_DEVICES)
      const data: AppraisedDeviceWire[] = devices.map(({ deviceId, total }) => ({
        device_id: deviceId,
        device_name: deviceName(deviceId) ?? deviceId,
        total,
      }))
      return { data }
    }),
    route(getAppraisal, async (c) => {
      const { id } = c.get('params')
      // Another organization's appraisal is NOT_FOUND, so that callers cannot probe for ids.
      const appraisal = await appraisals.find(c.get('principal').organizationId, id)
      if (!appraisal) throw notFound(`Appraisal ${excerpt(id)}`)
      return { data: c.get('principal').seesMargins ? appraisal : withoutMargins(appraisal) }
    }),
    route(recordOutcome, async (c) => {
      const { actor } = c.get('principal')
      const { approval, ...request } = c.get('body')
      const approver = approval && (await dependencies.authenticateApprover(c, approval))
      return replayableResult(await outcomes.record(c.get('params').id, request, callerContext(c), actor, approver))
    }),
    route(removeOutcome, async (c) => {
      const { actor } = c.get('principal')
      return replayableResult(await outcomes.remove(c.get('params').id, callerContext(c), actor))
    }),
    route(getDealReport, async (c) => {
      const organizationId = requireMargins(c.get('principal'))
      const { format, language, ...query } = c.get('query')
      const { now, id } = c.get('facts')
      if (format === 'json') return { data: await reports.report(organizationId, query, now) }
      const { t, style } = csvTexts(language)
      const deals = reports.deals(organizationId, query, now)
      const rowOf = (deal: ReportedDeal) => dealSheetRow(deal, t, deviceName)
      if (format === 'csv')
        return { file: csvResponse('deals.csv', csvLines(dealSheetHeader(t), deals, rowOf, style), id) }
      return { file: await xlsxResponse('deals', dealSheetHeader(t), sheetRows(deals, rowOf), id) }
    }),
    route(recordOutcomes, async (c) => {
      const { actor } = c.get('principal')
      return replayableResult(await outcomes.recordBatch(c.get('body'), callerContext(c), actor))
    }),
  ]
}

function toFilter(
  query: Omit<z.output<typeof listAppraisals.query>, 'format' | 'language' | 'page' | 'limit' | 'after'>,
): AppraisalFilter {
  const { day, time_zone: timeZone, device_id: deviceId, reference, decision, outcome, q } = query
  return {
    reference,
    decision,
    deviceId,
    outcome,
    q,
    from: day === undefined ? undefined : startOfDayIn(day, timeZone),
    to: day === undefined ? undefined : startOfDayIn(addDays(day, 1), timeZone),
  }
}

/** The rows of a spreadsheet, a few at a time: other requests are served in between. */
async function* sheetRows<Item>(
  batches: AsyncIterable<readonly Item[]> | Iterable<readonly Item[]>,
  rowOf: (item: Item) => readonly (string | number)[],
) {
  for await (const items of batches) {
    yield items.map(rowOf)
    await yieldToEventLoop()
  }
}

function responsePerKind(
  listRules: (kind: DeviceKind | null) => unknown,
): (kind: DeviceKind | null) => PreparedResponse {
  const responses = new Map([null, ...DEVICE_KINDS].map((kind) => [kind, prepareResponse(listRules(kind))] as const))
  return (kind) => responses.get(kind) as PreparedResponse
}

/** Null: all kinds. A category of the registry without rules of its own may have any defect. */
function selectedKind(
  { category, device_id: deviceId }: { category?: string | undefined; device_id?: string | undefined },
  registry: Registry,
): DeviceKind | null {
  if (deviceId) {
    const device = registry.findDevice(deviceId)
    if (!device) throw notFound(`Device ${excerpt(deviceId)}`)
    return deviceKind(device)
  }
  if (!category) return null
  const kind = parseDeviceKind(category)
  if (kind) return kind
  if (registry.findLabel('categories', slug(category)) !== undefined) return null
  throw invalid('category', category, `one of ${DEVICE_KINDS.join(', ')}, or a category of the registry`)
}
