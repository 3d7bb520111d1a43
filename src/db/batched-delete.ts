import { sql } from 'kysely'
import type { Database } from './database.ts'
import type { Schema } from './schema.ts'

/** Small enough for a server's statement timeout and for other writers. */
const ROWS_PER_STEP = 2_000

/** Deletes in batches the rows whose indexed column is below a bound; returns the number of rows. */
export async function deleteRowsBelow<Table extends keyof Schema & string>(
  db: Database,
  table: Table,
  column: keyof Schema[Table] & string,
  bound: number | string,
): Promise<number> {
  const row = sql.raw(db.dialect === 'postgres' ? 'ctid' : 'rowid')
  // Ordered, so that each batch starts where the last one ended and does not scan the deleted index entries again.
  const old = sql`select ${row} from ${sql.table(table)} where ${sql.ref(column)} < ${bound}
    order by ${sql.ref(column)} limit ${ROWS_PER_STEP}`
  // PostgreSQL uses a TID scan only for an array.
  const isOld = db.dialect === 'postgres' ? sql`${row} = any(array(${old}))` : sql`${row} in (${old})`
  for (let deleted = 0; ; ) {
    const step = await db.transaction((tx) => sql`delete from ${sql.table(table)} where ${isOld}`.execute(tx))
    const count = Number(step.numAffectedRows ?? 0)
    deleted += count
    if (count < ROWS_PER_STEP) return deleted
  }
}
