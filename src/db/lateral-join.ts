import { type RawBuilder, sql } from 'kysely'
import type { Database } from './database.ts'

/**
 * Joins, as `o`, the rows of a table that a subquery on `n` selects for each row before it: `lateral` on PostgreSQL, and on
 * SQLite, which has no such join, the same by row id. `rest` follows `from <table> n`.
 */
export function lateralJoin({ dialect }: Pick<Database, 'dialect'>, table: string, rest: RawBuilder<unknown>) {
  const from = sql`from ${sql.table(table)} n ${rest}`
  return dialect === 'postgres'
    ? sql`cross join lateral (select n.* ${from}) o`
    : sql`cross join ${sql.table(table)} o on o.rowid in (select n.rowid ${from})`
}
