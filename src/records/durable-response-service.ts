import type { Actor } from '../auth/actor.ts'
import type { AuthorWire } from '../contract/values.ts'
import { unavailable } from '../lib/errors.ts'
import { groupCommit } from '../lib/group-commit.ts'
import { hashBody, type IdempotentRequest, type ReplayableResponse, runOncePerKey } from './idempotency.ts'
import type { RecordStore, RecordUnit, RecordWrites } from './record-store.ts'

/** A group of this size is written in well under ten milliseconds. */
const MAX_GROUP_ROWS = 256
/** Each attempt fails only because another process succeeded. */
const MAX_ATTEMPTS = 10

/** The author of records, as the records and the audit trail name it; every `Principal` is one. */
export type RecordAuthor = AuthorWire & { readonly actor: Actor }

/** The caller and its idempotency key. */
export type CallerContext = {
  readonly principal: RecordAuthor
  readonly organizationId: string
  readonly keyId: string
  /** Whether the policy limits the offers that the caller may save. */
  readonly isClerk?: boolean
  /** Whether the caller may replace the seller of a purchase that others recorded. */
  readonly mayCorrectSellers?: boolean
  /** Whether the caller may pay more than the calculated maximum, and confirm a device that is in stock. */
  readonly mayApprove?: boolean
  readonly idempotencyKey: string | null
  /** The body as it was sent: a repeated request has the same, also in fields that are ignored. */
  readonly sentBody?: unknown
  readonly now: number
}

/** The data of a response and the records that must be durable before it is sent. */
export type PendingResponse<Data> = {
  readonly data: Data
  readonly writes: RecordWrites
  /** Called after the write; not called if a stored response is returned instead. */
  readonly onWritten?: () => void
}

export type DurableResponses = {
  /**
   * Creates a response and returns it after its records are durable. With an idempotency key a repeated request gets the
   * stored response.
   */
  readonly respond: <Data>(
    path: string,
    body: unknown,
    caller: CallerContext,
    createResponse: () => Promise<PendingResponse<Data>>,
  ) => Promise<ReplayableResponse<Data>>
  /** Resolves when all pending responses are written. */
  readonly drain: () => Promise<void>
}

/** Writes the records of a response before it is sent, so that a caller always finds them again. */
export function openDurableResponses(
  store: Pick<RecordStore, 'save' | 'findClaim'>,
  {
    isDatabaseUnavailable,
    isWriteConflict,
    requireRoom,
  }: Readonly<Record<'isDatabaseUnavailable' | 'isWriteConflict', (error: unknown) => boolean>> & {
    /** Throws unless the organization may store further records of a kind. */
    readonly requireRoom?: (organizationId: string, kind: 'lookups' | 'appraisals', now: number) => Promise<void>
  },
): DurableResponses {
  const commits = groupCommit(store.save, { countRows, maxRows: MAX_GROUP_ROWS, isDatabaseUnavailable })
  const runOnce = runOncePerKey(store.findClaim)

  async function write<Data>(
    { data, writes, onWritten }: PendingResponse<Data>,
    caller: CallerContext,
    claim: RecordUnit['idempotency'],
  ) {
    const { organizationId, now } = caller
    // Nothing to store, unless the request may be repeated.
    if (claim === null && writes.tables.length === 0) return { data, existing: null }
    if (requireRoom) for (const kind of recordKinds(writes)) await requireRoom(organizationId, kind, now)
    const { existing } = await commits.write({ organizationId, writes, idempotency: claim, now })
    if (existing === null) onWritten?.()
    return { data, existing }
  }

  /** Another process may have changed the same meanwhile: the response is then prepared again from what is stored now. */
  async function createAndWrite<Data>(
    createResponse: () => Promise<PendingResponse<Data>>,
    caller: CallerContext,
    request: IdempotentRequest | null,
  ) {
    for (let attempt = 1; ; attempt++) {
      const response = await createResponse()
      const claim = request && { ...request, responseJson: JSON.stringify(response.data) }
      try {
        return await write(response, caller, claim)
      } catch (error) {
        if (!isWriteConflict(error)) throw error
        if (attempt === MAX_ATTEMPTS)
          throw unavailable('The same was changed by others at the same moment. Try again shortly.', 1, error)
      }
    }
  }

  return {
    async respond(path, body, caller, createResponse) {
      const { idempotencyKey: key, sentBody = body, organizationId, now } = caller
      if (key === null) {
        const { data } = await createAndWrite(createResponse, caller, null)
        return { data, isReplay: false }
      }
      const request = { key, bodyHash: hashBody(path, sentBody) }
      return runOnce(organizationId, request, now, () => createAndWrite(createResponse, caller, request))
    },
    drain: commits.drain,
  }
}

const recordKinds = ({ totals }: RecordWrites) =>
  new Set(
    totals.flatMap(({ total: { name } }) =>
      name === 'lookup_total' ? (['lookups'] as const) : name === 'appraisal_total' ? (['appraisals'] as const) : [],
    ),
  )

function countRows({ writes }: RecordUnit): number {
  return writes.tables.reduce((sum, { rows }) => sum + rows.length, 0)
}
