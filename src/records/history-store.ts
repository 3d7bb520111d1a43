import type { SelectQueryBuilder } from 'kysely'
import { MAX_NUMBERED_ROWS } from '../contract/account-limits.ts'
import { type HistoryMeta, historyMeta, type PageMeta, pageMeta } from '../contract/paging.ts'
import type { Database } from '../db/database.ts'
import { matchingKeys, type RecordSearch, takeKeys } from '../db/record-search.ts'
import type { Schema } from '../db/schema.ts'
import { DomainError } from '../lib/errors.ts'
import { reason } from '../lib/reasons.ts'
import { parseStoredJson } from './stored-json.ts'

/** Rows counted per query: on SQLite a query holds the event loop. */
const COUNT_STEP_ROWS = 2_000

/** A query for the records of one organization, without columns and order. */
type Records = SelectQueryBuilder<Schema, 'lookup', object>

export type HistoryQuery = {
  readonly page: number
  readonly limit: number
  /** Id of the last record the caller has: returns the older ones, whatever the page number. */
  readonly after?: string | undefined
}

type HistoryRange = HistoryQuery & {
  /** Exclusive id bounds of a time range. */
  readonly aboveId?: string | undefined
  readonly belowId?: string | undefined
  /** The total, if known; otherwise the rows are counted. */
  readonly total?: number
}

export type HistoryPage<Record> = {
  readonly records: readonly Record[]
  /** Ids of the records, in the same order. */
  readonly ids: readonly string[]
  readonly meta: HistoryMeta
}

/** One page of records, newest first. */
export async function readHistory<Record>(
  db: Database,
  records: Records,
  range: HistoryRange,
): Promise<HistoryPage<Record>> {
  const { page, limit, after, aboveId, belowId } = range
  const total = range.total ?? (await countRecords(db, records, range))
  const newestFirst = (below: string | undefined) => withinIds(records, aboveId, below).orderBy('id', 'desc')
  const readRows = (below: string | undefined, count: number) =>
    newestFirst(below).select(['id', 'response']).limit(count).execute()

  if (after !== undefined) {
    const rows = await readRows(belowId !== undefined && belowId < after ? belowId : after, limit + 1)
    const hasNext = rows.length > limit
    return toPage(rows.slice(0, limit), { ...pageMeta(1, limit, total), has_next: hasNext, has_prev: total > 0 })
  }
  const meta = pageMeta(page, limit, total)
  const offset = (page - 1) * limit
  if (offset >= total) return toPage([], meta)
  if (Math.min(offset + limit, total) > MAX_NUMBERED_ROWS) throw beyondNumberedRows(page, limit)
  if (offset === 0) return toPage(await readRows(belowId, limit), meta)
  // The id first, from the index alone: the skipped rows are not read.
  const previous = await newestFirst(belowId)
    .select('id')
    .limit(1)
    .offset(offset - 1)
    .executeTakeFirst()
  return toPage(previous ? await readRows(previous.id, limit) : [], meta)
}

/** One page of the records that a search finds, newest first. Counts only as many as numbered pages reach. */
export async function readFound<Record>(
  db: Database,
  search: Omit<RecordSearch<string>, 'order' | 'above' | 'below'>,
  { page, limit, after, aboveId, belowId }: HistoryRange,
): Promise<HistoryPage<Record>> {
  const find = (below: string | undefined, count: number) =>
    takeKeys(matchingKeys(db, { ...search, order: 'desc', above: aboveId, below }), count)
  const found = await find(belowId, MAX_NUMBERED_ROWS + 1)
  const total = Math.min(found.length, MAX_NUMBERED_ROWS)
  const isCapped = found.length > total
  const readRows = async (ids: readonly string[]) => {
    if (ids.length === 0) return []
    return db.query
      .selectFrom(search.table as 'appraisal')
      .select(['id', 'response'])
      .where('organization_id', '=', search.organizationId)
      .where('id', 'in', ids)
      .orderBy('id', 'desc')
      .execute()
  }
  if (after === undefined) {
    const ids = found.slice(0, total).slice((page - 1) * limit, page * limit)
    return toPage(await readRows(ids), pageMeta(page, limit, total, isCapped))
  }
  const ids = await find(belowId !== undefined && belowId < after ? belowId : after, limit + 1)
  const meta = { ...pageMeta(1, limit, total, isCapped), has_next: ids.length > limit, has_prev: total > 0 }
  return toPage(await readRows(ids.slice(0, limit)), meta)
}

function toPage<Record>(rows: readonly { id: string; response: string }[], meta: PageMeta): HistoryPage<Record> {
  return {
    records: rows.map(({ response }) => parseStoredJson(response) as Record),
    ids: rows.map(({ id }) => id),
    meta: historyMeta(meta, rows.at(-1)?.id),
  }
}

function beyondNumberedRows(page: number, limit: number): DomainError {
  const rows = MAX_NUMBERED_ROWS.toLocaleString('en-US')
  const message = `page ${page} with limit ${limit} goes beyond the first ${rows} records; use after with the meta.next_after of the previous page.`
  return new DomainError('invalid', message, reason('technical'), [{ field: 'page', message }])
}

/** On SQLite a query runs in the event loop, so many rows are counted in short steps. */
async function countRecords(db: Database, records: Records, { aboveId = '', belowId }: HistoryRange): Promise<number> {
  let total = 0
  for (let above = aboveId; ; ) {
    const step = withinIds(records, above, belowId).select('id').orderBy('id').limit(COUNT_STEP_ROWS).as('step')
    const { count, last } = await db.query
      .selectFrom(step)
      .select(({ fn }) => [fn.countAll<number>().as('count'), fn.max('id').as('last')])
      .executeTakeFirstOrThrow()
    total += Number(count)
    if (Number(count) < COUNT_STEP_ROWS || last === null) return total
    above = last
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** At most one bound per side: with two, SQLite starts at one and scans to the other. */
function withinIds(records: Records, above: string | undefined, below: string | undefined): Records {
  let query = records
  if (above) query = query.where('id', '>', above)
  if (below !== undefined) query = query.where('id', '<', below)
  return query
}
