import { sql } from 'kysely'
import type { Database, Tx } from '../db/open.ts'
import type { KeptTotal, MonthlyTable } from '../db/partitions.ts'

/** Rows deleted before others may write. */
const STEP_ROWS = 500

type Old = { readonly table: MonthlyTable; readonly bound: string; readonly totals: readonly KeptTotal[] }
type Row = Readonly<Record<string, string>> & { readonly id: string }

/**
 * Deletes the records of all organizations whose ids are below a bound, by whole months or a few at a time, and takes them
 * from the totals kept beside them, the first of which has a row for every organization. Gives how many went.
 */
export async function deleteRecordsBelow(
  db: Database,
  table: MonthlyTable,
  bound: string,
  totals: readonly [KeptTotal, ...KeptTotal[]],
): Promise<number> {
  let deleted = await db.dropMonthsBelow(table, bound, totals)
  if (deleted === null) return 0
  // The oldest of each, because a database that only asks whether there is any may read all of them to find out.
  const { rows: organizations } = await sql<{ organization_id: string }>`
    select distinct organization_id from ${sql.table(totals[0].table)} as kept
    where (
      select id from ${sql.table(table)} as record
      where record.organization_id = kept.organization_id and id < ${bound} order by id limit 1
    ) is not null`.execute(db.query)
  for (const { organization_id } of organizations) {
    for (;;) {
      const step = await db.transaction((tx) => deleteSome(tx, organization_id, { table, bound, totals }))
      deleted += step
      if (step < STEP_ROWS) break
    }
  }
  return deleted
}

async function deleteSome(tx: Tx, organizationId: string, { table, bound, totals }: Old): Promise<number> {
  const keyColumns = new Set(totals.flatMap(({ key }) => key))
  const columns = sql.join([...keyColumns.add('id')].map((name) => sql.ref(name)))
  const { rows } = await sql<Row>`select ${columns} from ${sql.table(table)}
    where organization_id = ${organizationId} and id < ${bound} order by id limit ${sql.lit(STEP_ROWS)}`.execute(tx)
  const [first] = rows
  const last = rows.at(-1)
  if (!first || !last) return 0
  await sql`delete from ${sql.table(table)}
    where organization_id = ${organizationId} and id >= ${first.id} and id <= ${last.id}`.execute(tx)
  for (const total of totals) await subtract(tx, total, rows)
  return rows.length
}

async function subtract(tx: Tx, { table, key }: KeptTotal, gone: readonly Row[]): Promise<void> {
  for (const [whose, rows] of Map.groupBy(gone, (row) => JSON.stringify(key.map((name) => row[name])))) {
    const values = JSON.parse(whose) as string[]
    const isIts = key.map((name, at) => sql`${sql.ref(name)} = ${values[at]}`)
    await sql`update ${sql.table(table)} set total = total - ${rows.length} where ${sql.join(isIts, sql` and `)}`.execute(
      tx,
    )
  }
}
