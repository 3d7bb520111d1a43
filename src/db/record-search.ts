import { type RawBuilder, sql } from 'kysely'
import { yieldToEventLoop } from '../lib/event-loop.ts'
import type { Database } from './database.ts'
import type { Schema } from './schema.ts'

/** What a record must meet: as a query for all ids that an index answers, and as a condition on a row. */
export type Criterion = { readonly ids: RawBuilder<unknown>; readonly isMet: RawBuilder<boolean> }

export type RecordSearch<Key extends string | number> = {
  /** With an index of the organization and the key. */
  readonly table: keyof Schema & string
  /** Column of the order. */
  readonly key: string
  /** Column that the criteria find; the key unless given. */
  readonly id?: string
  readonly organizationId: string
  readonly criteria?: readonly Criterion[]
  /** Conditions that no index answers. */
  readonly conditions?: readonly RawBuilder<boolean>[]
  readonly order: 'asc' | 'desc'
  /** Exclusive. */
  readonly above?: Key | undefined
  readonly below?: Key | undefined
}

/** A criterion that this many records meet, or fewer, is answered by its index alone. */
const MAX_CANDIDATES = 2_000
/** Candidates per query: on SQLite a query holds the event loop. */
const CANDIDATES_PER_STEP = 250
/** Rows that a query of a scan reads. Their number follows the time that the last one took. */
const STEP_ROWS = { first: 250, minimum: 50, maximum: 16_000 } as const
const STEP_MS = { short: 4, long: 10 } as const

/**
 * Keys of the records that meet all criteria, in order, in steps. A criterion that few records meet finds them by its
 * index; if there is none, the records are scanned.
 */
export async function* matchingKeys<Key extends string | number>(
  db: Database,
  search: RecordSearch<Key>,
): AsyncGenerator<Key[]> {
  const { criteria = [] } = search
  const fewest = await fewestCandidates(db, criteria)
  if (!fewest) return yield* scan(db, search)
  const others = criteria.filter((criterion) => criterion !== fewest.criterion)
  yield* amongCandidates(db, { ...search, criteria: others }, fewest.ids)
}

/** The criterion that the fewest records meet, with their ids; undefined if many meet each of them. */
async function fewestCandidates(db: Database, criteria: readonly Criterion[]) {
  let fewest: { readonly criterion: Criterion; readonly ids: readonly string[] } | undefined
  for (const criterion of criteria) {
    const { rows } = await sql<{ id: string }>`${criterion.ids} limit ${MAX_CANDIDATES + 1}`.execute(db.query)
    await yieldToEventLoop()
    if (rows.length > MAX_CANDIDATES) continue
    const ids = [...new Set(rows.map(({ id }) => id))]
    if (!fewest || ids.length < fewest.ids.length) fewest = { criterion, ids }
    if (ids.length === 0) break
  }
  return fewest
}

async function* amongCandidates<Key extends string | number>(
  db: Database,
  search: RecordSearch<Key>,
  ids: readonly string[],
): AsyncGenerator<Key[]> {
  const keys: Key[] = []
  for (let at = 0; at < ids.length; at += CANDIDATES_PER_STEP) {
    if (at > 0) await yieldToEventLoop()
    const step = sql.join(ids.slice(at, at + CANDIDATES_PER_STEP))
    keys.push(...(await readKeys(db, search, sql<boolean>`${sql.ref(search.id ?? search.key)} in (${step})`)))
  }
  const direction = search.order === 'asc' ? 1 : -1
  if (keys.length > 0) yield keys.sort((left, right) => (left < right ? -direction : direction))
}

async function* scan<Key extends string | number>(db: Database, search: RecordSearch<Key>): AsyncGenerator<Key[]> {
  const isAscending = search.order === 'asc'
  let rows: number = STEP_ROWS.first
  for (let rest = search; ; ) {
    const startedMs = performance.now()
    const last = await lastKeyOfStep(db, rest, rows)
    const key = sql.ref(search.key)
    const step =
      last === undefined ? sql<boolean>`1 = 1` : sql<boolean>`${key} ${isAscending ? sql`<=` : sql`>=`} ${last}`
    const keys = await readKeys(db, rest, step)
    const tookMs = performance.now() - startedMs
    if (keys.length > 0) yield keys
    if (last === undefined) return
    rest = isAscending ? { ...rest, above: last } : { ...rest, below: last }
    if (tookMs < STEP_MS.short) rows = Math.min(STEP_ROWS.maximum, rows * 2)
    else if (tookMs > STEP_MS.long) rows = Math.max(STEP_ROWS.minimum, Math.floor(rows / 2))
    await yieldToEventLoop()
  }
}

/** The key that ends a step of so many rows; undefined if fewer are left. */
async function lastKeyOfStep<Key extends string | number>(
  db: Database,
  search: RecordSearch<Key>,
  rows: number,
): Promise<Key | undefined> {
  const key = sql.ref(search.key)
  const result = await sql<{ key: Key }>`select ${key} as key from ${sql.table(search.table)} where ${inRange(search)}
    order by ${key} ${direction(search)} limit 1 offset ${rows - 1}`.execute(db.query)
  return result.rows[0]?.key
}

async function readKeys<Key extends string | number>(
  db: Database,
  search: RecordSearch<Key>,
  step: RawBuilder<boolean>,
): Promise<Key[]> {
  const key = sql.ref(search.key)
  const conditions = [
    inRange(search),
    step,
    ...(search.conditions ?? []),
    ...(search.criteria ?? []).map(({ isMet }) => isMet),
  ]
  const { rows } = await sql<{ key: Key }>`select distinct ${key} as key from ${sql.table(search.table)}
    where ${sql.join(conditions, sql` and `)} order by ${key} ${direction(search)}`.execute(db.query)
  return rows.map((row) => (search.key === 'number' ? (Number(row.key) as Key) : row.key))
}

const direction = ({ order }: { readonly order: 'asc' | 'desc' }) => sql.raw(order)

function inRange<Key extends string | number>({
  key,
  organizationId,
  above,
  below,
}: RecordSearch<Key>): RawBuilder<boolean> {
  const bounds = [
    sql`organization_id = ${organizationId}`,
    ...(above === undefined ? [] : [sql`${sql.ref(key)} > ${above}`]),
    ...(below === undefined ? [] : [sql`${sql.ref(key)} < ${below}`]),
  ]
  return sql<boolean>`${sql.join(bounds, sql` and `)}`
}

/** A condition that a column contains a text. */
export const contains = (column: string, text: string): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(column)} like ${`%${text.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`} escape '\\'`

/** The first keys of a search, at most `count`. */
export async function takeKeys<Key>(steps: AsyncGenerator<Key[]>, count: number): Promise<Key[]> {
  const keys: Key[] = []
  for await (const step of steps) {
    keys.push(...step)
    if (keys.length >= count) break
  }
  return keys.slice(0, count)
}
