import { sql } from 'kysely'
import { DASHBOARD_KEY } from '../contract/usage.ts'
import { deleteRowsBelow } from '../db/batched-delete.ts'
import type { Database } from '../db/database.ts'
import type { UsageCountTable } from '../db/schema.ts'
import { readStorage } from '../db/storage-ledger.ts'
import { timeSlice } from '../lib/event-loop.ts'
import { addDays, DAY_MS, dayOf } from '../lib/time.ts'
import { isLookupCount } from './lookup-levels.ts'
import { MAX_USAGE_ROWS, requestLogStore } from './request-log-store.ts'
import { USAGE_RETENTION_DAYS, type UsageBatch } from './usage-counter.ts'

const ROWS_PER_INSERT = 200

export type UsageStore = ReturnType<typeof usageStore>

type UsageRow = Pick<UsageCountTable, 'day' | 'key_id' | 'route' | 'status' | 'count'>

/** The days of the period that usage is kept for; without a period, all of them. */
function keptDays(from: string | undefined, to: string | undefined, now: number): string[] {
  const today = dayOf(now)
  const oldest = dayOf(now - (USAGE_RETENTION_DAYS - 1) * DAY_MS)
  const days: string[] = []
  const last = to !== undefined && to < today ? to : today
  for (let day = from !== undefined && from > oldest ? from : oldest; day <= last; day = addDays(day, 1)) days.push(day)
  return days
}

function* chunksOf<Row>(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let start = 0; start < rows.length; start += ROWS_PER_INSERT) yield rows.slice(start, start + ROWS_PER_INSERT)
}

type Count = Pick<UsageBatch['counts'][number], 'organizationId' | 'keyId' | 'route' | 'status' | 'count'>

const countColumns = ({ organizationId, keyId, route, status, count }: Count) => ({
  organization_id: organizationId,
  key_id: keyId,
  route,
  status,
  count,
})

export function usageStore(db: Database) {
  const dayQuery = (organizationId: string, day: string) =>
    db.query
      .selectFrom('usage_count')
      .select(['day', 'key_id', 'route', 'status', 'count'])
      .where('organization_id', '=', organizationId)
      .where('day', '=', day)
      .orderBy('key_id')
      .orderBy('route')
      .orderBy('status')

  /** Requests by key, endpoint and status. One query per day, so that none holds the event loop for long. */
  async function* days(organizationId: string, from: string | undefined, to: string | undefined, now: number) {
    const yieldIfDue = timeSlice()
    for (const day of keptDays(from, to, now)) {
      yield await dayQuery(organizationId, day).execute()
      await yieldIfDue()
    }
  }

  return {
    ...requestLogStore(db),

    storage: (organizationId: string, now: number) => readStorage(db, organizationId, now),

    /**
     * Adds the counts, so that several processes may write the same day. Each writer numbers its batches; a batch that is already
     * stored is not added again.
     */
    async add(writerId: string, batch: number, { counts, hours, peaks }: UsageBatch, now: number): Promise<void> {
      await db.transaction(async (tx) => {
        const insertedWriter = await tx
          .insertInto('usage_writer')
          .values({ id: writerId, batch, written_at: now })
          .onConflict((conflict) =>
            conflict.column('id').doUpdateSet({ batch, written_at: now }).where('usage_writer.batch', '<', batch),
          )
          .returning('id')
          .executeTakeFirst()
        if (!insertedWriter) return
        for (const rows of chunksOf(counts)) {
          await tx
            .insertInto('usage_count')
            .values(rows.map(({ day, ...count }) => ({ ...countColumns(count), day })))
            .onConflict((conflict) =>
              conflict
                .columns(['organization_id', 'day', 'key_id', 'route', 'status'])
                .doUpdateSet({ count: sql`usage_count.count + excluded.count` }),
            )
            .execute()
        }
        for (const rows of chunksOf(hours)) {
          await tx
            .insertInto('usage_hour')
            .values(
              rows.map(({ hour, latencyBucket: latency, ...count }) => ({ ...countColumns(count), hour, latency })),
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

    /** Requests of the API keys by day, endpoint and status. One query per day, so that none holds the event loop for long. */
    async byEndpoint(organizationId: string, fromDay: string, toDay: string, now: number) {
      const rows: { day: string; endpoint: string; status: number; requests: number }[] = []
      const yieldIfDue = timeSlice()
      for (const day of keptDays(fromDay, toDay, now)) {
        const sums = await db.query
          .selectFrom('usage_count')
          .select(({ fn }) => ['route', 'status', fn.sum<number>('count').as('requests')])
          .where('organization_id', '=', organizationId)
          .where('day', '=', day)
          .where('key_id', '!=', DASHBOARD_KEY)
          .groupBy(['route', 'status'])
          .orderBy('route')
          .orderBy('status')
          .execute()
        for (const { route, status, requests } of sums) {
          if (!isLookupCount(route)) rows.push({ day, endpoint: route, status, requests: Number(requests) })
        }
        await yieldIfDue()
      }
      return rows
    },

    days,

    /**
     * Requests by day, key, endpoint and status, and the peaks. Of more than MAX_USAGE_ROWS rows it returns the newest days;
     * `from` is the first of them. The last day is always complete.
     */
    async of(organizationId: string, fromDay: string, now: number) {
      const newestFirst: UsageRow[][] = []
      let count = 0
      let from = dayOf(now)
      const yieldIfDue = timeSlice()
      for (const day of keptDays(fromDay, undefined, now).reverse()) {
        const query = dayQuery(organizationId, day)
        const isLast = newestFirst.length === 0
        const dayRows = await (isLast ? query : query.limit(Math.max(1, MAX_USAGE_ROWS - count + 1))).execute()
        count += dayRows.length
        if (count > MAX_USAGE_ROWS && !isLast && dayRows.length > 0) break
        newestFirst.push(dayRows)
        from = day
        await yieldIfDue()
      }
      const rows = newestFirst.reverse().flat()
      const peaks = await db.query
        .selectFrom('usage_peak')
        .select(['day', 'key_id', 'peak_per_minute'])
        .where('organization_id', '=', organizationId)
        .where('day', '>=', fromDay)
        .orderBy('day')
        .execute()
      return { from, rows, peaks }
    },

    async deleteOldUsage(now: number): Promise<void> {
      const before = dayOf(now - USAGE_RETENTION_DAYS * DAY_MS)
      await deleteRowsBelow(db, 'usage_count', 'day', before)
      await deleteRowsBelow(db, 'usage_peak', 'day', before)
      await deleteRowsBelow(db, 'usage_writer', 'written_at', now - USAGE_RETENTION_DAYS * DAY_MS)
    },
  }
}
