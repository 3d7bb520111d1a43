import type { ApiUsageWire, QuotaWire } from '../contract/usage.ts'
import { isoInstant, nextMonthAt } from '../lib/time.ts'

export type QuotaState = {
  readonly organizationId: string
  readonly monthlyRequests: number
  readonly isHard: boolean
  /** Requests of the current month. */
  readonly used: number
}

/** Whether a request counts: all except those with an invalid key, over the limit, or with a server error. */
export const isCounted = (status: number) => status < 500 && status !== 401 && status !== 429

const THRESHOLDS_PERCENT = [80, 100] as const

/** Thresholds that the usage of the month has reached. */
export const reachedThresholds = ({ used, monthlyRequests }: QuotaState) =>
  THRESHOLDS_PERCENT.filter((percent) => used * 100 >= monthlyRequests * percent)

export const isExhausted = ({ isHard, used, monthlyRequests }: QuotaState) => isHard && used >= monthlyRequests

export function presentQuota({ monthlyRequests, isHard, used }: QuotaState, now: number): QuotaWire {
  return {
    monthly_requests: monthlyRequests,
    is_hard: isHard,
    used,
    remaining: Math.max(0, monthlyRequests - used),
    resets_at: isoInstant(nextMonthAt(now)),
  }
}

type UsageFacts = Pick<ApiUsageWire, 'from' | 'to' | 'rows'> & { readonly quota: QuotaState | undefined }

export const presentUsage = (
  { from, to, rows, quota }: UsageFacts,
  now: number,
): Omit<ApiUsageWire, 'storage' | 'by_key' | 'hours'> => ({
  from,
  to,
  total_requests: rows.reduce((sum, { status, requests }) => (isCounted(status) ? sum + requests : sum), 0),
  quota: quota ? presentQuota(quota, now) : null,
  rows,
})
