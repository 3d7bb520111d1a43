import { getUsage } from '../contract/usage.ts'
import { type ApiRoute, route } from '../http/context.ts'
import { dayOf, startOfMonth } from '../lib/time.ts'
import { presentUsage } from './quota.ts'
import type { QuotaStore } from './quota-store.ts'
import type { UsageStore } from './usage-store.ts'

type UsageDependencies = {
  readonly usage: Pick<UsageStore, 'byEndpoint'>
  readonly quotas: Pick<QuotaStore, 'quotas'>
}

export function usageRoutes({ usage, quotas }: UsageDependencies): ApiRoute[] {
  return [
    route(getUsage, async (c) => {
      const { organizationId } = c.get('caller')
      const { now } = c.get('facts')
      const { from = startOfMonth(now), to = dayOf(now) } = c.get('query')
      const rows = await usage.byEndpoint(organizationId, from, to, now)
      const [quota] = await quotas.quotas(now, organizationId)
      return { data: presentUsage({ from, to, rows, quota }, now) }
    }),
  ]
}
