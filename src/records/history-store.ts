import type { SelectQueryBuilder } from 'kysely'
import type { Database } from '../db/database.ts'
import type { Schema } from '../db/schema.ts'
import { HOUR_MS } from '../lib/time.ts'
import { type HistoryCursor, historyPositions } from './history-position-service.ts'

/** Up to this offset a page is reached by OFFSET. */
const MAX_OFFSET_ROWS = 2_000
/** Allows for clock differences between machines and for slow writes. */
const SETTLED_AFTER_MS = HOUR_MS

/** A query for the records of one organization, without columns and order. */
type Records = SelectQueryBuilder<Schema, 'lookup', object>

export type HistoryQuery = {
  /** Identifies the list in the cache of positions. */
  readonly cacheKey: string
  /** Exclusive id bounds of a time range. */
  readonly afterId?: string | undefined
  readonly beforeId?: string | undefined
  /** The total, if known; otherwise the rows are counted. */
  readonly total?: number
  readonly offset: number
  readonly limit: number
  readonly now: number
}

export type HistoryResult = { readonly records: readonly string[]; readonly total: number }

/**
 * Pages of records, newest first, as stored JSON. No step holds the event loop for long, however deep the page is. `minIdAt`
 * returns the lowest id of a time.
 */
export function openHistory(db: Database, minIdAt: (epochMs: number) => string) {
  const positions = historyPositions()

  return async (records: Records, wanted: HistoryQuery): Promise<HistoryResult> => {
    const list = { name: wanted.cacheKey, walk: cursorOf(db, records, wanted) }
    const settled = minIdAt(wanted.now - SETTLED_AFTER_MS)
    const total = wanted.total ?? (await positions.count(list, settled))
    // Past the end.
    if (wanted.offset >= total) return { records: [], total }
    const isDeep = wanted.offset > MAX_OFFSET_ROWS
    const from = isDeep ? await positions.from(list, { offset: wanted.offset, total }, settled) : undefined
    if (isDeep && !from) return { records: [], total }
    const within = withinIds(records, wanted.afterId, from ? undefined : wanted.beforeId).$if(
      from !== undefined,
      (rest) => rest.where('id', '<=', from?.id ?? ''),
    )
    const skip = from ? from.skip : wanted.offset
    // By id only, from the index: skipped rows are not read.
    const first = skip > 0 ? await newestFirst(within.select('id')).limit(1).offset(skip).executeTakeFirst() : undefined
    if (skip > 0 && !first) return { records: [], total }
    const page = first ? withinIds(records, wanted.afterId, undefined).where('id', '<=', first.id) : within
    const rows = await newestFirst(page.select('answer')).limit(wanted.limit).execute()
    return { records: rows.map(({ answer }) => answer), total }
  }
}

function newestFirst<Row>(rows: SelectQueryBuilder<Schema, 'lookup', Row>): SelectQueryBuilder<Schema, 'lookup', Row> {
  return rows.orderBy('id', 'desc')
}

function cursorOf(
  db: Database,
  records: Records,
  { afterId: above = '', beforeId: below }: HistoryQuery,
): HistoryCursor {
  const ids = records.select('id')
  const after = (id: string) => withinIds(ids, id > above ? id : above, below).orderBy('id')
  return {
    ascending: async (id, skip) => (await after(id).limit(1).offset(skip).executeTakeFirst())?.id,
    async descending(before, skip) {
      const rest = withinIds(ids, above, before ?? below)
      return (await rest.orderBy('id', 'desc').limit(1).offset(skip).executeTakeFirst())?.id
    },
    oldest: async () => (await after(above).limit(1).executeTakeFirst())?.id,
    async count(id, most) {
      const some = after(id).limit(most).as('some')
      const counted = db.replica.selectFrom(some).select(({ fn }) => fn.countAll<number>().as('total'))
      return Number((await counted.executeTakeFirstOrThrow()).total)
    },
  }
}

/** At most one bound per side: with two, SQLite starts at one and scans to the other. */
function withinIds<Row>(
  rows: SelectQueryBuilder<Schema, 'lookup', Row>,
  above: string | undefined,
  below: string | undefined,
): SelectQueryBuilder<Schema, 'lookup', Row> {
  let bounded = rows
  if (above) bounded = bounded.where('id', '>', above)
  if (below) bounded = bounded.where('id', '<', below)
  return bounded
}
