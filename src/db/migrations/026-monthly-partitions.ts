import { type Kysely, sql } from 'kysely'
import { idLowerBound, idTime, recordIdShape } from '../../lib/id.ts'
import type { Migration } from './index.ts'

/** Existing indexes, which the partitioned tables get too. */
const TABLES = [
  { table: 'lookup', prefix: 'lkp', kept: 'lookup_total', indexes: { by_identifier: 'identifier_key' } },
  {
    table: 'appraisal',
    prefix: 'apr',
    kept: 'appraisal_total',
    indexes: { by_reference: 'reference', by_decision: 'decision', by_device_id: 'device_id' },
  },
] as const

/**
 * Partitions lookups and appraisals by the month of their ids, on PostgreSQL. The existing table becomes the first partition,
 * with its indexes: no row is moved, but each is checked once. Later rows go to the last partition until
 * `createMonthlyPartitions` splits months off it.
 */
export const migration: Migration = {
  name: '026-monthly-partitions',
  async up(db, dialect) {
    if (dialect !== 'postgres') return
    for (const { table, prefix, kept, indexes } of TABLES) {
      const whole = sql.table(table)
      const before = sql.table(`${table}_before`)
      const bound = sql.lit(await nextMonth(db, table, prefix, kept))
      await sql`alter table ${whole} rename to ${before}`.execute(db)
      await sql`alter table ${before} rename constraint ${sql.ref(`${table}_key`)} to ${sql.ref(`${table}_before_key`)}`.execute(
        db,
      )
      await sql`create table ${whole} (like ${before} including defaults,
        constraint ${sql.ref(`${table}_key`)} primary key (organization_id, id)) partition by range (id)`.execute(db)
      for (const [name, column] of Object.entries(indexes)) {
        await sql`alter index ${sql.ref(`${table}_${name}`)} rename to ${sql.ref(`${table}_before_${name}`)}`.execute(
          db,
        )
        await sql`create index ${sql.ref(`${table}_${name}`)} on ${whole} (organization_id, ${sql.ref(column)}, id)`.execute(
          db,
        )
      }
      await sql`alter table ${whole} attach partition ${before} for values from (minvalue) to (${bound})`.execute(db)
      const later = sql.table(`${table}_later`)
      await sql`create table ${later} partition of ${whole} for values from (${bound}) to (maxvalue)`.execute(db)
    }
  },
}

/** Lower bound of the next month, or of the month after the newest record if a clock was ahead. */
async function nextMonth(db: Kysely<unknown>, table: string, prefix: string, kept: string): Promise<string> {
  const { rows } = await sql<{ newest: string | null }>`
    select max(newest.id) as newest from (select distinct organization_id from ${sql.table(kept)}) whose
    cross join lateral (
      select id from ${sql.table(table)} records where records.organization_id = whose.organization_id
      order by id desc limit 1
    ) newest`.execute(db)
  const newest = rows[0]?.newest
  const at = new Date(Math.max(Date.now(), newest ? idTime(recordIdShape(prefix), newest) : 0))
  return idLowerBound(recordIdShape(prefix), Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1))
}
