import type { LookupBatchItemWire, LookupRequestWire, LookupResultWire, RiskLevel } from '../contract/lookups.ts'
import { DomainError } from '../lib/errors.ts'
import type { CallerContext, DurableResponses } from '../records/durable-response-service.ts'
import type { HistoryPage, HistoryQuery } from '../records/history-store.ts'
import type { ReplayableResponse } from '../records/idempotency.ts'
import type { RecordWrites } from '../records/record-store.ts'
import type { AssessRisk } from './assessment-service.ts'
import { isInvalidIdentifier } from './identifier/identifier.ts'
import { normalizeIdentifierText, parseIdentifier } from './identifier/identifier-parser.ts'
import { type LookupRequest, parseLookupRequest, parseLookupRequests } from './lookup-request.ts'
import type { LookupRecord, LookupStore } from './lookup-store.ts'
import { presentLookup, type RiskAssessment } from './present.ts'
import { isSandboxIdentifier } from './sources/sandbox-identifiers.ts'
import { learnableTac, MAX_UNITS_PER_MODEL } from './tac-confirmation.ts'
import type { TacConfirmationStore } from './tac-confirmation-store.ts'

/** Items of a batch processed before yielding to the event loop. */
const ITEMS_PER_TURN = 64

export type LookupService = {
  /** The JSON of the response, after its record is durable. */
  readonly assess: (body: LookupRequestWire, asking: CallerContext) => Promise<ReplayableResponse>
  readonly assessBatch: (
    body: { readonly items: readonly unknown[] },
    asking: CallerContext,
  ) => Promise<ReplayableResponse>
  readonly listHistory: (
    organizationId: string,
    page: HistoryQuery & { readonly identifier?: string | undefined },
  ) => Promise<HistoryPage>
  /** One stored lookup of the organization, as JSON. */
  readonly find: (organizationId: string, id: string) => Promise<string | null>
  /** All lookups, or those of one identifier, oldest first, in batches. */
  readonly export: (organizationId: string, identifier: string | undefined) => AsyncGenerator<string[]>
  /** A lookup the caller writes together with its own records; `prefix` names the item in error messages. */
  readonly prepare: (
    body: LookupRequestWire,
    asking: CallerContext,
    options?: {
      readonly prefix?: string
      /** The model that a person stated for the device in hand: its TAC is remembered. */
      readonly confirmedDeviceId?: string | null
    },
  ) => Promise<PreparedLookup>
}

export type PreparedLookup = {
  readonly result: LookupResultWire
  readonly writes: RecordWrites
  /** Call it once the record is on the disk. */
  readonly onWritten: () => void
}

export type LookupServiceOptions = {
  readonly assess: AssessRisk
  readonly store: Pick<LookupStore, 'writes' | 'history' | 'find' | 'export'>
  readonly responses: Pick<DurableResponses, 'respond'>
  readonly nextId: (now: number) => string
  /** Called with the risk levels of new lookups; replayed responses do not count. */
  readonly onAssessed?: (asking: CallerContext, levels: readonly RiskLevel[]) => void
  readonly tacConfirmations?: Pick<TacConfirmationStore, 'rows' | 'hasRoom'>
  readonly onTacConfirmed?: (tac: string) => void
}

type AssessedLookup = LookupRecord & { readonly result: LookupResultWire; readonly assessment: RiskAssessment }
/** Another model with this confidence contradicts the stated one: nothing is learned. */
const MIN_CONTRADICTING_CONFIDENCE = 80

export function openLookupService({
  assess,
  store,
  responses: answers,
  nextId,
  onAssessed,
  tacConfirmations,
  onTacConfirmed,
}: LookupServiceOptions): LookupService {
  async function recordOf({ input: sent, identifier }: LookupRequest, asking: CallerContext): Promise<AssessedLookup> {
    const assessment = await assess(identifier, asking.now, asking.organizationId)
    const id = nextId(asking.now)
    const result = presentLookup(assessment, { id, sent, now: asking.now })
    return {
      id,
      organizationId: asking.organizationId,
      identifierKey: identifier.key,
      createdAt: asking.now,
      json: JSON.stringify(result),
      result,
      assessment,
    }
  }

  /** The TAC and the row that remembers its model; null where nothing can or need be learned. */
  async function confirmation({ assessment, result }: AssessedLookup, deviceId: string, asking: CallerContext) {
    const { identifier, confirmations } = assessment
    const tac = learnableTac(identifier)
    if (!tacConfirmations || tac === null || isSandboxIdentifier(identifier)) return null
    const { matched_device_id: matchedId, confidence } = result.device_match
    if (matchedId !== null && matchedId !== deviceId && confidence >= MIN_CONTRADICTING_CONFIDENCE) return null
    const { organizationId, now } = asking
    const own = confirmations.find((row) => row.organizationId === organizationId && row.deviceId === deviceId)
    if (own ? own.units >= MAX_UNITS_PER_MODEL : !(await tacConfirmations.hasRoom(organizationId))) return null
    const row = { organizationId, tac, deviceId, identifierKey: identifier.key, now }
    return { tac, rows: tacConfirmations.rows(row) }
  }

  function keeping(asking: CallerContext, records: readonly AssessedLookup[]) {
    const levels = records.map(({ result }) => result.risk_level)
    return {
      writes: store.writes(asking.organizationId, records),
      onWritten: () => onAssessed?.(asking, levels),
    }
  }

  return {
    async assess(body, asking) {
      const request = parseLookupRequest(body)
      return answers.respond('/api/imei', body, asking, async () => {
        const made = await recordOf(request, asking)
        return { json: made.json, ...keeping(asking, [made]) }
      })
    },

    async assessBatch(body, asking) {
      const requests = parseLookupRequests(body.items)
      return answers.respond('/api/imei/batch', body, asking, async () => {
        const records = await assessItems(requests, (request) => recordOf(request, asking))
        const answer = batchResponse(requests, records)
        return { json: answer, ...keeping(asking, [...new Set(records.values())]) }
      })
    },

    async prepare(body, asking, { prefix, confirmedDeviceId = null } = {}) {
      const made = await recordOf(parseLookupRequest(body, prefix), asking)
      const { writes, onWritten } = keeping(asking, [made])
      const learned = confirmedDeviceId === null ? null : await confirmation(made, confirmedDeviceId, asking)
      return {
        result: made.result,
        writes: learned ? { ...writes, tables: [...writes.tables, learned.rows] } : writes,
        onWritten() {
          onWritten()
          if (learned) onTacConfirmed?.(learned.tac)
        },
      }
    },

    listHistory: (organizationId, { identifier, ...page }) =>
      store.history(organizationId, page, identifier === undefined ? undefined : historyKey(identifier)),

    find: store.find,

    export: (organizationId, identifier) =>
      store.export(organizationId, identifier === undefined ? {} : { identifierKey: historyKey(identifier) }),
  }
}

/** Normalizes the identifier. Invalid ones were never looked up, so nothing is found. */
function historyKey(identifier: string): string {
  const read = parseIdentifier(identifier)
  return isInvalidIdentifier(read) ? normalizeIdentifierText(identifier.slice(0, 64)).replaceAll('\0', '') : read.key
}

/** An identifier that occurs twice in a batch is looked up once. */
function deduplicationKey({ input: sent, identifier }: LookupRequest): string {
  return `${identifier.type} ${sent}`
}

/** Processes the items in groups, so that a thousand of them do not hold the event loop. */
async function assessItems(
  requests: readonly (LookupRequest | DomainError)[],
  assessItem: (request: LookupRequest) => Promise<AssessedLookup>,
): Promise<Map<string, AssessedLookup>> {
  const making = new Map<string, Promise<AssessedLookup>>()
  for (const request of requests) {
    if (request instanceof DomainError || making.has(deduplicationKey(request))) continue
    making.set(deduplicationKey(request), assessItem(request))
    if (making.size % ITEMS_PER_TURN === 0) await new Promise((turn) => setImmediate(turn))
  }
  const made = await Promise.all([...making].map(async ([same, each]) => [same, await each] as const))
  return new Map(made)
}

/** Built from the JSON of the records, so that response and record cannot differ. */
function batchResponse(
  requests: readonly (LookupRequest | DomainError)[],
  records: ReadonlyMap<string, LookupRecord>,
): string {
  const items = requests.map((request, index) => {
    if (request instanceof DomainError) {
      // Only invalid input rejects a single item; any other error fails the whole batch.
      const { message, details } = request
      const error = { code: 'VALIDATION_ERROR' as const, message, details: [...details] }
      const refused: LookupBatchItemWire = { index, success: false, error }
      return JSON.stringify(refused)
    }
    return `{"index":${index},"success":true,"result":${records.get(deduplicationKey(request))?.json}}`
  })
  return `[${items.join(',')}]`
}
