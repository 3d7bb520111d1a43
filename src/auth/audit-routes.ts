import type { z } from 'zod'
import type { ActivityWire } from '../contract/audit.ts'
import { listAuditEntries } from '../contract/management-organization.ts'
import { CURSOR_LIMIT } from '../contract/paging.ts'
import { type ApiRoute, route } from '../http/context.ts'
import { addDays, isoInstant, startOfDayIn } from '../lib/time.ts'
import type { AuthStore } from './auth-store.ts'

export type AuditRouteOptions = {
  readonly auth: Pick<AuthStore, 'auditTrail' | 'operatorOrganization'>
  readonly members: (organizationId: string) => Promise<readonly { readonly email: string; readonly name: string }[]>
  /** Devices of appraisals, by appraisal id. */
  readonly appraisedDevices: (
    organizationId: string,
    appraisalIds: readonly string[],
  ) => Promise<ReadonlyMap<string, string>>
  readonly deviceName: (deviceId: string) => string | null
}

export const auditRoute = ({ auth, members, appraisedDevices, deviceName }: AuditRouteOptions): ApiRoute =>
  route(listAuditEntries, async (c) => {
    const query = c.get('query')
    const { after, limit = CURSOR_LIMIT } = query
    const { organizationId } = c.get('principal')
    const [operator, people] = await Promise.all([auth.operatorOrganization(), members(organizationId)])
    // Other organizations see the operator instead of the person's name.
    const whoOf = (row: { who: string; isForAll: boolean }) =>
      row.isForAll && operator !== organizationId ? 'the operator' : row.who
    const matches = auditFilter(query, whoOf)
    const { rows, nextAfter } = await auth.auditTrail(organizationId, { limit, after, matches })
    const nameByEmail = new Map(people.map(({ email, name }) => [email, name || null]))
    const appraisalIds = rows.filter(({ action }) => action.startsWith('appraisal.')).map(({ subject }) => subject)
    const deviceIds = await appraisedDevices(organizationId, appraisalIds)
    const data: ActivityWire[] = rows.map((row) => {
      const who = whoOf(row)
      const deviceId = deviceIds.get(row.subject)
      return {
        id: row.id,
        at: isoInstant(row.created_at),
        who,
        who_name: nameByEmail.get(who) ?? null,
        action: row.action,
        subject: row.subject,
        subject_name: deviceId ? deviceName(deviceId) : (nameByEmail.get(row.subject) ?? null),
        detail: JSON.parse(row.detail),
      }
    })
    return { data, meta: { limit, has_next: nextAfter !== null, next_after: nextAfter } }
  })

type AuditRow = {
  readonly who: string
  readonly action: string
  readonly created_at: number
  readonly isForAll: boolean
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
