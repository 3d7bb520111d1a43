import { groupCommit } from './group-commit-service.ts'
import { hashBody, type ReplayableResponse, runOncePerKey } from './idempotency.ts'
import type { RecordStore, RecordUnit, RecordWrites } from './record-store.ts'

/** A group of this size is written in well under ten milliseconds. */
const MAX_GROUP_ROWS = 256

/** The caller and its idempotency key. */
export type CallerContext = {
  readonly organizationId: string
  readonly keyId: string
  /** Whether the policy limits the offers that the caller may save. */
  readonly isClerk?: boolean
  readonly idempotencyKey: string | null
  readonly now: number
}

/** The JSON of a response and the records that must be durable before it is sent. */
export type PendingResponse = {
  readonly json: string
  readonly writes: RecordWrites
  /** Called after the write; not called if a stored response is returned instead. */
  readonly onWritten?: () => void
}

export type DurableResponses = {
  /**
   * Creates a response and returns it after its records are durable. With an idempotency key a repeated request gets the
   * stored response.
   */
  readonly respond: (
    path: string,
    body: unknown,
    asking: CallerContext,
    make: () => Promise<PendingResponse>,
  ) => Promise<ReplayableResponse>
  /** Resolves when all pending responses are written. */
  readonly drain: () => Promise<void>
}

/** Writes the records of a response before it is sent, so that a caller always finds them again. */
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
    // Nothing to store, unless the request may be repeated.
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
