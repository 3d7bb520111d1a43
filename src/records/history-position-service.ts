import { LRUCache } from 'lru-cache'

/** Walks a list of records by id, which sorts by time. */
export type HistoryCursor = {
  /** The id `skip` rows after the first id above `after`, ascending; undefined past the end. */
  readonly ascending: (after: string, skip: number) => Promise<string | undefined>
  /** The id `skip` rows before the last id below `before` (or the newest); undefined past the end. */
  readonly descending: (before: string | undefined, skip: number) => Promise<string | undefined>
  readonly oldest: () => Promise<string | undefined>
  /** Number of rows above `after`, at most `most`. */
  readonly count: (after: string, most: number) => Promise<number>
}

/** A paginated list: its cache key and how to walk it. */
export type HistoryList = { readonly name: string; readonly walk: HistoryCursor }

/** A walk of this length takes well under a millisecond. */
const STRIDE = 2_000
const MAX_CACHED_LISTS = 200

/** The ids of the 2,000th, 4,000th, … oldest record of a list. */
type PositionMarks = { readonly oldest: string; readonly ids: string[]; walking: Promise<void> | undefined }

/**
 * Finds the start of a page deep in a long history without walking there row by row: it caches every 2,000th id, counted
 * from the oldest, because old records keep their position. Only ids below `settled` are cached, since newer ones may still
 * arrive out of order; after a deletion of old records the cache is rebuilt.
 */
export function historyPositions() {
  const known = new LRUCache<string, PositionMarks>({ max: MAX_CACHED_LISTS })

  /** Caches all positions, yielding to the event loop after each stride. */
  async function walkOn({ ascending }: HistoryCursor, marks: PositionMarks, settled: string): Promise<void> {
    for (;;) {
      const id = await ascending(marks.ids.at(-1) ?? '', STRIDE - 1)
      if (id === undefined || id >= settled) return
      marks.ids.push(id)
      await yieldTurn()
    }
  }

  /** From the newest record, where nothing is cached. */
  async function walkDown({ descending }: HistoryCursor, offset: number): Promise<string | undefined> {
    let before: string | undefined
    let left = offset
    for (; left >= STRIDE; left -= STRIDE) {
      before = await descending(before, STRIDE - 1)
      if (before === undefined) return undefined
      await yieldTurn()
    }
    return descending(before, left)
  }

  async function marksOf({ name, walk }: HistoryList, settled: string): Promise<PositionMarks | undefined> {
    const first = await walk.oldest()
    if (first === undefined) return undefined
    let marks = known.get(name)
    if (marks?.oldest !== first) {
      marks = { oldest: first, ids: [], walking: undefined }
      known.set(name, marks)
    }
    const current = marks
    current.walking ??= walkOn(walk, current, settled).finally(() => {
      current.walking = undefined
    })
    await current.walking
    return current
  }

  return {
    /** Number of records. Long lists are counted from the last cached position. */
    async count(list: HistoryList, settled: string): Promise<number> {
      const { count, ascending } = list.walk
      const few = await count('', STRIDE)
      if (few < STRIDE) return few
      const marks = await marksOf(list, settled)
      let total = (marks?.ids.length ?? 0) * STRIDE
      let after = marks?.ids.at(-1) ?? ''
      for (;;) {
        const next = await ascending(after, STRIDE - 1)
        if (next === undefined) return total + (await count(after, STRIDE))
        total += STRIDE
        after = next
        await yieldTurn()
      }
    },

    /**
     * An id, and the number of rows to skip downwards from it (inclusive), of the row `offset` rows below the newest.
     * Undefined past the end.
     */
    async from(
      list: HistoryList,
      { offset, total }: { readonly offset: number; readonly total: number },
      settled: string,
    ): Promise<{ readonly id: string; readonly skip: number } | undefined> {
      const marks = await marksOf(list, settled)
      const rank = total - offset
      const at = Math.ceil(rank / STRIDE) - 1
      const mark = marks?.ids[at]
      if (mark !== undefined) return { id: mark, skip: (at + 1) * STRIDE - rank }
      const id = await walkDown(list.walk, offset)
      return id === undefined ? undefined : { id, skip: 0 }
    },
  }
}

const yieldTurn = () => new Promise<void>((turn) => setImmediate(turn))
