import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { readSetting, writeSetting } from '../db/setting-store.ts'
import type { MetricRegistry } from '../http/metric-registry.ts'
import { VERSION } from '../lib/version.ts'

/** More are not counted, so that a long queue costs no more than a short one. */
const MAX_COUNTED = 10_000
const LAST_BACKUP_SETTING = 'last_backup'

/** Metrics of queues and the database, read in the background: a scrape never waits for the database. */
export function operatorMetrics(registry: MetricRegistry, db: Database, now: () => number) {
  let backlog = { deliveries: 0, oldestDueMs: 0, eventLagMs: 0 }
  let backupAt: number | null = null
  const { gauge, gauges } = registry
  gauges('build_info', 'Version of the program; always 1.', () => [[{ version: VERSION, bun: Bun.version }, 1]])
  gauge(
    'webhook_backlog_deliveries',
    `Webhook deliveries of enabled endpoints that are not accepted yet; ${MAX_COUNTED} at most are counted.`,
    () => backlog.deliveries,
  )
  gauge('webhook_oldest_due_seconds', 'How long the oldest due webhook delivery has been due.', () =>
    toSeconds(backlog.oldestDueMs),
  )
  gauge('event_lag_seconds', 'Age of the oldest event that is not queued for its webhooks yet.', () =>
    toSeconds(backlog.eventLagMs),
  )
  const pool = () => db.admin.poolUsage()
  gauge('database_connections_in_use', 'PostgreSQL connections in use.', () => pool()?.inUse)
  gauge('database_connections_waiting', 'Queries that wait for a PostgreSQL connection.', () => pool()?.waiting)
  gauge('database_connections_max', 'PostgreSQL connections that the process may open.', () => pool()?.max)
  gauge('backup_age_seconds', 'Time since the last successful "backup".', () =>
    backupAt === null ? undefined : toSeconds(now() - backupAt),
  )
  return {
    /** While the database is unavailable the last values stay. */
    async refresh(): Promise<void> {
      backlog = await webhookBacklog(db, now())
      backupAt = await readLastBackup(db)
    },
  }
}

const toSeconds = (ms: number) => Math.max(0, ms) / 1000

/** Steps from endpoint to endpoint through the indexes, so that the cost depends on the number of endpoints only. */
export async function webhookBacklog(db: Pick<Database, 'query'>, now: number) {
  const { rows } = await sql<{ deliveries: number; oldest: number | null; lag: number | null }>`
    with endpoint as (select * from webhook_endpoint where disabled_at is null)
    select
      (select count(*) from (
        select 1 from webhook_delivery
        where state in ('pending', 'waiting') and endpoint_id in (select id from endpoint) limit ${sql.lit(MAX_COUNTED)}) as counted) as deliveries,
      (select min(due) from (
        select (select min(next_at) from webhook_delivery
          where state = 'pending' and endpoint_id = endpoint.id and next_at <= ${now}) as due from endpoint) as due) as oldest,
      (select min(first) from (
        select (select created_at from event where organization_id = endpoint.organization_id
          and (revision, ordinal) > (cursor_revision, cursor_ordinal)
          order by revision, ordinal limit 1) as first from endpoint) as lag) as lag`.execute(db.query)
  const { deliveries = 0, oldest = null, lag = null } = rows[0] ?? {}
  const toAgeMs = (at: number | null) => (at === null ? 0 : Math.max(0, now - Number(at)))
  return { deliveries: Number(deliveries), oldestDueMs: toAgeMs(oldest), eventLagMs: toAgeMs(lag) }
}

export async function readLastBackup(db: Database): Promise<number | null> {
  const lastBackup = await readSetting(db.query, LAST_BACKUP_SETTING)
  return lastBackup === undefined ? null : Number(lastBackup)
}

export async function recordBackup(db: Database, at: number): Promise<void> {
  await db.transaction((tx) => writeSetting(tx, LAST_BACKUP_SETTING, String(at)))
}
