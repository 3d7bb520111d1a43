import { groupCommit } from './group-commit-service.ts'
import { hashBody, type ReplayableResponse, runOncePerKey } from './idempotency.ts'
import type { RecordStore, RecordUnit, RecordWrites } from './record-store.ts'

/** A group of so many rows is written in well under ten milliseconds. */
const MAX_GROUP_ROWS = 256

/** Who asks, and the key under which the same question has one answer. */
export type CallerContext = {
  readonly organizationId: string
  readonly keyId: string
  readonly idempotencyKey: string | null
  readonly now: number
}

/** An answer's JSON and what must be on the disk before it is given. */
export type PendingResponse = {
  readonly json: string
  readonly writes: RecordWrites
  /** Called once it is; not when an earlier answer is given instead. */
  readonly onWritten?: () => void
}

export type DurableResponses = {
  /**
   * Makes an answer and gives it after its records are durable. With an idempotency key the same question has one answer;
   * without one every question has its own.
   */
  readonly respond: (
    path: string,
    body: unknown,
    asking: CallerContext,
    make: () => Promise<PendingResponse>,
  ) => Promise<ReplayableResponse>
  /** Resolves when every answer under way is written. */
  readonly drain: () => Promise<void>
}

/** What is answered here was written first: a caller who has an answer can rely on finding it again. */
export function openDurableResponses(
  store: Pick<RecordStore, 'save' | 'findClaim'>,
  isDatabaseUnavailable: (error: unknown) => boolean,
): DurableResponses {
  const commits = groupCommit(store.save, { countRows: countRows, maxRows: MAX_GROUP_ROWS, isDatabaseUnavailable })
  const once = runOncePerKey(store.findClaim)

  async function keep(
    { json: answer, writes, onWritten: written }: PendingResponse,
    asking: CallerContext,
    claim: RecordUnit['idempotency'],
  ) {
    const { organizationId, now } = asking
    // A batch of nothing but refusals leaves nothing to find again, unless it is to be repeated.
    if (claim === null && writes.tables.length === 0) return { answer, claimed: null }
    const { existing: claimed } = await commits.write({ organizationId, writes, idempotency: claim, now })
    if (claimed === null) written?.()
    return { answer, claimed }
  }

  return {
    async respond(path, body, asking, make) {
      const { idempotencyKey: key, organizationId, now } = asking
      if (key === null) {
        const { answer } = await keep(await make(), asking, null)
        return { json: answer, isReplay: false }
      }
      const request = { key, bodyHash: hashBody(path, body) }
      return once(organizationId, request, now, async () => {
        const made = await make()
        return keep(made, asking, { ...request, responseJson: made.json })
      })
    },
    drain: commits.drain,
  }
}

function countRows({ writes }: RecordUnit): number {
  return writes.tables.reduce((sum, { rows }) => sum + rows.length, 0)
}
