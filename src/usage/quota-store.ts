import type { Actor } from '../auth/actor.ts'
import { writeAuditEntry } from '../auth/audit-store.ts'
import { requireOrganization } from '../auth/organization-store.ts'
import { DASHBOARD_KEY, type QuotaWire } from '../contract/usage.ts'
import type { Database } from '../db/database.ts'
import { writeEvents } from '../events/event-store.ts'
import { yieldToEventLoop } from '../lib/event-loop.ts'
import { addDays, dayOf, monthOf, startOfMonth } from '../lib/time.ts'
import { isCounted, presentQuota, type QuotaState } from './quota.ts'

/** Days per query, so that no query blocks the event loop for long. */
const DAYS_PER_STEP = 3

export type QuotaStore = ReturnType<typeof quotaStore>

export function quotaStore(db: Database) {
  /** Requests of an organization from a day on that count against its quota. */
  async function usedSince(organizationId: string, firstDay: string, today: string): Promise<number> {
    let used = 0
    for (let day = firstDay; day <= today; day = addDays(day, DAYS_PER_STEP)) {
      const sums = await db.query
        .selectFrom('usage_count')
        .select(({ fn }) => ['status', fn.sum<number>('count').as('requests')])
        .where('organization_id', '=', organizationId)
        .where('day', '>=', day)
        .where('day', '<', addDays(day, DAYS_PER_STEP))
        .where('key_id', '!=', DASHBOARD_KEY)
        .where('route', 'not like', 'lookup:%')
        .groupBy('status')
        .execute()
      for (const { status, requests } of sums) if (isCounted(status)) used += Number(requests)
      await yieldToEventLoop()
    }
    return used
  }

  /** Quotas with the requests of the current month. */
  async function quotas(now: number, organizationId?: string): Promise<QuotaState[]> {
    let query = db.query
      .selectFrom('organization')
      .select(['id', 'monthly_quota', 'is_quota_hard'])
      .where('monthly_quota', 'is not', null)
    if (organizationId !== undefined) query = query.where('id', '=', organizationId)
    const rows = await query.execute()
    const states: QuotaState[] = []
    for (const { id, monthly_quota, is_quota_hard } of rows) {
      const used = await usedSince(id, startOfMonth(now), dayOf(now))
      states.push({ organizationId: id, monthlyRequests: Number(monthly_quota), isHard: is_quota_hard === 1, used })
    }
    return states
  }

  return {
    quotas,

    /** The quota of an organization as the API shows it; null without one. */
    async findQuota(organizationId: string, now: number): Promise<QuotaWire | null> {
      const [quota] = await quotas(now, organizationId)
      return quota ? presentQuota(quota, now) : null
    },

    /** Sets the requests per calendar month; null removes the quota. */
    async setQuota(
      organizationId: string,
      quota: { readonly monthlyRequests: number; readonly isHard: boolean } | null,
      actor: Actor,
      now: number,
    ): Promise<void> {
      await db.transaction(async (tx) => {
        await requireOrganization(tx, organizationId)
        await tx
          .updateTable('organization')
          .set({ monthly_quota: quota?.monthlyRequests ?? null, is_quota_hard: quota?.isHard ? 1 : 0 })
          .where('id', '=', organizationId)
          .execute()
        const text = quota ? `${quota.monthlyRequests} requests (${quota.isHard ? 'hard' : 'soft'})` : 'none'
        const entry = {
          action: 'organization.quota_changed',
          subject: organizationId,
          detail: { quota: text },
        } as const
        await writeAuditEntry(tx, organizationId, actor, entry, now)
      })
    },

    /** Writes an event for every reached threshold, once per month: the database ignores repeated ones. */
    async reportThresholds(
      reached: readonly { readonly quota: QuotaState; readonly percent: number }[],
      now: number,
    ): Promise<void> {
      if (reached.length === 0) return
      const month = monthOf(now)
      await db.transaction(async (tx) => {
        await writeEvents(
          db,
          tx,
          reached.map(({ quota, percent }) => ({
            type: 'usage.threshold_reached' as const,
            organizationId: quota.organizationId,
            subject: 'usage',
            createdAt: now,
            dedupeKey: `usage.threshold ${quota.organizationId} ${month} ${quota.monthlyRequests} ${percent}`,
            data: {
              month,
              threshold_percent: percent,
              monthly_requests: quota.monthlyRequests,
              used: quota.used,
              is_hard: quota.isHard,
            },
          })),
        )
      })
    },
  }
}
