import { LRUCache } from 'lru-cache'

/** How to walk the lookups of an organization by their ids, which sort by time. */
export type Walk = {
  /** The id that stands `skip` rows after the one that follows `after`, in ascending order; undefined past the end. */
  readonly ascending: (organizationId: string, after: string, skip: number) => Promise<string | undefined>
  /** The id that stands `skip` rows before the one that precedes `before`, or the newest; undefined past the end. */
  readonly descending: (organizationId: string, before: string | undefined, skip: number) => Promise<string | undefined>
  readonly oldest: (organizationId: string) => Promise<string | undefined>
}

/** So many rows are walked in well under a millisecond. */
const STRIDE = 2_000
const MOST_ORGANIZATIONS = 200

/** The ids of the 2,000th, 4,000th, … oldest lookup of an organization. */
type Marks = { readonly oldest: string; readonly ids: string[]; walking: Promise<void> | undefined }

/**
 * Where a page deep in a long history begins, without walking there row by row: every so many rows an id is remembered,
 * counted from the oldest, because what is old stays where it is while new lookups come. Only ids below `settled` are
 * remembered, since younger ones may still come in between; when old lookups were deleted, everything is counted anew.
 */
export function historyPositions({ ascending, descending, oldest }: Walk) {
  const known = new LRUCache<string, Marks>({ max: MOST_ORGANIZATIONS })

  /** Remembers as much as there is, letting others have their turn between two strides. */
  async function walkOn(organizationId: string, marks: Marks, settled: string): Promise<void> {
    for (;;) {
      const id = await ascending(organizationId, marks.ids.at(-1) ?? '', STRIDE - 1)
      if (id === undefined || id >= settled) return
      marks.ids.push(id)
      await othersTurn()
    }
  }

  /** From the other end, where nothing is remembered. */
  async function walkDown(organizationId: string, offset: number): Promise<string | undefined> {
    let before: string | undefined
    let left = offset
    for (; left >= STRIDE; left -= STRIDE) {
      before = await descending(organizationId, before, STRIDE - 1)
      if (before === undefined) return undefined
      await othersTurn()
    }
    return descending(organizationId, before, left)
  }

  async function marksOf(organizationId: string, settled: string): Promise<Marks | undefined> {
    const first = await oldest(organizationId)
    if (first === undefined) return undefined
    let marks = known.get(organizationId)
    if (marks?.oldest !== first) {
      marks = { oldest: first, ids: [], walking: undefined }
      known.set(organizationId, marks)
    }
    const current = marks
    current.walking ??= walkOn(organizationId, current, settled).finally(() => {
      current.walking = undefined
    })
    await current.walking
    return current
  }

  return {
    /**
     * An id, and how many rows to skip from it downwards, itself included, to come to the row that stands `offset` rows
     * below the newest of `total`. Undefined past the end.
     */
    async from(
      organizationId: string,
      { offset, total }: { readonly offset: number; readonly total: number },
      settled: string,
    ): Promise<{ readonly id: string; readonly skip: number } | undefined> {
      const marks = await marksOf(organizationId, settled)
      const rank = total - offset
      const at = Math.ceil(rank / STRIDE) - 1
      const mark = marks?.ids[at]
      if (mark !== undefined) return { id: mark, skip: (at + 1) * STRIDE - rank }
      const id = await walkDown(organizationId, offset)
      return id === undefined ? undefined : { id, skip: 0 }
    },
  }
}

const othersTurn = () => new Promise<void>((turn) => setImmediate(turn))
