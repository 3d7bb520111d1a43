import type { Actor } from '../auth/actor.ts'
import { writeAuditEntry } from '../auth/audit-store.ts'
import { requireOrganization } from '../auth/organization-store.ts'
import type { Database } from '../db/database.ts'
import { writeEvents } from '../events/event-store.ts'
import { monthOf, startOfMonth } from '../lib/time.ts'
import type { QuotaState } from './quota.ts'

/** Requests that count: not those of people in the dashboard, and not those that the service rejected or failed. */
const UNCOUNTED_STATUSES = [401, 429]
const DASHBOARD_KEY = 'dashboard'

export type QuotaStore = ReturnType<typeof quotaStore>

export function quotaStore(db: Database) {
  const usedSince = (day: string) =>
    db.query
      .selectFrom('usage_count')
      .select(({ fn }) => ['organization_id', fn.sum<number>('count').as('used')])
      .where('day', '>=', day)
      .where('status', '<', 500)
      .where('status', 'not in', UNCOUNTED_STATUSES)
      .where('key_id', '!=', DASHBOARD_KEY)
      .where('route', 'not like', 'lookup:%')
      .groupBy('organization_id')

  return {
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

    /** Quotas with the requests of the current month. */
    async quotas(now: number, organizationId?: string): Promise<QuotaState[]> {
      let organizations = db.query
        .selectFrom('organization')
        .select(['id', 'monthly_quota', 'is_quota_hard'])
        .where('monthly_quota', 'is not', null)
      if (organizationId !== undefined) organizations = organizations.where('id', '=', organizationId)
      const rows = await organizations.execute()
      if (rows.length === 0) return []
      const ids = rows.map(({ id }) => id)
      const sums = await usedSince(startOfMonth(now)).where('organization_id', 'in', ids).execute()
      const used = new Map(sums.map((sum) => [sum.organization_id, Number(sum.used)]))
      return rows.map((row) => ({
        organizationId: row.id,
        monthlyRequests: Number(row.monthly_quota),
        isHard: row.is_quota_hard === 1,
        used: used.get(row.id) ?? 0,
      }))
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
