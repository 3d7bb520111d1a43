import { sql } from 'kysely'
import { yieldToEventLoop } from '../lib/event-loop.ts'
import type { Database } from './database.ts'
import type { Schema } from './schema.ts'

/** Few enough that a step takes a few milliseconds. */
const ROW_IDS_PER_STEP = 50_000

/** Counts the rows of a table that meet a condition. On SQLite in steps, because a count over millions of rows would block the event loop. */
export async function countRows(db: Database, table: keyof Schema & string, filter = sql`1 = 1`): Promise<number> {
  const count = async (condition = sql`1 = 1`) => {
    const { rows } = await sql<{ total: number }>`select count(*) as total from ${sql.table(table)}
      where ${condition} and ${filter}`.execute(db.query)
    return Number(rows[0]?.total ?? 0)
  }
  if (!db.bulk.hasSingleWriter) return count()
  const { rows } = await sql<{ first: number | null; last: number | null }>`
    select (select min(rowid) from ${sql.table(table)}) as first, (select max(rowid) from ${sql.table(table)}) as last`.execute(
    db.query,
  )
  const { first = null, last = null } = rows[0] ?? {}
  if (first === null || last === null) return 0
  let total = 0
  for (let from = first; from <= last; from += ROW_IDS_PER_STEP) {
    total += await count(sql`rowid >= ${from} and rowid < ${from + ROW_IDS_PER_STEP}`)
    await yieldToEventLoop()
  }
  return total
}

/** About how many rows a table has, without reading it: from PostgreSQL's statistics, on SQLite from its row ids. */
export async function estimateRows(db: Database, table: keyof Schema & string): Promise<number> {
  const { rows } = db.bulk.hasSingleWriter
    ? await sql<{ total: number | null }>`
        select (select max(rowid) from ${sql.table(table)}) - (select min(rowid) from ${sql.table(table)}) + 1 as total`.execute(
        db.query,
      )
    : await sql<{ total: number | null }>`
        select reltuples as total from pg_class where oid = to_regclass(${table})`.execute(db.query)
  return Math.max(0, Number(rows[0]?.total ?? 0))
}
