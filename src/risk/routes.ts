import {
  assessIdentifier,
  assessIdentifiers,
  getLookup,
  listLookups,
  listSandbox,
} from '../contract/lookup-endpoints.ts'
import { DONE } from '../contract/management-shared.ts'
import {
  type ConfirmedTacWire,
  confirmTac,
  forgetTac,
  listTacs,
  type TacAgreementWire,
} from '../contract/management-tacs.ts'
import { callerContext, replayableResult } from '../http/caller-context.ts'
import { type ApiRoute, route } from '../http/context.ts'
import { csvLines, csvResponse, csvTexts } from '../http/csv-response.ts'
import { requirePermission } from '../http/principal.ts'
import { notFound } from '../lib/errors.ts'
import { isoInstant } from '../lib/time.ts'
import { LOOKUP_EXPORT_HEADER, lookupExportCells } from './lookup-export.ts'
import type { LookupService } from './lookup-service.ts'
import { SANDBOX_IDENTIFIERS } from './sources/sandbox-identifiers.ts'
import { OPERATOR } from './tac-confirmation.ts'
import type { ConfirmedTac, TacAgreement, TacConfirmationStore } from './tac-confirmation-store.ts'

export function riskRoutes(lookups: LookupService): ApiRoute[] {
  return [
    route(assessIdentifier, async (c) => replayableResult(await lookups.assess(c.get('body'), callerContext(c)))),
    route(assessIdentifiers, async (c) => replayableResult(await lookups.assessBatch(c.get('body'), callerContext(c)))),
    route(listLookups, async (c) => {
      const { organizationId } = c.get('principal')
      const { format, language, ...query } = c.get('query')
      if (format === 'csv') {
        const { t, style } = csvTexts(language)
        const header = LOOKUP_EXPORT_HEADER.map((column) => t(`sheet:lookup.${column}`))
        const lines = csvLines(header, lookups.export(organizationId, query.identifier), lookupExportCells, style)
        return { file: csvResponse('lookups.csv', lines, c.get('facts').id) }
      }
      const { records: data, meta } = await lookups.listHistory(organizationId, query)
      return { data, meta }
    }),
    route(getLookup, async (c) => {
      const data = await lookups.find(c.get('principal').organizationId, c.get('params').id)
      if (!data) throw notFound('The lookup')
      return { data }
    }),
    route(listSandbox, () => ({ data: SANDBOX })),
  ]
}

const SANDBOX = SANDBOX_IDENTIFIERS.map(({ identifier, type, outcome, explanation }) => ({
  identifier,
  identifier_type: type,
  outcome,
  about: explanation,
}))

/** Models that organizations and the operator confirmed for type allocation codes. */
export function tacRoutes(
  confirmations: Pick<TacConfirmationStore, 'list' | 'listAgreements' | 'confirmForAll' | 'forget'>,
): ApiRoute[] {
  return [
    route(listTacs, async (c) => {
      const { organizationId, operates } = c.get('principal')
      const [own, all] = await Promise.all([
        confirmations.list(organizationId),
        operates ? confirmations.listAgreements() : null,
      ])
      return { data: { own: own.map(presentTac), all: all?.map(presentAgreement) ?? null } }
    }),
    route(confirmTac, async (c) => {
      const { device_id: deviceId } = c.get('body')
      await confirmations.confirmForAll(c.get('params').tac, deviceId, c.get('principal').actor, c.get('facts').now)
      return { data: DONE }
    }),
    route(forgetTac, async (c) => {
      const { device_id: deviceId, scope } = c.get('query')
      const principal = c.get('principal')
      if (scope === 'all') requirePermission(principal, 'service:operate')
      const owner = scope === 'all' ? OPERATOR : principal.organizationId
      await confirmations.forget(owner, c.get('params').tac, deviceId, principal.actor, c.get('facts').now)
      return { data: DONE }
    }),
  ]
}

const presentTac = ({ tac, deviceId, deviceName, units, confirmedAt }: ConfirmedTac): ConfirmedTacWire => ({
  tac,
  device_id: deviceId,
  device_name: deviceName,
  units,
  confirmed_at: isoInstant(confirmedAt),
})

const presentAgreement = (agreement: TacAgreement): TacAgreementWire => ({
  tac: agreement.tac,
  device_id: agreement.deviceId,
  device_name: agreement.deviceName,
  units: agreement.units,
  organizations: agreement.organizations,
  confirmed_for_all: agreement.isConfirmedForAll,
  confirmed_at: isoInstant(agreement.confirmedAt),
})
