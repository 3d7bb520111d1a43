import { type Kysely, sql } from 'kysely'
import { idLowerBound, idTime, recordIdShape } from '../../lib/id.ts'
import { toArrayLiteral } from './array-literal.ts'

/**
 * Tables whose ids start with a timestamp. PostgreSQL keeps one partition per month, so that deleting an old month drops a
 * table. The first and the last partition are unbounded, so that a write succeeds whatever the clock says.
 */
const ID_PREFIXES = { lookup: 'lkp', appraisal: 'apr' } as const
export type PartitionedTable = keyof typeof ID_PREFIXES

/** A table with the number of rows per key. */
export type TotalTable = { readonly table: string; readonly key: readonly string[] }

type Partition = { readonly name: string; readonly from: string | null; readonly to: string | null }

const MONTHS_AHEAD = 3
/** A statement that waits for a table lock blocks all later ones. */
const LOCK_TIMEOUT = '500ms'
const ROWS_PER_COUNT = 5_000
/** Advisory lock for changing the partitions of a table; an arbitrary constant. */
const PARTITION_LOCK_NAMESPACE = 7_310_044
const LOCK_NOT_AVAILABLE = '55P03'

export const isLockTimeout = (error: unknown) => (error as { code?: unknown }).code === LOCK_NOT_AVAILABLE

/** Sorted by id range. */
async function listPartitions(db: Kysely<unknown>, table: PartitionedTable): Promise<Partition[]> {
  const { rows } = await sql<{ name: string; bounds: string }>`
    select c.relname as name, pg_get_expr(c.relpartbound, 0) as bounds
    from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = ${table}::regclass`.execute(db)
  const partitions = rows.map(({ name, bounds }) => {
    const [, from = null, to = null] = /FROM \((?:MINVALUE|'(.*)')\) TO \((?:MAXVALUE|'(.*)')\)/.exec(bounds) ?? []
    return { name, from, to }
  })
  return partitions.sort((a, b) => ((a.from ?? '') < (b.from ?? '') ? -1 : 1))
}

/** The start of the month `months` after the month of `at`. */
function monthStart(at: number, months: number): number {
  const day = new Date(at)
  return Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + months, 1)
}

const monthName = (table: string, start: number) =>
  `${table}_${new Date(start).toISOString().slice(0, 7).replace('-', '_')}`

async function addPartition(tx: Kysely<unknown>, table: string, { name, from, to }: Partition): Promise<void> {
  const lower = from === null ? sql`minvalue` : sql.lit(from)
  const upper = to === null ? sql`maxvalue` : sql.lit(to)
  await sql`create table ${sql.table(name)} partition of ${sql.table(table)} for values from (${lower}) to (${upper})`.execute(
    tx,
  )
}

async function hasRows(tx: Kysely<unknown>, table: string): Promise<boolean> {
  const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(tx)
  return rows.length > 0
}

/** False while another process changes the partitions of this table. */
async function tryPartitionLock(tx: Kysely<unknown>, table: PartitionedTable): Promise<boolean> {
  await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT)}`.execute(tx)
  const { rows } = await sql<{ taken: boolean }>`
    select pg_try_advisory_xact_lock(${PARTITION_LOCK_NAMESPACE}, hashtext(${table})) as taken`.execute(tx)
  return rows[0]?.taken === true
}

/** Creates the missing partitions of the coming months. Without them rows go to the last partition. */
export async function createMonthlyPartitions(db: Kysely<unknown>, now: number): Promise<void> {
  for (const table of Object.keys(ID_PREFIXES) as PartitionedTable[]) {
    if ((await missingMonths(db, table, now)).starts.length === 0) continue
    await db.transaction().execute(async (tx) => {
      if (await tryPartitionLock(tx, table)) await splitLastPartition(tx, table, now)
    })
  }
}

async function missingMonths(db: Kysely<unknown>, table: PartitionedTable, now: number) {
  const last = (await listPartitions(db, table)).find(({ to }) => to === null)
  if (!last?.from) throw new Error(`The table ${table} has no unbounded last partition.`)
  const starts: number[] = []
  const until = monthStart(now, MONTHS_AHEAD)
  const first = idTime(recordIdShape(ID_PREFIXES[table]), last.from)
  for (let start = first; start <= until; start = monthStart(start, 1)) starts.push(start)
  return { last, starts }
}

/** Splits months off the last partition and moves their rows. */
async function splitLastPartition(tx: Kysely<unknown>, table: PartitionedTable, now: number): Promise<void> {
  const { last, starts } = await missingMonths(tx, table, now)
  const [first] = starts
  if (first === undefined) return
  const toId = (start: number) => idLowerBound(recordIdShape(ID_PREFIXES[table]), start)
  const detached = `${last.name}_cut`
  await sql`alter table ${sql.table(table)} detach partition ${sql.table(last.name)}`.execute(tx)
  await sql`alter table ${sql.table(last.name)} rename to ${sql.table(detached)}`.execute(tx)
  for (const start of starts) {
    const to = toId(monthStart(start, 1))
    await addPartition(tx, table, { name: monthName(table, start), from: toId(start), to })
  }
  const end = monthStart(starts.at(-1) ?? first, 1)
  await addPartition(tx, table, { name: last.name, from: toId(end), to: null })
  if (await hasRows(tx, detached))
    await sql`insert into ${sql.table(table)} select * from ${sql.table(detached)}`.execute(tx)
  await sql`drop table ${sql.table(detached)}`.execute(tx)
}

/**
 * Drops the partitions that lie completely below an id and updates the totals, in one transaction; returns the number of
 * rows. Null while another process does the same. If the table stays locked (by a dump, for example), drops nothing and
 * leaves the rows to the caller.
 */
export async function dropPartitionsBelow(
  db: Kysely<unknown>,
  table: PartitionedTable,
  bound: string,
  totals: readonly TotalTable[],
): Promise<number | null> {
  const listPast = async (tx: Kysely<unknown>) =>
    (await listPartitions(tx, table)).filter(({ to }) => to !== null && to <= bound)
  const [first, ...others] = await listPast(db)
  // The first partition always exists; an empty one needs no drop.
  if (!first || (others.length === 0 && !(await hasRows(db, first.name)))) return 0
  try {
    return await db.transaction().execute(async (tx) => {
      if (!(await tryPartitionLock(tx, table))) return null
      const past = await listPast(tx)
      const names = sql.join(past.map(({ name }) => sql.table(name)))
      // Blocks deletes; reads continue.
      await sql`lock table ${names} in share mode`.execute(tx)
      const { rows, counts } = await countRows(tx, past, totals)
      // Before the totals: writers lock the tables in the same order, which avoids deadlocks.
      await sql`drop table ${names}`.execute(tx)
      await addPartition(tx, table, { name: `${table}_before`, from: null, to: past.at(-1)?.to ?? null })
      for (const [index, total] of totals.entries()) await subtractFromTotal(tx, total, counts[index] ?? new Map())
      return rows
    })
  } catch (error) {
    if (isLockTimeout(error)) return 0
    throw error
  }
}

/** Counts the rows of the partitions per key of each total, in batches. */
async function countRows(tx: Kysely<unknown>, partitions: readonly Partition[], totals: readonly TotalTable[]) {
  const counts = totals.map(() => new Map<string, number>())
  let rows = 0
  const columns = sql.join([...new Set(['organization_id', ...totals.flatMap(({ key }) => key)])].map(sql.ref))
  for (const { name } of partitions) {
    for (let after: readonly [string, string] = ['', '']; ; ) {
      const step = await sql<Record<string, string> & { deleted: number; id: string }>`
        with step as (
          select ${columns}, id from ${sql.table(name)} where (organization_id, id) > (${after[0]}, ${after[1]})
          order by organization_id, id limit ${ROWS_PER_COUNT}
        )
        select ${columns}, count(*) as deleted, max(id) as id from step group by ${columns}
        order by organization_id, max(id)`.execute(tx)
      const last = step.rows.at(-1)
      if (!last) break
      for (const row of step.rows) {
        rows += row.deleted
        totals.forEach(({ key }, index) => {
          const group = JSON.stringify(key.map((column) => row[column]))
          counts[index]?.set(group, (counts[index].get(group) ?? 0) + row.deleted)
        })
      }
      after = [last.organization_id ?? '', last.id]
    }
  }
  return { rows, counts }
}

async function subtractFromTotal(
  tx: Kysely<unknown>,
  { table, key }: TotalTable,
  deleted: ReadonlyMap<string, number>,
): Promise<void> {
  const keys: string[][] = [...deleted.keys()].map((group) => JSON.parse(group))
  const arrays = [
    ...key.map((_, index) => sql`${toArrayLiteral(keys.map((values) => values[index] ?? ''))}::text[]`),
    sql`${toArrayLiteral([...deleted.values()])}::bigint[]`,
  ]
  const sameKey = key.map((column) => sql`totals.${sql.ref(column)} = deleted.${sql.ref(column)}`)
  await sql`update ${sql.table(table)} as totals set total = totals.total - deleted.rows
    from unnest(${sql.join(arrays)}) as deleted (${sql.join([...key, 'rows'].map(sql.ref))})
    where ${sql.join(sameKey, sql` and `)}`.execute(tx)
}
