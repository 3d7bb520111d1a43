import type { z } from 'zod'
import type { ActivityWire } from '../contract/audit.ts'
import { listAuditEntries } from '../contract/management-organization.ts'
import { CURSOR_LIMIT } from '../contract/paging.ts'
import { type ApiRoute, route } from '../http/context.ts'
import { requirePermission } from '../http/principal.ts'
import { addDays, isoInstant, startOfDayIn } from '../lib/time.ts'
import type { AuditRow } from './audit-store.ts'
import type { AuthStore } from './auth-store.ts'

export type AuditRouteOptions = {
  readonly auth: Pick<AuthStore, 'auditTrail' | 'operatorOrganization' | 'organizationName'>
  readonly members: (organizationId: string) => Promise<readonly { readonly email: string; readonly name: string }[]>
  /** Devices of appraisals, by appraisal id. */
  readonly appraisedDevices: (
    organizationId: string,
    appraisalIds: readonly string[],
  ) => Promise<ReadonlyMap<string, string>>
  readonly deviceName: (deviceId: string) => string | null
}

export function auditRoute(options: AuditRouteOptions): ApiRoute {
  const { auth } = options
  return route(listAuditEntries, async (c) => {
    const query = c.get('query')
    const { after, limit = CURSOR_LIMIT, scope } = query
    const principal = c.get('principal')
    if (scope === 'all') requirePermission(principal, 'service:operate')
    const { organizationId } = principal
    const operator = await auth.operatorOrganization()
    // Other organizations see the operator instead of the person's name.
    const whoOf = (row: AuditRow) =>
      row.isForAll && scope !== 'all' && operator !== organizationId ? 'the operator' : row.who
    const matches = auditFilter(query, whoOf)
    const page = { limit, after, matches }
    const { rows, nextAfter } = await auth.auditTrail(scope === 'all' ? null : organizationId, page)
    const describe = await describer(options, organizationId, rows)
    return {
      data: rows.map((row) => describe(row, whoOf(row))),
      meta: { limit, has_next: nextAfter !== null, next_after: nextAfter },
    }
  })
}

/** Presents entries with the names of their people, devices and organizations. Entries for all have those of the caller. */
async function describer(
  { auth, members, appraisedDevices, deviceName }: AuditRouteOptions,
  callerId: string,
  rows: readonly AuditRow[],
): Promise<(row: AuditRow, who: string) => ActivityWire> {
  const ownerOf = (row: AuditRow) => (row.isForAll ? callerId : row.organization_id)
  const factsOf = async (organizationId: string, entries: readonly AuditRow[]) => {
    const appraisalIds = entries.filter(({ action }) => action.startsWith('appraisal.')).map(({ subject }) => subject)
    const [name, people, devices] = await Promise.all([
      auth.organizationName(organizationId),
      members(organizationId),
      appraisedDevices(organizationId, appraisalIds),
    ])
    return { name, names: new Map(people.map(({ email, name }) => [email, name || null])), devices }
  }
  const factsByOrganization = new Map<string, Awaited<ReturnType<typeof factsOf>>>()
  for (const [organizationId, entries] of Map.groupBy(rows, ownerOf)) {
    factsByOrganization.set(organizationId, await factsOf(organizationId, entries))
  }
  return (row, who) => {
    const facts = factsByOrganization.get(ownerOf(row))
    const deviceId = facts?.devices.get(row.subject)
    return {
      id: row.id,
      at: isoInstant(row.created_at),
      who,
      who_name: facts?.names.get(who) ?? null,
      organization_id: row.isForAll ? null : row.organization_id,
      organization_name: row.isForAll ? null : (facts?.name ?? null),
      action: row.action,
      subject: row.subject,
      subject_name: deviceId ? deviceName(deviceId) : (facts?.names.get(row.subject) ?? null),
      detail: JSON.parse(row.detail),
    }
  }
}

/** Undefined without a filter: then the trail need not be searched. */
function auditFilter(
  { who, kind, from, to, time_zone: timeZone = 'UTC' }: z.output<typeof listAuditEntries.query>,
  whoOf: (row: AuditRow) => string,
): ((row: AuditRow) => boolean) | undefined {
  if (who === undefined && kind === undefined && from === undefined && to === undefined) return undefined
  const first = from === undefined ? 0 : startOfDayIn(from, timeZone)
  const end = to === undefined ? Number.POSITIVE_INFINITY : startOfDayIn(addDays(to, 1), timeZone)
  return (row) =>
    (who === undefined || whoOf(row).startsWith(who)) &&
    (kind === undefined || row.action.startsWith(`${kind}.`)) &&
    row.created_at >= first &&
    row.created_at < end
}
