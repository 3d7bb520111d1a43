import { type RawBuilder, sql } from 'kysely'
import type { Database } from './database.ts'

/**
 * A lateral join for both databases: joins as `o` the rows of `table` that the subquery `from <table> n <rest>` selects for
 * each row to its left. SQLite has no `lateral`, so it matches by row id there.
 */
export function lateralJoin({ admin: { dialect } }: Pick<Database, 'admin'>, table: string, rest: RawBuilder<unknown>) {
  const from = sql`from ${sql.table(table)} n ${rest}`
  return dialect === 'postgres'
    ? sql`cross join lateral (select n.* ${from}) o`
    : sql`cross join ${sql.table(table)} o on o.rowid in (select n.rowid ${from})`
}
