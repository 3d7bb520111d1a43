import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { Schema } from '../../db/schema.ts'

type DimensionTableName = 'observation_import' | 'observation_source' | 'observation_subject' | 'observation_terms'
type DimensionRow<Table extends DimensionTableName> = Omit<Schema[Table], 'id' | 'is_local'>

/** Small batches: on a database with a single writer, other writers must not wait for a list of new names. */
const ROWS_PER_STEP = 1_000
const PAUSE_BETWEEN_STEPS_MS = 5

export type DimensionTable<Row> = {
  /** The id of a row; undefined before `insertMissing`. */
  idOf(row: Row): number | undefined
  /** Inserts the rows that have no id yet. Safe in several processes at once: all get the same ids. */
  insertMissing(rows: readonly Row[]): Promise<void>
  /** Rows by id; contains at least the requested ones. */
  rowsById(ids: Iterable<number>): Promise<ReadonlyMap<number, Row>>
}

/**
 * Dimension table: texts that many rows of another table share, each combination stored once under an id. Rows are never
 * changed or removed, so cached rows stay valid. `scope` limits which rows are read; all requested rows must be in it.
 */
export function openDimensionTable<Table extends DimensionTableName>(
  db: Database,
  table: Table,
  columns: readonly (keyof DimensionRow<Table> & string)[],
  scope: Partial<DimensionRow<Table>> = {},
): DimensionTable<DimensionRow<Table>> {
  type Row = DimensionRow<Table>
  const idByKey = new Map<string, number>()
  const rowById = new Map<number, Row>()
  let newestId = 0
  const keyOf = (row: Row) =>
    columns.length === 1 ? String(row[columns[0] as never]) : JSON.stringify(columns.map((name) => row[name]))

  const inScope = sql.join(
    Object.entries(scope).map(([name, value]) => sql`and ${sql.ref(name)} = ${value}`),
    sql` `,
  )

  async function readAfter(id: number): Promise<void> {
    const names = sql.join(['id', ...columns].map((name) => sql.ref(name)))
    const { rows } = await sql<Row & { id: number }>`select ${names} from ${sql.table(table)}
      where id > ${id} ${inScope} order by id`.execute(db.query)
    for (const row of rows) {
      idByKey.set(keyOf(row), row.id)
      rowById.set(row.id, row)
      newestId = Math.max(newestId, row.id)
    }
  }

  /** In PostgreSQL a lower id may become visible after a higher one; then all rows are read again. */
  async function readUntil(isComplete: () => boolean): Promise<void> {
    if (isComplete()) return
    await readAfter(newestId)
    if (!isComplete()) await readAfter(0)
  }

  return {
    idOf: (row) => idByKey.get(keyOf(row)),
    async insertMissing(rows) {
      const isMissing = (row: Row) => !idByKey.has(keyOf(row))
      await readUntil(() => !rows.some(isMissing))
      // A fixed order avoids deadlocks between processes in PostgreSQL.
      const byKey = new Map(rows.filter(isMissing).map((row) => [keyOf(row), row]))
      const missing = [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
      for (let from = 0; from < missing.length; from += ROWS_PER_STEP) {
        const step = missing.slice(from, from + ROWS_PER_STEP)
        const options = { conflictColumns: columns, updateColumns: [], rowsAreDistinct: true }
        await db.transaction((tx) => db.insertMany(tx, table, step as never, options))
        if (db.bulk.hasSingleWriter) await Bun.sleep(PAUSE_BETWEEN_STEPS_MS)
      }
      await readUntil(() => !missing.some(isMissing))
    },
    async rowsById(ids) {
      const distinctIds = [...new Set(ids)]
      await readUntil(() => distinctIds.every((id) => rowById.has(id)))
      return rowById
    },
  }
}
