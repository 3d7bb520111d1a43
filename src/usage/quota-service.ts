import { isExhausted, type QuotaState, reachedThresholds } from './quota.ts'
import type { QuotaStore } from './quota-store.ts'

type QuotaServiceOptions = {
  readonly store: Pick<QuotaStore, 'quotas' | 'reportThresholds'>
  readonly now?: () => number
}

export type QuotaService = ReturnType<typeof openQuotaService>

/**
 * Knows which organizations have used up a hard quota. Every process counts twice a minute, as usage is written, so a hard quota
 * is exceeded by up to a minute of requests; in return a request costs one lookup in a set that is usually empty.
 */
export function openQuotaService({ store, now = Date.now }: QuotaServiceOptions) {
  let exhausted: ReadonlySet<string> = new Set()
  /** Thresholds this process has reported, so that it does not write them again every half minute. */
  let reported = new Set<string>()

  async function refresh(): Promise<void> {
    const quotas = await store.quotas(now())
    exhausted = new Set(quotas.filter(isExhausted).map(({ organizationId }) => organizationId))
    const reachedNow = quotas.flatMap((quota) => reachedThresholds(quota).map((percent) => ({ quota, percent })))
    const toKey = ({ quota, percent }: { quota: QuotaState; percent: number }) =>
      `${quota.organizationId} ${quota.monthlyRequests} ${percent}`
    const unreported = reachedNow.filter((threshold) => !reported.has(toKey(threshold)))
    await store.reportThresholds(unreported, now())
    reported = new Set(reachedNow.map(toKey))
  }

  return {
    isExhausted: (organizationId: string) => exhausted.size > 0 && exhausted.has(organizationId),
    refresh,
  }
}
