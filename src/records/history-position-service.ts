import { LRUCache } from 'lru-cache'

/** How to walk a list of records by their ids, which sort by time. */
export type HistoryCursor = {
  /** The id that stands `skip` rows after the one that follows `after`, in ascending order; undefined past the end. */
  readonly ascending: (after: string, skip: number) => Promise<string | undefined>
  /** The id that stands `skip` rows before the one that precedes `before`, or the newest; undefined past the end. */
  readonly descending: (before: string | undefined, skip: number) => Promise<string | undefined>
  readonly oldest: () => Promise<string | undefined>
  /** How many rows follow `after`, counted no further than `most`. */
  readonly count: (after: string, most: number) => Promise<number>
}

/** A list that somebody pages through: what tells it from every other list, and how to walk it. */
export type HistoryList = { readonly name: string; readonly walk: HistoryCursor }

/** So many rows are walked in well under a millisecond. */
const STRIDE = 2_000
const MAX_CACHED_LISTS = 200

/** The ids of the 2,000th, 4,000th, … oldest record of a list. */
type PositionMarks = { readonly oldest: string; readonly ids: string[]; walking: Promise<void> | undefined }

/**
 * Where a page deep in a long history begins, without walking there row by row: every so many rows an id is remembered,
 * counted from the oldest, because what is old stays where it is while new records come. Only ids below `settled` are
 * remembered, since younger ones may still come in between; when old records were deleted, everything is counted anew.
 */
export function historyPositions() {
  const known = new LRUCache<string, PositionMarks>({ max: MAX_CACHED_LISTS })

  /** Remembers as much as there is, letting others have their turn between two strides. */
  async function walkOn({ ascending }: HistoryCursor, marks: PositionMarks, settled: string): Promise<void> {
    for (;;) {
      const id = await ascending(marks.ids.at(-1) ?? '', STRIDE - 1)
      if (id === undefined || id >= settled) return
      marks.ids.push(id)
      await yieldTurn()
    }
  }

  /** From the other end, where nothing is remembered. */
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
    /** How many records a list has. A short one is counted at once, a long one from where it was counted to before. */
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
     * An id, and how many rows to skip from it downwards, itself included, to come to the row that stands `offset` rows
     * below the newest of `total`. Undefined past the end.
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
