import { sql } from 'kysely'
import type { Database } from '../../src/db/database.ts'

/** Every table with a column of that name, so that tables added later are checked too. */
async function tablesWith(db: Database, column: string): Promise<string[]> {
  const query =
    db.admin.dialect === 'sqlite'
      ? sql<{ name: string }>`select m.name from sqlite_master m join pragma_table_info(m.name) c
          where m.type = 'table' and c.name = ${column}`
      : sql<{ name: string }>`select c.table_name as name from information_schema.columns c
          join information_schema.tables t on t.table_name = c.table_name and t.table_schema = c.table_schema
          where c.table_schema = current_schema() and c.column_name = ${column} and t.table_type = 'BASE TABLE'`
  return (await query.execute(db.query)).rows.map(({ name }) => name)
}

/** Rows with a value in a column, by table; tables without such rows are left out. */
export async function countRows(db: Database, column: string, value: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const table of await tablesWith(db, column)) {
    const { rows } = await db.transaction((tx) =>
      sql<{ count: number }>`select count(*) as count from ${sql.table(table)}
        where ${sql.ref(column)} = ${value}`.execute(tx),
    )
    if (Number(rows[0]?.count) > 0) counts[table] = Number(rows[0]?.count)
  }
  return counts
}
