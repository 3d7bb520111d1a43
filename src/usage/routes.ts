import { type ApiUsageWire, getUsage } from '../contract/usage.ts'
import { type ApiRoute, route } from '../http/context.ts'
import { dayOf, startOfMonth } from '../lib/time.ts'
import { presentUsage } from './quota.ts'
import type { QuotaStore } from './quota-store.ts'
import type { Period } from './usage-csv.ts'
import type { UsageStore } from './usage-store.ts'

export type UsageDependencies = {
  readonly usage: Pick<UsageStore, 'byEndpoint'>
  readonly quotas: Pick<QuotaStore, 'quotas'>
}

export function usageRoutes(dependencies: UsageDependencies): ApiRoute[] {
  return [
    route(getUsage, async (c) => ({
      data: await readUsage(dependencies, c.get('principal').organizationId, c.get('query'), c.get('facts').now),
    })),
  ]
}

/** Usage and quota of an organization, by default of this month. */
export async function readUsage(
  { usage, quotas }: UsageDependencies,
  organizationId: string,
  { from, to }: Period,
  now: number,
): Promise<ApiUsageWire> {
  const period = { from: from ?? startOfMonth(now), to: to ?? dayOf(now) }
  const rows = await usage.byEndpoint(organizationId, period.from, period.to, now)
  const [quota] = await quotas.quotas(now, organizationId)
  return presentUsage({ ...period, rows, quota }, now)
}
