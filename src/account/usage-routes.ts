import type { UsageWire } from '../contract/account.ts'
import { DAY_MS, dayOf } from '../time.ts'
import { KEPT_DAYS } from '../usage/counter.ts'
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
  ]
}

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
