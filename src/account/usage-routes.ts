import type { RequestWire, UsageHoursWire, UsageWire } from '../contract/account.ts'
import { DAY_MS, dayOf, HOUR_MS, isoInstant } from '../time.ts'
import { KEPT_DAYS } from '../usage/counter.ts'
import { KEPT_HOURS, LATENCY_CLASSES } from '../usage/latency.ts'
import { isLookupCount, levelOf } from '../usage/lookup-levels.ts'
import type { AccountParts } from './parts.ts'
import { type AccountRoute, reads } from './route.ts'

export function usageRoutes(parts: AccountParts): AccountRoute[] {
  return [
    reads('/account/usage', 'member', async (c) => {
      const organization = c.get('organization')
      const { now } = c.get('facts')
      // What this process counted a moment ago belongs to the picture; other processes write twice a minute.
      await parts.recorder.flush()
      const from = dayOf(now - (KEPT_DAYS - 1) * DAY_MS)
      const [{ rows, peaks }, keys] = await Promise.all([
        parts.usage.of(organization.id, from),
        parts.access.keys(organization.id),
      ])
      const data: UsageWire = {
        from,
        to: dayOf(now),
        rows: rows.filter(({ route }) => !isLookupCount(route)),
        peaks,
        keys: keys.map((key) => ({
          id: key.id,
          name: key.name,
          tier: key.tier,
          limit_per_minute: organization.limits[key.tier],
        })),
        lookups: lookupsOf(rows),
      }
      return { data }
    }),

    reads('/account/usage/hours', 'member', async (c) => {
      const to = Math.floor(c.get('facts').now / HOUR_MS)
      await parts.recorder.flush()
      const rows = await parts.usage.hoursOf(c.get('organization').id, to - KEPT_HOURS + 1)
      const data: UsageHoursWire = { from: to - KEPT_HOURS + 1, to, latency_classes: [...LATENCY_CLASSES], rows }
      return { data }
    }),

    reads('/account/requests', 'member', async (c) => {
      await parts.recorder.flush()
      const status = Number(c.req.query('status')?.[0] ?? 0)
      const filter = {
        keyId: matching(c.req.query('key'), ID),
        route: matching(c.req.query('route'), ROUTE),
        statusClass: status >= 1 && status <= 5 ? status : undefined,
        before: matching(c.req.query('before'), ID),
      }
      const rows = await parts.usage.requestsOf(c.get('organization').id, filter, REQUESTS_SHOWN)
      const data: RequestWire[] = rows.map((row) => ({
        id: row.id,
        at: isoInstant(row.at),
        key_id: row.key_id,
        method: row.method,
        route: row.route,
        status: row.status,
        ms: row.us / 1000,
        request_id: row.request_id,
      }))
      return { data }
    }),
  ]
}

const REQUESTS_SHOWN = 100
const ID = /^\w{1,64}$/
const ROUTE = /^\/[\w/{}-]{1,100}$/

/** What cannot be one narrows nothing. */
const matching = (text: string | undefined, form: RegExp) => (text && form.test(text) ? text : undefined)

function lookupsOf(rows: UsageWire['rows']): UsageWire['lookups'] {
  const sums = new Map<string, UsageWire['lookups'][number]>()
  for (const { day, route, count } of rows) {
    const level = levelOf(route)
    if (!level) continue
    const known = sums.get(`${day} ${level}`)
    if (known) known.count += count
    else sums.set(`${day} ${level}`, { day, risk_level: level, count })
  }
  return [...sums.values()]
}
