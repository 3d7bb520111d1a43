import { type RawBuilder, sql } from 'kysely'
import type { Database } from './database.ts'
import type { Schema } from './schema.ts'

/** Small enough for a server's statement timeout and for other writers. */
const ROWS_PER_STEP = 2_000

type TableName = keyof Schema & string

/** Deletes in batches the rows whose indexed column is below a bound; returns the number of rows. */
export async function deleteRowsBelow<Table extends TableName>(
  db: Database,
  table: Table,
  column: keyof Schema[Table] & string,
  bound: number | string,
): Promise<number> {
  // Ordered, so that each batch starts where the last one ended and does not scan the deleted index entries again.
  return deleteInBatches(db, table, sql`${sql.ref(column)} < ${bound} order by ${sql.ref(column)}`)
}

/** Deletes in batches the rows that have a value in an indexed column; returns the number of rows. */
export async function deleteRowsWith<Table extends TableName>(
  db: Database,
  table: Table,
  column: keyof Schema[Table] & string,
  value: string,
): Promise<number> {
  return deleteInBatches(db, table, sql`${sql.ref(column)} = ${value}`)
}

async function deleteInBatches(db: Database, table: TableName, condition: RawBuilder<unknown>): Promise<number> {
  const row = sql.raw(db.admin.dialect === 'postgres' ? 'ctid' : 'rowid')
  const batch = sql`select ${row} from ${sql.table(table)} where ${condition} limit ${ROWS_PER_STEP}`
  // PostgreSQL uses a TID scan only for an array.
  const isInBatch = db.admin.dialect === 'postgres' ? sql`${row} = any(array(${batch}))` : sql`${row} in (${batch})`
  for (let deleted = 0; ; ) {
    const result = await db.transaction((tx) => sql`delete from ${sql.table(table)} where ${isInBatch}`.execute(tx))
    const count = Number(result.numAffectedRows ?? 0)
    deleted += count
    if (count < ROWS_PER_STEP) return deleted
  }
}
