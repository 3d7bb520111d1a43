import type { UpsertOptions } from './database.ts'

/** The `on conflict` clause of an insert. */
export function upsertClause(
  table: string,
  columns: readonly string[],
  { conflictColumns: conflict, updateColumns: update, onlyIfNewerBy: newer }: UpsertOptions,
): string {
  if (!conflict) return ''
  const target = conflict.map((name) => `"${name}"`).join(', ')
  const overwritten = update ?? columns.filter((name) => !conflict.includes(name))
  if (overwritten.length === 0) return ` on conflict (${target}) do nothing`
  const set = overwritten.map((name) => `"${name}" = excluded."${name}"`).join(', ')
  const when = newer === undefined ? '' : ` where excluded."${newer}" >= "${table}"."${newer}"`
  return ` on conflict (${target}) do update set ${set}${when}`
}

/** PostgreSQL rejects a statement that upserts one row twice; SQLite lets the last win. Here the last wins on both. */
export function lastRowPerKey<Row extends Record<string, unknown>>(
  rows: readonly Row[],
  key: readonly string[] | undefined,
): Iterable<Row> {
  if (!key) return rows
  const kept = new Map<string, Row>()
  for (const row of rows) {
    let id = ''
    for (const name of key) id += `${row[name]}\u0000`
    kept.set(id, row)
  }
  return kept.values()
}
