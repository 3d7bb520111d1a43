import type { SelectQueryBuilder } from 'kysely'
import type { Database } from '../db/database.ts'
import type { Schema } from '../db/schema.ts'
import { HOUR_MS } from '../lib/time.ts'
import { type HistoryCursor, historyPositions } from './history-position-service.ts'

/** Up to here a page is reached by walking from the newest. */
const MAX_OFFSET_ROWS = 2_000
/** The clocks of several machines may differ, and a record may be long in the making: by then its neighbours are known. */
const SETTLED_AFTER_MS = HOUR_MS

/** Records of one organization, or some of them, as a query that says neither which columns nor in what order. */
type Records = SelectQueryBuilder<Schema, 'lookup', object>

export type HistoryQuery = {
  /** Tells the list from every other list of its kind. */
  readonly cacheKey: string
  /** Ids that all of the list are above and below, where it is of a span of time. */
  readonly afterId?: string | undefined
  readonly beforeId?: string | undefined
  /** How many there are, where somebody counts them as they come; they are counted here otherwise. */
  readonly total?: number
  readonly offset: number
  readonly limit: number
  readonly now: number
}

export type HistoryResult = { readonly records: readonly string[]; readonly total: number }

/**
 * Pages of a kind of records, newest first, as the JSON that they are. However deep a page is and however many rows were
 * to be counted, no step holds the loop for long. `boundAt` makes an id below those of all records of an instant.
 */
export function openHistory(db: Database, minIdAt: (epochMs: number) => string) {
  const positions = historyPositions()

  return async (records: Records, wanted: HistoryQuery): Promise<HistoryResult> => {
    const list = { name: wanted.cacheKey, walk: cursorOf(db, records, wanted) }
    const settled = minIdAt(wanted.now - SETTLED_AFTER_MS)
    const total = wanted.total ?? (await positions.count(list, settled))
    // A page far past the end is known to be empty without walking there.
    if (wanted.offset >= total) return { records: [], total }
    const isDeep = wanted.offset > MAX_OFFSET_ROWS
    const from = isDeep ? await positions.from(list, { offset: wanted.offset, total }, settled) : undefined
    if (isDeep && !from) return { records: [], total }
    const within = withinIds(records, wanted.afterId, from ? undefined : wanted.beforeId).$if(
      from !== undefined,
      (rest) => rest.where('id', '<=', from?.id ?? ''),
    )
    const skip = from ? from.skip : wanted.offset
    // By ids alone, which stand in an index: of the rows that are passed over none is read.
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

/** One bound on each side at most: of two on the same side SQLite begins at the one and walks to the other. */
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
