import { sql } from 'kysely'
import type { Database } from './database.ts'
import type { Schema } from './schema.ts'

/** Few enough for the patience of a server, and for whoever waits to write. */
const ROWS_PER_STEP = 2_000

/** Deletes the rows of a table whose value in an indexed column is below a bound, a few at a time; gives how many. */
export async function deleteRowsBelow<Table extends keyof Schema & string>(
  db: Database,
  table: Table,
  column: keyof Schema[Table] & string,
  bound: number | string,
): Promise<number> {
  const row = sql.raw(db.dialect === 'postgres' ? 'ctid' : 'rowid')
  // In order, because only then every step begins where the last one ended, and not with all that was deleted before.
  const old = sql`select ${row} from ${sql.table(table)} where ${sql.ref(column)} < ${bound}
    order by ${sql.ref(column)} limit ${ROWS_PER_STEP}`
  // PostgreSQL goes to the rows by their places only when these are an array.
  const isOld = db.dialect === 'postgres' ? sql`${row} = any(array(${old}))` : sql`${row} in (${old})`
  for (let deleted = 0; ; ) {
    const step = await db.transaction((tx) => sql`delete from ${sql.table(table)} where ${isOld}`.execute(tx))
    const count = Number(step.numAffectedRows ?? 0)
    deleted += count
    if (count < ROWS_PER_STEP) return deleted
  }
}
