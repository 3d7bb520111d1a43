import type { ColumnValues, TableColumns, TableRows } from './open.ts'
import { lastOfEach } from './upsert.ts'

/** Rows turned by their side; of rows that are the same row only the last is there. */
export function columnsOf(given: TableRows | TableColumns): TableColumns {
  if ('columns' in given) return given
  const { table, options = {} } = given
  const rows = given.rows as readonly Readonly<Record<string, string | number | null>>[]
  const kept = options.distinct ? rows : [...lastOfEach(rows, options.conflict)]
  const columns: Record<string, ColumnValues> = {}
  for (const name of Object.keys(rows[0] ?? {})) columns[name] = kept.map((row) => row[name] ?? null)
  return { table, columns, options }
}

export function rowCount({ columns }: TableColumns): number {
  return Object.values(columns)[0]?.length ?? 0
}
