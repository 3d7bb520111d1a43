import { getUsage } from '../contract/usage.ts'
import { type ApiRoute, route } from '../http/context.ts'
import { invalid } from '../lib/errors.ts'
import { dayOf, isDay, startOfMonth } from '../lib/time.ts'
import { isLookupCount } from './lookup-levels.ts'
import { presentQuota } from './quota.ts'
import type { QuotaStore } from './quota-store.ts'
import type { UsageRecorder } from './usage-recorder-service.ts'
import type { UsageStore } from './usage-store.ts'

type UsageDependencies = {
  readonly usage: Pick<UsageStore, 'of'>
  readonly quotas: Pick<QuotaStore, 'quotas'>
  readonly recorder: Pick<UsageRecorder, 'flush'>
}

const isCounted = ({ key_id, status }: { key_id: string; status: number }) =>
  key_id !== 'dashboard' && status < 500 && status !== 401 && status !== 429

export function usageRoutes({ usage, quotas, recorder }: UsageDependencies): ApiRoute[] {
  return [
    route(getUsage, async (c) => {
      const { organizationId } = c.get('caller')
      const { now } = c.get('facts')
      const query = c.get('query')
      const from = parseDay('from', query.from ?? startOfMonth(now))
      const to = parseDay('to', query.to ?? dayOf(now))
      // Includes the counts of this process that are not yet written; other processes write twice a minute.
      await recorder.flush()
      const [{ rows }, [quota]] = await Promise.all([
        usage.of(organizationId, from),
        quotas.quotas(now, organizationId),
      ])
      const shown = rows.filter(
        ({ day, route, key_id }) => day <= to && key_id !== 'dashboard' && !isLookupCount(route),
      )
      return {
        data: {
          from,
          to,
          total_requests: shown.filter(isCounted).reduce((sum, { count }) => sum + Number(count), 0),
          quota: quota ? presentQuota(quota, now) : null,
          rows: shown.map(({ day, key_id, route: endpoint, status, count }) => ({
            day,
            key_id,
            endpoint,
            status,
            requests: Number(count),
          })),
        },
      }
    }),
  ]
}

function parseDay(name: string, text: string): string {
  if (!isDay(text)) throw invalid(name, text, 'a day such as 2026-11-01')
  return text
}
