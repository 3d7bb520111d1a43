import { type RawBuilder, sql } from 'kysely'
import { yieldToEventLoop } from '../lib/event-loop.ts'
import type { Database } from './database.ts'
import type { Schema } from './schema.ts'

/** What a record must meet. */
export type Criterion = {
  /** A query for the ids of all records that meet it, answered by an index. */
  readonly ids: RawBuilder<unknown>
  /** The same for the rows of a step. */
  readonly isMet: (step: SearchStep) => RawBuilder<boolean>
}

export type SearchStep = {
  /** Limits a column of ids in a subquery to the rows of the step. */
  readonly limit: (column: RawBuilder<unknown>) => RawBuilder<boolean>
  /** A column by which a subquery shall not find its rows: SQLite, which has no statistics, would read all of a word. */
  readonly compared: (column: string) => RawBuilder<unknown>
}

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
/** Rows that a query of a scan reads. On SQLite their number follows the time that the last one took. */
const STEP_ROWS = { minimum: 250, maximum: 16_000 } as const
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
    keys.push(...(await readKeys(db, search, (column) => sql<boolean>`${column} in (${step})`)))
  }
  const direction = search.order === 'asc' ? 1 : -1
  if (keys.length > 0) yield keys.sort((left, right) => (left < right ? -direction : direction))
}

async function* scan<Key extends string | number>(db: Database, search: RecordSearch<Key>): AsyncGenerator<Key[]> {
  const isAscending = search.order === 'asc'
  const holdsEventLoop = db.admin.dialect === 'sqlite'
  let rows: number = holdsEventLoop ? STEP_ROWS.minimum : STEP_ROWS.maximum
  for (let rest = search; ; ) {
    const startedMs = performance.now()
    const last = await lastKeyOfStep(db, rest, rows)
    const range: Range<Key> = last === undefined ? rest : isAscending ? { ...rest, to: last } : { ...rest, from: last }
    const keys = await readKeys(db, rest, isKeyedById(rest) ? (column) => inKeyRange(column, range) : undefined, range)
    const tookMs = performance.now() - startedMs
    if (keys.length > 0) yield keys
    if (last === undefined) return
    rest = isAscending ? { ...rest, above: last } : { ...rest, below: last }
    if (tookMs < STEP_MS.short) rows = Math.min(STEP_ROWS.maximum, rows * 2)
    else if (holdsEventLoop && tookMs > STEP_MS.long) rows = Math.max(STEP_ROWS.minimum, Math.floor(rows / 2))
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

const isKeyedById = ({ key, id = key }: { readonly key: string; readonly id?: string }) => id === key

/** `ofStep` finds the rows of the step by their id; without it they are those of the range. */
async function readKeys<Key extends string | number>(
  db: Database,
  search: RecordSearch<Key>,
  ofStep: ((column: RawBuilder<unknown>) => RawBuilder<boolean>) | undefined,
  range: Range<Key> = search,
): Promise<Key[]> {
  const key = sql.ref(search.key)
  const id = sql`${sql.table(search.table)}.${sql.ref(search.id ?? search.key)}`
  const step: SearchStep = {
    limit: ofStep ?? ((column) => sql<boolean>`${column} = ${id}`),
    compared: (column) => (db.admin.dialect === 'sqlite' ? sql`${sql.ref(column)} || ''` : sql.ref(column)),
  }
  const conditions = [
    inRange({ ...search, ...range }),
    ...(ofStep ? [ofStep(id)] : []),
    ...(search.conditions ?? []),
    ...(search.criteria ?? []).map(({ isMet }) => isMet(step)),
  ]
  const { rows } = await sql<{ key: Key }>`select distinct ${key} as key from ${sql.table(search.table)}
    where ${sql.join(conditions, sql` and `)} order by ${key} ${direction(search)}`.execute(db.query)
  return rows.map((row) => (search.key === 'number' ? (Number(row.key) as Key) : row.key))
}

const direction = ({ order }: { readonly order: 'asc' | 'desc' }) => sql.raw(order)

/** `above` and `below` are exclusive, `from` and `to` inclusive. */
type Range<Key> = { readonly [bound in 'above' | 'below' | 'from' | 'to']?: Key | undefined }

function inKeyRange<Key extends string | number>(
  key: RawBuilder<unknown>,
  { above, below, from, to }: Range<Key>,
): RawBuilder<boolean> {
  const bounds = [
    sql`1 = 1`,
    ...(above === undefined ? [] : [sql`${key} > ${above}`]),
    ...(below === undefined ? [] : [sql`${key} < ${below}`]),
    ...(from === undefined ? [] : [sql`${key} >= ${from}`]),
    ...(to === undefined ? [] : [sql`${key} <= ${to}`]),
  ]
  return sql<boolean>`${sql.join(bounds, sql` and `)}`
}

const inRange = <Key extends string | number>(search: RecordSearch<Key> & Range<Key>) =>
  sql<boolean>`organization_id = ${search.organizationId} and ${inKeyRange(sql.ref(search.key), search)}`

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
