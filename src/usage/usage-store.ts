import { sql } from 'kysely'
import { deleteRowsBelow } from '../db/batched-delete.ts'
import type { Database } from '../db/database.ts'
import { DAY_MS, dayOf } from '../lib/time.ts'
import { requestLogStore } from './request-log-store.ts'
import { USAGE_RETENTION_DAYS, type UsageBatch } from './usage-counter.ts'

const ROWS_PER_INSERT = 200

export type UsageStore = ReturnType<typeof usageStore>

export function usageStore(db: Database) {
  return {
    ...requestLogStore(db),

    /**
     * Adds the counts, so that several processes may write the same day. Each writer numbers its batches; a batch that is already
     * stored is not added again.
     */
    async add(writerId: string, batch: number, { counts, hours, peaks }: UsageBatch, now: number): Promise<void> {
      await db.transaction(async (tx) => {
        const isNew = await tx
          .insertInto('usage_writer')
          .values({ id: writerId, batch, written_at: now })
          .onConflict((conflict) =>
            conflict.column('id').doUpdateSet({ batch, written_at: now }).where('usage_writer.batch', '<', batch),
          )
          .returning('id')
          .executeTakeFirst()
        if (!isNew) return
        for (let at = 0; at < counts.length; at += ROWS_PER_INSERT) {
          await tx
            .insertInto('usage_count')
            .values(
              counts.slice(at, at + ROWS_PER_INSERT).map((count) => ({
                organization_id: count.organizationId,
                day: count.day,
                key_id: count.keyId,
                route: count.route,
                status: count.status,
                count: count.count,
              })),
            )
            .onConflict((conflict) =>
              conflict
                .columns(['organization_id', 'day', 'key_id', 'route', 'status'])
                .doUpdateSet({ count: sql`usage_count.count + excluded.count` }),
            )
            .execute()
        }
        for (let at = 0; at < hours.length; at += ROWS_PER_INSERT) {
          await tx
            .insertInto('usage_hour')
            .values(
              hours.slice(at, at + ROWS_PER_INSERT).map((count) => ({
                organization_id: count.organizationId,
                hour: count.hour,
                key_id: count.keyId,
                route: count.route,
                status: count.status,
                latency: count.latencyBucket,
                count: count.count,
              })),
            )
            .onConflict((conflict) =>
              conflict
                .columns(['organization_id', 'hour', 'key_id', 'route', 'status', 'latency'])
                .doUpdateSet({ count: sql`usage_hour.count + excluded.count` }),
            )
            .execute()
        }
        for (const peak of peaks) {
          await tx
            .insertInto('usage_peak')
            .values({
              organization_id: peak.organizationId,
              day: peak.day,
              key_id: peak.keyId,
              peak_per_minute: peak.peakPerMinute,
            })
            .onConflict((conflict) =>
              conflict.columns(['organization_id', 'day', 'key_id']).doUpdateSet({
                peak_per_minute: sql`case when excluded.peak_per_minute > usage_peak.peak_per_minute
                  then excluded.peak_per_minute else usage_peak.peak_per_minute end`,
              }),
            )
            .execute()
        }
      })
    },

    async of(organizationId: string, fromDay: string) {
      const rows = await db.replica
        .selectFrom('usage_count')
        .select(['day', 'key_id', 'route', 'status', 'count'])
        .where('organization_id', '=', organizationId)
        .where('day', '>=', fromDay)
        .orderBy('day')
        .execute()
      const peaks = await db.replica
        .selectFrom('usage_peak')
        .select(['day', 'key_id', 'peak_per_minute'])
        .where('organization_id', '=', organizationId)
        .where('day', '>=', fromDay)
        .orderBy('day')
        .execute()
      return { rows, peaks }
    },

    async deleteOldUsage(now: number): Promise<void> {
      const before = dayOf(now - USAGE_RETENTION_DAYS * DAY_MS)
      await deleteRowsBelow(db, 'usage_count', 'day', before)
      await deleteRowsBelow(db, 'usage_peak', 'day', before)
      await deleteRowsBelow(db, 'usage_writer', 'written_at', now - USAGE_RETENTION_DAYS * DAY_MS)
    },
  }
}
