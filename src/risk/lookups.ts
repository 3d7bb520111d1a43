import type { BatchItemWire, LookupRequestWire, RiskLevel } from '../contract/imei.ts'
import { type GroupCommit, groupCommit } from '../durable/group-commit.ts'
import { bodyHash, onceForEachKey, type Replayable } from '../durable/idempotency.ts'
import { DomainError } from '../errors.ts'
import type { Assess } from './assess.ts'
import { isUnreadable } from './identifier/identifier.ts'
import { compact, readIdentifier } from './identifier/read.ts'
import type { Claim, LookupRecord, LookupStore, LookupUnit, Saved } from './lookup-store.ts'
import { presentLookup } from './present.ts'
import { type LookupRequest, readLookupRequest, readLookupRequests } from './request.ts'

/** A group of so many rows is written in well under ten milliseconds. */
const MOST_ROWS = 256
/** Items of a batch that are worked on before other requests get their turn. */
const AT_A_TIME = 64

/** Who asks, and the key under which the same question has one answer. */
export type Asking = {
  readonly organizationId: string
  readonly keyId: string
  readonly idempotencyKey: string | null
  readonly now: number
}

export type Lookups = {
  /** The answer's JSON, after its record is durable. */
  readonly one: (body: LookupRequestWire, asking: Asking) => Promise<Replayable>
  readonly batch: (body: { readonly items: readonly unknown[] }, asking: Asking) => Promise<Replayable>
  readonly history: (
    organizationId: string,
    page: { readonly page: number; readonly limit: number; readonly identifier: string | undefined },
  ) => Promise<{ readonly answers: readonly string[]; readonly total: number }>
  /** One answer of the organization, as the JSON it was. */
  readonly find: (organizationId: string, id: string) => Promise<string | null>
  /** All of its answers, or those about one identifier, oldest first and a few hundred at a time. */
  readonly export: (organizationId: string, identifier: string | undefined) => AsyncGenerator<string[]>
  /** Resolves when every lookup under way is written. */
  readonly drained: () => Promise<void>
}

export type LookupParts = {
  readonly assess: Assess
  readonly store: Pick<LookupStore, 'save' | 'findClaim' | 'history' | 'find' | 'export'>
  readonly nextId: (now: number) => string
  readonly isStoreAway: (error: unknown) => boolean
  /** Told what the lookups of an answer came to. A repeated answer of an earlier lookup is not a lookup. */
  readonly onAssessed?: (asking: Asking, levels: readonly RiskLevel[]) => void
}

type MadeLookup = LookupRecord & { readonly riskLevel: RiskLevel }

export function openLookups({ assess, store, nextId, isStoreAway, onAssessed }: LookupParts): Lookups {
  const commits: GroupCommit<LookupUnit, Saved> = groupCommit(store.save, {
    rowsOf: ({ records }) => records.length,
    mostRows: MOST_ROWS,
    isStoreAway,
  })
  const once = onceForEachKey(store.findClaim)

  async function record(
    asking: Asking,
    claim: { key: string; bodyHash: string } | null,
    records: readonly MadeLookup[],
    answer: string,
  ): Promise<{ answer: string; claimed: Claim | null }> {
    if (records.length === 0 && claim === null) return { answer, claimed: null }
    const { claimed } = await commits.write({
      organizationId: asking.organizationId,
      records,
      claim: claim && { ...claim, answer },
      now: asking.now,
    })
    if (claimed === null) {
      onAssessed?.(
        asking,
        records.map(({ riskLevel }) => riskLevel),
      )
    }
    return { answer, claimed }
  }

  /** With a key the same question has one answer; without one every question has its own. */
  function answerOnce(
    path: string,
    body: unknown,
    asking: Asking,
    make: (claim: { key: string; bodyHash: string } | null) => Promise<{ answer: string; claimed: Claim | null }>,
  ): Promise<Replayable> {
    const { idempotencyKey: key, organizationId, now } = asking
    if (key === null) return make(null).then(({ answer }) => ({ answer, replayed: false }))
    const claim = { key, bodyHash: bodyHash(path, body) }
    return once(organizationId, claim, now, () => make(claim))
  }

  async function recordOf({ sent, identifier }: LookupRequest, asking: Asking): Promise<MadeLookup> {
    const assessment = await assess(identifier, asking.now)
    const id = nextId(asking.now)
    const answer = presentLookup(assessment, { id, sent, now: asking.now })
    return {
      id,
      organizationId: asking.organizationId,
      identifierKey: identifier.key,
      createdAt: asking.now,
      answer: JSON.stringify(answer),
      riskLevel: answer.risk_level,
    }
  }

  return {
    one(body, asking) {
      const request = readLookupRequest(body)
      return answerOnce('/api/imei', body, asking, async (claim) => {
        const made = await recordOf(request, asking)
        return record(asking, claim, [made], made.answer)
      })
    },

    batch(body, asking) {
      const requests = readLookupRequests(body.items)
      return answerOnce('/api/imei/batch', body, asking, async (claim) => {
        const records = await recordsOf(requests, (request) => recordOf(request, asking))
        const answer = batchAnswer(requests, records)
        return record(asking, claim, [...new Set(records.values())], answer)
      })
    },

    history(organizationId, { page, limit, identifier }) {
      const offset = Math.min((page - 1) * limit, Number.MAX_SAFE_INTEGER)
      return store.history(organizationId, {
        offset,
        limit,
        identifierKey: identifier === undefined ? null : searchKey(identifier),
      })
    },

    find: store.find,

    export: (organizationId, identifier) =>
      store.export(organizationId, identifier === undefined ? {} : { identifierKey: searchKey(identifier) }),

    drained: commits.drained,
  }
}

/** However it is written. What cannot be an identifier was never looked up, and is found nowhere. */
function searchKey(identifier: string): string {
  const read = readIdentifier(identifier)
  return isUnreadable(read) ? compact(identifier.slice(0, 64)).replaceAll('\0', '') : read.key
}

/** What was sent twice in one batch is one lookup. */
function sameAs({ sent, identifier }: LookupRequest): string {
  return `${identifier.type} ${sent}`
}

/** The items are begun a few at a time, so that a thousand of them do not hold up everybody else. */
async function recordsOf(
  requests: readonly (LookupRequest | DomainError)[],
  recordOf: (request: LookupRequest) => Promise<MadeLookup>,
): Promise<Map<string, MadeLookup>> {
  const making = new Map<string, Promise<MadeLookup>>()
  for (const request of requests) {
    if (request instanceof DomainError || making.has(sameAs(request))) continue
    making.set(sameAs(request), recordOf(request))
    if (making.size % AT_A_TIME === 0) await new Promise((turn) => setImmediate(turn))
  }
  const made = await Promise.all([...making].map(async ([same, each]) => [same, await each] as const))
  return new Map(made)
}

/** Put together from the records' own text, so that answer and record cannot differ. */
function batchAnswer(
  requests: readonly (LookupRequest | DomainError)[],
  records: ReadonlyMap<string, LookupRecord>,
): string {
  const items = requests.map((request, index) => {
    if (request instanceof DomainError) {
      // An item is refused for what was sent and for nothing else; what else goes wrong fails the whole batch.
      const { message, details } = request
      const error = { code: 'VALIDATION_ERROR' as const, message, details: [...details] }
      const refused: BatchItemWire = { index, success: false, error }
      return JSON.stringify(refused)
    }
    return `{"index":${index},"success":true,"result":${records.get(sameAs(request))?.answer}}`
  })
  return `[${items.join(',')}]`
}
