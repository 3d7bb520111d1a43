import type { UpsertOptions } from './database.ts'

/** The `on conflict` clause of an insert. */
export function upsertClause(
  table: string,
  columns: readonly string[],
  { conflictColumns, updateColumns, onlyIfNewerBy, onlyIf }: UpsertOptions,
): string {
  if (!conflictColumns) return ''
  const target = conflictColumns.map((name) => `"${name}"`).join(', ')
  const columnsToUpdate = updateColumns ?? columns.filter((name) => !conflictColumns.includes(name))
  if (columnsToUpdate.length === 0) return ` on conflict (${target}) do nothing`
  const set = columnsToUpdate.map((name) => `"${name}" = excluded."${name}"`).join(', ')
  const conditions = [
    ...(onlyIfNewerBy ? [`excluded."${onlyIfNewerBy}" >= "${table}"."${onlyIfNewerBy}"`] : []),
    ...(onlyIf ? [`"${table}"."${onlyIf.column}" = '${onlyIf.value}'`] : []),
  ]
  const where = conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`
  return ` on conflict (${target}) do update set ${set}${where}`
}

/** PostgreSQL rejects a statement that upserts one row twice; SQLite lets the last win. Here the last wins on both. */
export function lastRowPerKey<Row extends Record<string, unknown>>(
  rows: readonly Row[],
  key: readonly string[] | undefined,
): Iterable<Row> {
  if (!key) return rows
  const rowByKey = new Map<string, Row>()
  for (const row of rows) {
    let id = ''
    for (const name of key) id += `${row[name]}\u0000`
    rowByKey.set(id, row)
  }
  return rowByKey.values()
}
