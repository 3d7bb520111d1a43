import { sql } from 'kysely'
import type { Database, Tx } from '../db/database.ts'
import { readSetting, writeSetting } from '../db/setting-store.ts'

/** Rows per batch. */
const ROWS_PER_STEP = 500

/** Tables whose ids start with their time. */
type RecordTable = 'lookup' | 'appraisal'

/** A table with the number of records per key. */
type TotalTable = { readonly table: string; readonly key: readonly string[] }

type ExpiredRecords = {
  readonly table: RecordTable
  readonly bound: string
  readonly totals: readonly TotalTable[]
}
type ExpiredRow = Readonly<Record<string, string>> & { readonly id: string }

/**
 * Deletes the records of all organizations below an id, in batches, and updates the totals (the first
 * of which has a row per organization). Returns the number of deleted records.
 */
export async function deleteRecordsBelow(
  db: Database,
  table: RecordTable,
  bound: string,
  totals: readonly [TotalTable, ...TotalTable[]],
): Promise<number> {
  let deleted = 0
  // The oldest id of each: an `exists` query may read all rows.
  const { rows: organizations } = await sql<{ organization_id: string }>`
    select distinct organization_id from ${sql.table(totals[0].table)} as kept
    where (
      select id from ${sql.table(table)} as record
      where record.organization_id = kept.organization_id and id < ${bound} order by id limit 1
    ) is not null`.execute(db.query)
  for (const { organization_id } of organizations) {
    for (;;) {
      const step = await db.transaction((tx) => deleteStep(tx, organization_id, { table, bound, totals }))
      deleted += step.deleted
      if (step.found < ROWS_PER_STEP) break
    }
  }
  return deleted
}

/** Deletes all records of an organization in short transactions. The totals are left to the caller. */
export async function deleteRecordsOf(db: Database, table: RecordTable, organizationId: string): Promise<void> {
  // Above every id: they start with a lower-case prefix.
  const all = { table, bound: '~', totals: [] }
  while ((await db.transaction((tx) => deleteStep(tx, organizationId, all))).found === ROWS_PER_STEP);
}

async function deleteStep(
  tx: Tx,
  organizationId: string,
  { table, bound, totals }: ExpiredRecords,
): Promise<{ readonly found: number; readonly deleted: number }> {
  const keyColumns = new Set(totals.flatMap(({ key }) => key))
  const columns = sql.join([...keyColumns.add('id')].map((name) => sql.ref(name)))
  const { rows: expired } = await sql<{ id: string }>`select id from ${sql.table(table)}
    where organization_id = ${organizationId} and id < ${bound} order by id limit ${sql.lit(ROWS_PER_STEP)}`.execute(tx)
  const [first] = expired
  const last = expired.at(-1)
  if (!first || !last) return { found: 0, deleted: 0 }
  // Only the rows that this statement deleted: another process may delete the same ones.
  const { rows } = await sql<ExpiredRow>`delete from ${sql.table(table)}
    where organization_id = ${organizationId} and id >= ${first.id} and id <= ${last.id}
    returning ${columns}`.execute(tx)
  for (const total of totals) await subtractFromTotal(tx, total, rows)
  return { found: expired.length, deleted: rows.length }
}

/** Subtracts deleted records from a total. */
export async function subtractFromTotal(
  tx: Tx,
  { table, key }: TotalTable,
  deletedRows: readonly Readonly<Record<string, string>>[],
): Promise<void> {
  for (const [keyJson, rows] of Map.groupBy(deletedRows, (row) => JSON.stringify(key.map((name) => row[name])))) {
    const values = JSON.parse(keyJson) as string[]
    const keyConditions = key.map((name, at) => sql`${sql.ref(name)} = ${values[at]}`)
    await sql`update ${sql.table(table)} set total = total - ${rows.length} where ${sql.join(keyConditions, sql` and `)}`.execute(
      tx,
    )
  }
}

const LAST_RUN_SETTING = 'retention_last_run'

/** Time of the last retention run; before the first run the time of the newest lookup, or null. */
export async function readLastRun(db: Database): Promise<number | null> {
  const lastRun = await readSetting(db.query, LAST_RUN_SETTING)
  if (lastRun !== undefined) return Number(lastRun)
  const { rows } = await sql<{ newest: number | null }>`select max(newest) as newest from (
    select (select created_at from lookup where lookup.organization_id = lookup_total.organization_id
      order by id desc limit 1) as newest from lookup_total) as organizations`.execute(db.query)
  return rows[0]?.newest ?? null
}

export async function writeLastRun(db: Database, at: number): Promise<void> {
  await db.transaction((tx) => writeSetting(tx, LAST_RUN_SETTING, String(at)))
}
