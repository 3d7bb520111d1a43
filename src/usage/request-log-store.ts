import { sql } from 'kysely'
import { deleteRowsBelow } from '../db/batched-delete.ts'
import type { Database } from '../db/database.ts'
import { matchingKeys, takeKeys } from '../db/record-search.ts'
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
      const { keyId, route, statusClass, before } = filter
      const conditions = [
        ...(keyId ? [sql<boolean>`key_id = ${keyId}`] : []),
        ...(route ? [sql<boolean>`route = ${route}`] : []),
        ...(statusClass ? [sql<boolean>`status >= ${statusClass * 100} and status < ${statusClass * 100 + 100}`] : []),
      ]
      const search = {
        table: 'request_log',
        key: 'id',
        organizationId,
        conditions,
        below: before,
        order: 'desc',
      } as const
      const ids = await takeKeys(matchingKeys<string>(db, search), limit)
      if (ids.length === 0) return []
      return db.query.selectFrom('request_log').selectAll().where('id', 'in', ids).orderBy('id', 'desc').execute()
    },

    /** In batches, so that other writers do not wait long. */
    async deleteOldRequests(now: number): Promise<void> {
      await deleteRowsBelow(db, 'request_log', 'id', idLowerBound(LOG_IDS, now - LOG_RETENTION_DAYS * DAY_MS))
      await deleteRowsBelow(db, 'usage_hour', 'hour', Math.floor(now / HOUR_MS) - HOURLY_RETENTION_HOURS)
    },
  }
}
