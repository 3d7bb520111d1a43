import { deleteRowsBelow } from '../db/batched-delete.ts'
import type { Database } from '../db/database.ts'
import { idLowerBound, LOWER_DIGITS, sortableId } from '../lib/id.ts'
import { DAY_MS, HOUR_MS } from '../lib/time.ts'
import { HOURLY_RETENTION_HOURS } from './latency-buckets.ts'
import type { RequestLogEntry } from './request-log.ts'

/** Days that single requests are kept. */
const LOG_RETENTION_DAYS = 3
/** Maximum rows of a response; more would block the event loop. */
export const MAX_USAGE_ROWS = 10_000
const LOG_IDS = { prefix: 'rql', digits: LOWER_DIGITS, timeLength: 9 }

export type RequestFilter = {
  readonly keyId?: string | undefined
  readonly route?: string | undefined
  /** Status class: 2, 4 or 5. */
  readonly statusClass?: number | undefined
  /** Cursor: only older requests. */
  readonly before?: string | undefined
}

/** Hourly usage and single requests of an organization. */
export function requestLogStore(db: Database) {
  return {
    /** On SQLite in the writer thread, so that no request waits. */
    async addToLog(entries: readonly RequestLogEntry[]): Promise<void> {
      if (entries.length === 0) return
      const toColumn = <T extends string | number>(select: (entry: RequestLogEntry) => T) => entries.map(select)
      await db.bulk.writeBatch([
        {
          table: 'request_log',
          columns: {
            id: toColumn((entry) => sortableId('rql', entry.at)),
            organization_id: toColumn((entry) => entry.organizationId),
            at: toColumn((entry) => entry.at),
            key_id: toColumn((entry) => entry.keyId),
            method: toColumn((entry) => entry.method),
            route: toColumn((entry) => entry.route),
            status: toColumn((entry) => entry.status),
            duration_us: toColumn((entry) => Math.min(2_000_000_000, Math.round(entry.durationMs * 1000))),
            request_id: toColumn((entry) => entry.requestId),
          },
        },
      ])
    },

    /** Of more than MAX_USAGE_ROWS rows it returns the newest hours; `from` is the first of them. */
    async hoursOf(organizationId: string, fromHour: number) {
      const newestFirst = await db.query
        .selectFrom('usage_hour')
        .select(['hour', 'key_id', 'route', 'status', 'latency', 'count'])
        .where('organization_id', '=', organizationId)
        .where('hour', '>=', fromHour)
        .orderBy('hour', 'desc')
        .limit(MAX_USAGE_ROWS + 1)
        .execute()
      const cut = newestFirst[MAX_USAGE_ROWS]
      const from = cut ? Math.min(cut.hour + 1, newestFirst[0]?.hour ?? cut.hour) : fromHour
      return { from, rows: newestFirst.filter(({ hour }) => hour >= from).reverse() }
    },

    async requestsOf(organizationId: string, filter: RequestFilter, limit: number) {
      let query = db.query.selectFrom('request_log').selectAll().where('organization_id', '=', organizationId)
      if (filter.keyId) query = query.where('key_id', '=', filter.keyId)
      if (filter.route) query = query.where('route', '=', filter.route)
      if (filter.statusClass) {
        query = query
          .where('status', '>=', filter.statusClass * 100)
          .where('status', '<', filter.statusClass * 100 + 100)
      }
      if (filter.before) query = query.where('id', '<', filter.before)
      return query.orderBy('id', 'desc').limit(limit).execute()
    },

    /** In batches, so that other writers do not wait long. */
    async deleteOldRequests(now: number): Promise<void> {
      await deleteRowsBelow(db, 'request_log', 'id', idLowerBound(LOG_IDS, now - LOG_RETENTION_DAYS * DAY_MS))
      await deleteRowsBelow(db, 'usage_hour', 'hour', Math.floor(now / HOUR_MS) - HOURLY_RETENTION_HOURS)
    },
  }
}
