import type { BatchItemWire, LookupRequestWire, LookupResultWire, RiskLevel } from '../contract/imei.ts'
import type { Asking, DurableAnswers } from '../durable/durable-answers.ts'
import type { Replayable } from '../durable/idempotency.ts'
import type { Writes } from '../durable/record-store.ts'
import { DomainError } from '../errors.ts'
import type { Assess } from './assess.ts'
import { isUnreadable } from './identifier/identifier.ts'
import { compact, readIdentifier } from './identifier/read.ts'
import type { LookupRecord, LookupStore } from './lookup-store.ts'
import { presentLookup } from './present.ts'
import { type LookupRequest, readLookupRequest, readLookupRequests } from './request.ts'

/** Items of a batch that are worked on before other requests get their turn. */
const AT_A_TIME = 64

export type Lookups = {
  /** The answer's JSON, after its record is durable. */
  readonly one: (body: LookupRequestWire, asking: Asking) => Promise<Replayable>
  readonly batch: (body: { readonly items: readonly unknown[] }, asking: Asking) => Promise<Replayable>
  readonly history: (
    organizationId: string,
    page: {
      readonly page: number
      readonly limit: number
      readonly identifier: string | undefined
      readonly now: number
    },
  ) => Promise<{ readonly answers: readonly string[]; readonly total: number }>
  /** One answer of the organization, as the JSON it was. */
  readonly find: (organizationId: string, id: string) => Promise<string | null>
  /** All of its answers, or those about one identifier, oldest first and a few hundred at a time. */
  readonly export: (organizationId: string, identifier: string | undefined) => AsyncGenerator<string[]>
  /** A lookup that whoever asks for it writes, together with what rests on it; `prefix` names it in a refusal. */
  readonly prepare: (body: LookupRequestWire, asking: Asking, prefix?: string) => Promise<PreparedLookup>
}

export type PreparedLookup = {
  readonly result: LookupResultWire
  readonly writes: Writes
  /** To be called once it is on the disk. */
  readonly written: () => void
}

export type LookupParts = {
  readonly assess: Assess
  readonly store: Pick<LookupStore, 'writes' | 'history' | 'find' | 'export'>
  readonly answers: Pick<DurableAnswers, 'give'>
  readonly nextId: (now: number) => string
  /** Told what the lookups of an answer came to. A repeated answer of an earlier lookup is not a lookup. */
  readonly onAssessed?: (asking: Asking, levels: readonly RiskLevel[]) => void
}

type MadeLookup = LookupRecord & { readonly result: LookupResultWire }

export function openLookups({ assess, store, answers, nextId, onAssessed }: LookupParts): Lookups {
  async function recordOf({ sent, identifier }: LookupRequest, asking: Asking): Promise<MadeLookup> {
    const assessment = await assess(identifier, asking.now)
    const id = nextId(asking.now)
    const result = presentLookup(assessment, { id, sent, now: asking.now })
    return {
      id,
      organizationId: asking.organizationId,
      identifierKey: identifier.key,
      createdAt: asking.now,
      answer: JSON.stringify(result),
      result,
    }
  }

  function keeping(asking: Asking, records: readonly MadeLookup[]) {
    const levels = records.map(({ result }) => result.risk_level)
    return {
      writes: store.writes(asking.organizationId, records),
      written: () => onAssessed?.(asking, levels),
    }
  }

  return {
    async one(body, asking) {
      const request = readLookupRequest(body)
      return answers.give('/api/imei', body, asking, async () => {
        const made = await recordOf(request, asking)
        return { answer: made.answer, ...keeping(asking, [made]) }
      })
    },

    async batch(body, asking) {
      const requests = readLookupRequests(body.items)
      return answers.give('/api/imei/batch', body, asking, async () => {
        const records = await recordsOf(requests, (request) => recordOf(request, asking))
        const answer = batchAnswer(requests, records)
        return { answer, ...keeping(asking, [...new Set(records.values())]) }
      })
    },

    async prepare(body, asking, prefix) {
      const made = await recordOf(readLookupRequest(body, prefix), asking)
      return { result: made.result, ...keeping(asking, [made]) }
    },

    history(organizationId, { page, limit, identifier, now }) {
      const offset = Math.min((page - 1) * limit, Number.MAX_SAFE_INTEGER)
      return store.history(organizationId, {
        offset,
        limit,
        identifierKey: identifier === undefined ? null : searchKey(identifier),
        now,
      })
    },

    find: store.find,

    export: (organizationId, identifier) =>
      store.export(organizationId, identifier === undefined ? {} : { identifierKey: searchKey(identifier) }),
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
