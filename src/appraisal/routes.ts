import type { Device } from '../catalog/device.ts'
import { appraiseDevice, appraiseDevices, getAppraisal, listAppraisals } from '../contract/appraisal-endpoints.ts'
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
import { recordOutcome, recordOutcomes, removeOutcome } from '../contract/outcome-endpoints.ts'
import { ApiError } from '../http/api-error.ts'
import { callerContext, replayableResult, replayHeaders } from '../http/caller-context.ts'
import { type ApiRoute, route } from '../http/context.ts'
import { csvLines, csvResponse, csvTexts } from '../http/csv-response.ts'
import { type PreparedResponse, prepareResponse } from '../http/prepared-response.ts'
import type { Principal } from '../http/principal.ts'
import { excerpt, invalid, notFound } from '../lib/errors.ts'
import { checkStoredJson } from '../records/stored-json.ts'
import type { AppraisalService } from './appraisal-service.ts'
import type { DealReports } from './deal-report-service.ts'
import { dealSheetHeader, dealSheetRow } from './deal-sheet.ts'
import type { OutcomeService } from './outcome-service.ts'
import { withoutMargins } from './without-margins.ts'

type Registry = {
  findDevice(id: string): Device | undefined
  /** Names of the categories by their lower-case form. */
  readonly categories: ReadonlyMap<string, string>
}

export type AppraisalRouteDependencies = {
  readonly appraisals: AppraisalService
  readonly outcomes: OutcomeService
  readonly reports: DealReports
  readonly registry: () => Registry
}

export function appraisalRoutes({ appraisals, outcomes, reports, registry }: AppraisalRouteDependencies): ApiRoute[] {
  const deviceName = (id: string) => registry().findDevice(id)?.name ?? null
  const defects = responsePerKind(defectsOfKind)
  const grades = responsePerKind(gradesOfKind)
  return [
    route(listDefects, (c) => defects(selectedKind(c.get('query'), registry()))),
    route(listConditions, (c) => grades(selectedKind(c.get('query'), registry()))),
    route(appraiseDevice, async (c) => {
      const appraised = await appraisals.appraise(c.get('body'), callerContext(c))
      if (c.get('principal').seesMargins) return replayableResult(appraised)
      return { data: withoutMargins(JSON.parse(appraised.json)), headers: replayHeaders(appraised) }
    }),
    route(appraiseDevices, async (c) =>
      replayableResult(await appraisals.appraiseBatch(c.get('body'), callerContext(c))),
    ),
    route(listAppraisals, async (c) => {
      const { records, meta } = await appraisals.history(c.get('principal').organizationId, c.get('query'))
      if (c.get('principal').seesMargins) return prepareResponse(`[${records.join(',')}]`, JSON.stringify(meta))
      return { data: records.map((record) => withoutMargins(JSON.parse(record))), meta }
    }),
    route(getAppraisal, async (c) => {
      const { id } = c.get('params')
      // Another organization's appraisal is NOT_FOUND, so that callers cannot probe for ids.
      const json = await appraisals.find(c.get('principal').organizationId, id)
      if (json === null) throw notFound(`Appraisal ${excerpt(id)}`)
      if (c.get('principal').seesMargins) return prepareResponse(checkStoredJson(json))
      return { data: withoutMargins(JSON.parse(checkStoredJson(json))) }
    }),
    route(recordOutcome, async (c) => {
      const { actor } = c.get('principal')
      return replayableResult(await outcomes.record(c.get('params').id, c.get('body'), callerContext(c), actor))
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
      const deals = await reports.deals(organizationId, query, now)
      const lines = csvLines(dealSheetHeader(t), [deals], (deal) => dealSheetRow(deal, t, deviceName), style)
      return { file: csvResponse('deals.csv', lines, id) }
    }),
    route(recordOutcomes, async (c) => {
      const { actor } = c.get('principal')
      return replayableResult(await outcomes.recordBatch(c.get('body'), callerContext(c), actor))
    }),
  ]
}

/** The organization of a principal who sees margins. */
function requireMargins({ seesMargins, organizationId }: Principal): string {
  if (seesMargins) return organizationId
  throw new ApiError('FORBIDDEN', 'Reports show margins. Ask an owner for the right to see them.')
}

function responsePerKind(
  listRules: (kind: DeviceKind | null) => unknown,
): (kind: DeviceKind | null) => PreparedResponse {
  const responses = new Map(
    [null, ...DEVICE_KINDS].map((kind) => [kind, prepareResponse(JSON.stringify(listRules(kind)))] as const),
  )
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
  if (registry.categories.has(category.trim().toLowerCase())) return null
  throw invalid('category', category, `one of ${DEVICE_KINDS.join(', ')}, or a category of the registry`)
}
