import type { RequestLogEntryWire, UsageHoursWire, UsagePageWire } from '../contract/usage-page.ts'
import { csvResponse } from '../http/csv-response.ts'
import { DAY_MS, dayOf, HOUR_MS, isoInstant } from '../lib/time.ts'
import type { DashboardDependencies } from '../people/dashboard-dependencies.ts'
import { downloadTexts } from '../people/download-texts.ts'
import { type DashboardRoute, dashboardRoute } from '../people/session-route.ts'
import { HOURLY_RETENTION_HOURS, LATENCY_BUCKETS_MS } from './latency-buckets.ts'
import { isLookupCount, riskLevelOfRoute } from './lookup-levels.ts'
import { USAGE_RETENTION_DAYS } from './usage-counter.ts'
import { usageCsv } from './usage-csv.ts'

const MAX_FLUSH_WAIT_MS = 1_000

type UsagePageDependencies = Pick<DashboardDependencies, 'auth' | 'usage' | 'quotas'> & {
  /** Undefined in a process that counts no requests. */
  readonly recorder?: DashboardDependencies['recorder']
}

export function usageDashboardRoutes(dependencies: UsagePageDependencies): DashboardRoute[] {
  /**
   * Includes the counts of this process that are not yet written; other processes write twice a minute. A database that is
   * busy with writes does not hold up the page: these counts are then in a later response.
   */
  const flushUsage = () => Promise.race([dependencies.recorder?.flush(), Bun.sleep(MAX_FLUSH_WAIT_MS)])

  return [
    dashboardRoute('GET /account/usage', async (c) => {
      const organization = c.get('organization')
      const { now } = c.get('facts')
      await flushUsage()
      const oldest = dayOf(now - (USAGE_RETENTION_DAYS - 1) * DAY_MS)
      const [{ from, rows, peaks }, keys, quota] = await Promise.all([
        dependencies.usage.of(organization.id, oldest, now),
        dependencies.auth.keys(organization.id),
        dependencies.quotas.findQuota(organization.id, now),
      ])
      const data: UsagePageWire = {
        from,
        to: dayOf(now),
        is_cut: from > oldest,
        quota,
        rows: rows.filter(({ route }) => !isLookupCount(route)),
        peaks,
        keys: keys.map((key) => ({
          id: key.id,
          name: key.name,
          tier: key.tier,
          limit_per_minute: organization.limits[key.tier],
        })),
        lookups: sumLookupsByLevel(rows),
      }
      return { data }
    }),

    dashboardRoute('GET /account/usage.csv', async (c, { from, to }) => {
      const { now, id } = c.get('facts')
      await flushUsage()
      const { t, style } = downloadTexts(c)
      const titleOf: Parameters<typeof usageCsv>[4] = (column) => t(`sheet:usage.${column}`)
      const lines = usageCsv(dependencies.usage, c.get('organization').id, { from, to }, now, titleOf, style)
      return csvResponse('usage.csv', lines, id)
    }),

    dashboardRoute('GET /account/usage/hours', async (c) => {
      const to = Math.floor(c.get('facts').now / HOUR_MS)
      await flushUsage()
      const { from, rows } = await dependencies.usage.hoursOf(c.get('organization').id, to - HOURLY_RETENTION_HOURS + 1)
      const data: UsageHoursWire = {
        from,
        to,
        latency_classes: [...LATENCY_BUCKETS_MS],
        rows,
      }
      return { data }
    }),

    dashboardRoute('GET /account/requests', async (c) => {
      await flushUsage()
      const status = Number(c.req.query('status')?.[0] ?? 0)
      const filter = {
        keyId: validOrUndefined(c.req.query('key'), ID),
        route: validOrUndefined(c.req.query('route'), ROUTE),
        statusClass: status >= 1 && status <= 5 ? status : undefined,
        before: validOrUndefined(c.req.query('before'), ID),
      }
      const rows = await dependencies.usage.requestsOf(c.get('organization').id, filter, MAX_REQUESTS)
      const data: RequestLogEntryWire[] = rows.map((row) => ({
        id: row.id,
        at: isoInstant(row.at),
        key_id: row.key_id,
        method: row.method,
        route: row.route,
        status: row.status,
        ms: row.duration_us / 1000,
        request_id: row.request_id,
      }))
      return { data }
    }),
  ]
}

const MAX_REQUESTS = 100
const ID = /^\w{1,64}$/
const ROUTE = /^\/[\w/{}-]{1,100}$/

/** Invalid values do not filter. */
const validOrUndefined = (text: string | undefined, pattern: RegExp) => (text && pattern.test(text) ? text : undefined)

function sumLookupsByLevel(rows: UsagePageWire['rows']): UsagePageWire['lookups'] {
  const sums = new Map<string, UsagePageWire['lookups'][number]>()
  for (const { day, route, count } of rows) {
    const level = riskLevelOfRoute(route)
    if (!level) continue
    const existing = sums.get(`${day} ${level}`)
    if (existing) existing.count += count
    else sums.set(`${day} ${level}`, { day, risk_level: level, count })
  }
  return [...sums.values()]
}
