import type { ColumnValues, TableColumns, TableRows } from './database.ts'
import { lastRowPerKey } from './upsert-clause.ts'

/** Converts rows to columns; of rows with the same key only the last remains. */
export function toColumns(batch: TableRows | TableColumns): TableColumns {
  if ('columns' in batch) return batch
  const { table, options = {} } = batch
  const rows = batch.rows as readonly Readonly<Record<string, string | number | null>>[]
  const distinctRows = options.rowsAreDistinct ? rows : [...lastRowPerKey(rows, options.conflictColumns)]
  const columns: Record<string, ColumnValues> = {}
  for (const name of Object.keys(rows[0] ?? {})) columns[name] = distinctRows.map((row) => row[name] ?? null)
  return { table, columns, options }
}

export function rowCount({ columns }: TableColumns): number {
  return Object.values(columns)[0]?.length ?? 0
}
