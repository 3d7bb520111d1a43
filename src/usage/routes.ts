import type { AuthStore } from '../auth/auth-store.ts'
import type { Tier } from '../contract/tiers.ts'
import {
  type ApiUsageWire,
  getUsage,
  listRequests,
  type RequestLogEntryWire,
  type UsageByKeyWire,
  type UsageHoursWire,
} from '../contract/usage.ts'
import { type ApiRoute, route } from '../http/context.ts'
import { csvResponse, csvTexts } from '../http/csv-response.ts'
import { requirePermission } from '../http/principal.ts'
import { dayOf, HOUR_MS, isoInstant, startOfMonth } from '../lib/time.ts'
import { HOURLY_RETENTION_HOURS, LATENCY_BUCKETS_MS } from './latency-buckets.ts'
import { isLookupCount, riskLevelOfRoute } from './lookup-levels.ts'
import { presentUsage } from './quota.ts'
import type { QuotaStore } from './quota-store.ts'
import { usageCsv } from './usage-csv.ts'
import type { UsageRecorder } from './usage-recorder-service.ts'
import type { UsageStore } from './usage-store.ts'

const MAX_FLUSH_WAIT_MS = 1_000
const MAX_REQUESTS = 100

export type UsageDependencies = {
  readonly usage: UsageStore
  readonly quotas: Pick<QuotaStore, 'quotas'>
  readonly auth: Pick<AuthStore, 'keys' | 'organizationLimit'>
  readonly limitsPerMinute: Readonly<Record<Tier, number>>
  /** Undefined in a process that counts no requests. */
  readonly recorder?: Pick<UsageRecorder, 'flush'>
}

export function usageRoutes(dependencies: UsageDependencies): ApiRoute[] {
  const { usage, quotas, recorder } = dependencies
  /**
   * Includes the counts of this process that are not yet written; other processes write twice a minute. A database that is
   * busy with writes does not hold up the request: these counts are then in a later response.
   */
  const flushUsage = () => Promise.race([recorder?.flush(), Bun.sleep(MAX_FLUSH_WAIT_MS)])

  async function readUsageByHour(organizationId: string, now: number): Promise<UsageHoursWire> {
    const to = Math.floor(now / HOUR_MS)
    const { from, rows } = await usage.hoursOf(organizationId, to - HOURLY_RETENTION_HOURS + 1)
    return { from, to, latency_classes: [...LATENCY_BUCKETS_MS], rows: rows.map(presentRow) }
  }

  return [
    route(getUsage, async (c) => {
      const { from, to, include, format, language } = c.get('query')
      const { now, id } = c.get('facts')
      const principal = c.get('principal')
      const { organizationId } = principal
      if (include) requirePermission(principal, 'settings:read')
      await flushUsage()
      if (format === 'csv') {
        const { t, style } = csvTexts(language)
        const titleOf: Parameters<typeof usageCsv>[4] = (column) => t(`sheet:usage.${column}`)
        return {
          file: csvResponse('usage.csv', usageCsv(usage, organizationId, { from, to }, now, titleOf, style), id),
        }
      }
      const period = { from: from ?? startOfMonth(now), to: to ?? dayOf(now) }
      const rows = await usage.byEndpoint(organizationId, period.from, period.to, now)
      const [quota] = await quotas.quotas(now, organizationId)
      const byKey = include === 'keys' ? await readUsageByKey(dependencies, organizationId, period, now) : null
      const hours = include === 'hours' ? await readUsageByHour(organizationId, now) : null
      const storage = await usage.storage(organizationId, now)
      const data: ApiUsageWire = { ...presentUsage({ ...period, rows, quota }, now), storage, by_key: byKey, hours }
      return { data }
    }),

    route(listRequests, async (c) => {
      await flushUsage()
      const { key, endpoint, status, before } = c.get('query')
      const statusClass = status === undefined ? undefined : Number(status)
      const filter = { keyId: key, route: endpoint, statusClass, before }
      const rows = await usage.requestsOf(c.get('principal').organizationId, filter, MAX_REQUESTS)
      const data: RequestLogEntryWire[] = rows.map((row) => ({
        id: row.id,
        at: isoInstant(row.at),
        key_id: row.key_id,
        method: row.method,
        endpoint: row.route,
        status: row.status,
        ms: row.duration_us / 1000,
        request_id: row.request_id,
      }))
      return { data }
    }),
  ]
}

async function readUsageByKey(
  { usage, auth, limitsPerMinute }: UsageDependencies,
  organizationId: string,
  { from: firstDay, to: lastDay }: { readonly from: string; readonly to: string },
  now: number,
): Promise<UsageByKeyWire> {
  const [{ from, rows, peaks }, keys, limit] = await Promise.all([
    usage.of(organizationId, firstDay, now),
    auth.keys(organizationId),
    auth.organizationLimit(organizationId),
  ])
  const rowsOfPeriod = rows.filter(({ day }) => day <= lastDay)
  return {
    from,
    rows: rowsOfPeriod.filter(({ route }) => !isLookupCount(route)).map(presentRow),
    peaks: peaks.filter(({ day }) => day <= lastDay),
    keys: keys.map((key) => ({
      id: key.id,
      name: key.name,
      tier: key.tier,
      limit_per_minute: limit ?? limitsPerMinute[key.tier],
    })),
    lookups: sumLookupsByLevel(rowsOfPeriod),
  }
}

const presentRow = <Row extends { readonly route: string; readonly count: number }>({
  route: endpoint,
  count: requests,
  ...row
}: Row) => ({ ...row, endpoint, requests })

function sumLookupsByLevel(
  rows: readonly { readonly day: string; readonly route: string; readonly count: number }[],
): UsageByKeyWire['lookups'] {
  const sums = new Map<string, UsageByKeyWire['lookups'][number]>()
  for (const { day, route, count } of rows) {
    const level = riskLevelOfRoute(route)
    if (!level) continue
    const existing = sums.get(`${day} ${level}`)
    if (existing) existing.count += count
    else sums.set(`${day} ${level}`, { day, risk_level: level, count })
  }
  return [...sums.values()]
}
