import { groupCommit } from './group-commit.ts'
import { bodyHash, onceForEachKey, type Replayable } from './idempotency.ts'
import type { DurableUnit, RecordStore, Writes } from './record-store.ts'

/** A group of so many rows is written in well under ten milliseconds. */
const MOST_ROWS = 256

/** Who asks, and the key under which the same question has one answer. */
export type Asking = {
  readonly organizationId: string
  readonly keyId: string
  readonly idempotencyKey: string | null
  readonly now: number
}

/** An answer's JSON and what must be on the disk before it is given. */
export type Made = {
  readonly answer: string
  readonly writes: Writes
  /** Called once it is; not when an earlier answer is given instead. */
  readonly written?: () => void
}

export type DurableAnswers = {
  /**
   * Makes an answer and gives it after its records are durable. With an idempotency key the same question has one answer;
   * without one every question has its own.
   */
  readonly give: (path: string, body: unknown, asking: Asking, make: () => Promise<Made>) => Promise<Replayable>
  /** Resolves when every answer under way is written. */
  readonly drained: () => Promise<void>
}

/** What is answered here was written first: a caller who has an answer can rely on finding it again. */
export function openAnswers(
  store: Pick<RecordStore, 'save' | 'findClaim'>,
  isStoreAway: (error: unknown) => boolean,
): DurableAnswers {
  const commits = groupCommit(store.save, { rowsOf: rowsOf, mostRows: MOST_ROWS, isStoreAway })
  const once = onceForEachKey(store.findClaim)

  async function keep({ answer, writes, written }: Made, asking: Asking, claim: DurableUnit['claim']) {
    const { organizationId, now } = asking
    // A batch of nothing but refusals leaves nothing to find again, unless it is to be repeated.
    if (claim === null && writes.tables.length === 0) return { answer, claimed: null }
    const { claimed } = await commits.write({ organizationId, writes, claim, now })
    if (claimed === null) written?.()
    return { answer, claimed }
  }

  return {
    async give(path, body, asking, make) {
      const { idempotencyKey: key, organizationId, now } = asking
      if (key === null) {
        const { answer } = await keep(await make(), asking, null)
        return { answer, replayed: false }
      }
      const request = { key, bodyHash: bodyHash(path, body) }
      return once(organizationId, request, now, async () => {
        const made = await make()
        return keep(made, asking, { ...request, answer: made.answer })
      })
    },
    drained: commits.drained,
  }
}

function rowsOf({ writes }: DurableUnit): number {
  return writes.tables.reduce((sum, { rows }) => sum + rows.length, 0)
}
