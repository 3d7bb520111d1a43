import type { LookupBatchItemWire, LookupRequestWire, LookupResultWire, RiskLevel } from '../contract/lookups.ts'
import { isInvalidIdentifier } from '../identifier/identifier.ts'
import { normalizeIdentifierText, parseIdentifier } from '../identifier/identifier-parser.ts'
import { DomainError } from '../lib/errors.ts'
import type { CallerContext, DurableResponses } from '../records/durable-response-service.ts'
import type { HistoryQuery } from '../records/history-store.ts'
import type { ReplayableResponse } from '../records/idempotency.ts'
import type { RecordWrites } from '../records/record-store.ts'
import type { AssessRisk } from './assessment-service.ts'
import { mergeAssessments } from './dual-sim.ts'
import { type LookupRequest, lookupIdentifiers, parseLookupRequest, parseLookupRequests } from './lookup-request.ts'
import type { LookupPage, LookupRecord, LookupStore } from './lookup-store.ts'
import { presentLookup, type RiskAssessment } from './present.ts'
import { compareFactors } from './risk-factors.ts'
import { makeFactor } from './risk-score.ts'
import { isSandboxIdentifier } from './sources/sandbox-identifiers.ts'
import { isContradicted, learnableTac, MAX_UNITS_PER_MODEL } from './tac-confirmation.ts'
import type { TacConfirmationStore } from './tac-confirmation-store.ts'

/** Items of a batch processed before yielding to the event loop. */
const ITEMS_PER_TURN = 64

export type LookupService = {
  /** Returns after the record of the lookup is durable. */
  readonly assess: (body: LookupRequestWire, caller: CallerContext) => Promise<ReplayableResponse<LookupResultWire>>
  readonly assessBatch: (
    body: { readonly items: readonly unknown[] },
    caller: CallerContext,
  ) => Promise<ReplayableResponse<LookupBatchItemWire[]>>
  readonly listHistory: (
    organizationId: string,
    page: HistoryQuery & { readonly identifier?: string | undefined },
  ) => Promise<LookupPage>
  /** One stored lookup of the organization. */
  readonly find: (organizationId: string, id: string) => Promise<LookupResultWire | null>
  /** How often each device is in the newest lookups. */
  readonly recentDevices: (organizationId: string, lookups: number) => Promise<Map<string, number>>
  /** All lookups, or those of one identifier, oldest first, in batches. */
  readonly export: (organizationId: string, identifier: string | undefined) => AsyncGenerator<LookupResultWire[]>
  /** A lookup the caller writes together with its own records; `prefix` names the item in error messages. */
  readonly prepare: (
    body: LookupRequestWire,
    caller: CallerContext,
    options?: {
      readonly prefix?: string
      /** The model that a person stated for the device in hand: its TAC is remembered. */
      readonly confirmedDeviceId?: string | null
    },
  ) => Promise<PreparedLookup>
}

export type PreparedLookup = {
  readonly result: LookupResultWire
  /** Normalized identifiers of the device: one, or both of a device with two SIM cards. */
  readonly identifierKeys: readonly string[]
  readonly writes: RecordWrites
  /** Call it once the record is on the disk. */
  readonly onWritten: () => void
}

export type LookupServiceOptions = {
  readonly assess: AssessRisk
  readonly store: Pick<LookupStore, 'writes' | 'history' | 'find' | 'export' | 'recentDevices'>
  readonly responses: Pick<DurableResponses, 'respond'>
  readonly nextId: (now: number) => string
  /** Called with the risk levels of new lookups; replayed responses do not count. */
  readonly onAssessed?: (caller: CallerContext, levels: readonly RiskLevel[]) => void
  readonly tacConfirmations?: Pick<TacConfirmationStore, 'rows' | 'remaining'>
  readonly onTacConfirmed?: (tac: string) => void
  /** The device that a device id or a title names, or null. */
  readonly findDeviceId?: (model: string) => Promise<string | null>
}

/** A request with the device of the model that it states; null if it states none or it is not recognised. */
type StatedLookup = LookupRequest & { readonly statedDeviceId: string | null }
type PreparedConfirmation = {
  readonly tac: string
  readonly deviceId: string
  readonly rows: RecordWrites['tables'][number]
}
type AssessedLookup = LookupRecord & { readonly assessment: RiskAssessment }

export function openLookupService({
  assess,
  store,
  responses,
  nextId,
  onAssessed,
  tacConfirmations,
  onTacConfirmed,
  findDeviceId,
}: LookupServiceOptions): LookupService {
  async function assessRequest(request: StatedLookup, caller: CallerContext, prefix = ''): Promise<AssessedLookup> {
    const { input, identifier, second, model, statedDeviceId } = request
    const [first, other] = await Promise.all(
      lookupIdentifiers(request).map((each) => assess(each, caller.now, caller.organizationId)),
    )
    const assessment = other
      ? mergeAssessments(first as RiskAssessment, other, `${prefix}second_identifier`)
      : (first as RiskAssessment)
    const id = nextId(caller.now)
    const factors =
      model !== undefined && statedDeviceId === null
        ? [...assessment.factors, makeFactor('stated_model_unknown')].sort(compareFactors)
        : assessment.factors
    const result = presentLookup(
      { ...assessment, factors },
      { id, input, secondInput: second?.input, now: caller.now, author: caller.principal },
    )
    return {
      id,
      organizationId: caller.organizationId,
      identifierKey: identifier.key,
      secondIdentifierKey: second?.identifier.key ?? null,
      createdAt: caller.now,
      result,
      assessment,
    }
  }

  /** The TAC and the row that stores its model; null if nothing can be learned. */
  function prepareConfirmation(
    { assessment }: AssessedLookup,
    deviceId: string,
    caller: CallerContext,
    prepared: readonly PreparedConfirmation[],
  ): PreparedConfirmation | null {
    const { identifier, confirmations } = assessment
    const tac = learnableTac(identifier)
    if (!tacConfirmations || tac === null || isSandboxIdentifier(identifier)) return null
    if (isContradicted(assessment.match, deviceId)) return null
    const { organizationId, now } = caller
    const confirmation = confirmations.find((row) => row.organizationId === organizationId && row.deviceId === deviceId)
    const preparedUnits = prepared.filter((other) => other.tac === tac && other.deviceId === deviceId).length
    if ((confirmation?.units ?? 0) + preparedUnits >= MAX_UNITS_PER_MODEL) return null
    const rows = tacConfirmations.rows({ tac, deviceId, identifierKey: identifier.key }, organizationId, now)
    return { tac, deviceId, rows }
  }

  const withStatedDevice = async (request: LookupRequest): Promise<StatedLookup> => {
    const { model } = request
    return { ...request, statedDeviceId: model && findDeviceId ? await findDeviceId(model) : null }
  }

  /** Writes of the lookups and of the TACs learned from the devices that were stated for them. */
  async function prepareWrites(
    caller: CallerContext,
    records: readonly AssessedLookup[],
    statedDevices: ReadonlyMap<AssessedLookup, string | null> = new Map(),
  ) {
    const levels = records.map(({ result }) => result.risk_level)
    const writes = store.writes(caller.organizationId, records)
    const confirmations: PreparedConfirmation[] = []
    for (const [record, deviceId] of statedDevices) {
      const confirmation = deviceId === null ? null : prepareConfirmation(record, deviceId, caller, confirmations)
      if (confirmation) confirmations.push(confirmation)
    }
    if (tacConfirmations && confirmations.length > 0)
      confirmations.splice(await tacConfirmations.remaining(caller.organizationId))
    return {
      writes: { ...writes, tables: [...writes.tables, ...confirmations.map(({ rows }) => rows)] },
      onWritten() {
        onAssessed?.(caller, levels)
        for (const { tac } of confirmations) onTacConfirmed?.(tac)
      },
    }
  }

  return {
    async assess(body, caller) {
      const request = parseLookupRequest(body)
      return responses.respond('/api/imei', body, caller, async () => {
        const stated = await withStatedDevice(request)
        const lookup = await assessRequest(stated, caller)
        const statedDevices = new Map([[lookup, stated.statedDeviceId]])
        return { data: lookup.result, ...(await prepareWrites(caller, [lookup], statedDevices)) }
      })
    },

    async assessBatch(body, caller) {
      const parsed = parseLookupRequests(body.items)
      return responses.respond('/api/imei/batch', body, caller, async () => {
        const requests: (StatedLookup | DomainError)[] = []
        for (const request of parsed)
          requests.push(request instanceof DomainError ? request : await withStatedDevice(request))
        const records = await assessItems(requests, (request) => assessRequest(request, caller))
        const statedDevices = new Map<AssessedLookup, string | null>()
        for (const request of requests) {
          if (request instanceof DomainError || request.statedDeviceId === null) continue
          const record = records.get(deduplicationKey(request))
          if (!record) continue
          const deviceId = request.statedDeviceId
          // An identifier with two models teaches nothing.
          const other = statedDevices.get(record)
          statedDevices.set(record, other === undefined || other === deviceId ? deviceId : null)
        }
        const writes = await prepareWrites(caller, [...new Set(records.values())], statedDevices)
        return { data: presentItems(requests, records), ...writes }
      })
    },

    async prepare(body, caller, { prefix, confirmedDeviceId = null } = {}) {
      const request = parseLookupRequest(body, prefix)
      const lookup = await assessRequest({ ...request, model: undefined, statedDeviceId: null }, caller, prefix)
      return {
        result: lookup.result,
        identifierKeys: lookupIdentifiers(request).map(({ key }) => key),
        ...(await prepareWrites(caller, [lookup], new Map([[lookup, confirmedDeviceId]]))),
      }
    },

    listHistory: (organizationId, { identifier, ...page }) =>
      store.history(organizationId, page, identifier === undefined ? undefined : historyKey(identifier)),

    find: store.find,

    recentDevices: store.recentDevices,

    export: (organizationId, identifier) =>
      store.export(organizationId, identifier === undefined ? {} : { identifierKey: historyKey(identifier) }),
  }
}

/** Normalizes the identifier. Invalid ones were never looked up, so nothing is found. */
function historyKey(identifier: string): string {
  const parsed = parseIdentifier(identifier)
  return isInvalidIdentifier(parsed)
    ? normalizeIdentifierText(identifier.slice(0, 64)).replaceAll('\0', '')
    : parsed.key
}

/** An identifier that occurs twice in a batch is looked up once, unless only one of its stated models is recognised. */
function deduplicationKey({ input, identifier, second, model, statedDeviceId }: StatedLookup): string {
  return `${identifier.type} ${model !== undefined && statedDeviceId === null} ${second?.input ?? ''} ${input}`
}

/** Processes the items in groups, so that a thousand of them do not hold the event loop. */
async function assessItems(
  requests: readonly (StatedLookup | DomainError)[],
  assessItem: (request: StatedLookup) => Promise<AssessedLookup>,
): Promise<Map<string, AssessedLookup>> {
  const pendingByKey = new Map<string, Promise<AssessedLookup>>()
  for (const request of requests) {
    if (request instanceof DomainError || pendingByKey.has(deduplicationKey(request))) continue
    pendingByKey.set(deduplicationKey(request), assessItem(request))
    if (pendingByKey.size % ITEMS_PER_TURN === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  const entries = await Promise.all([...pendingByKey].map(async ([key, pending]) => [key, await pending] as const))
  return new Map(entries)
}

function presentItems(
  requests: readonly (StatedLookup | DomainError)[],
  records: ReadonlyMap<string, LookupRecord>,
): LookupBatchItemWire[] {
  return requests.map((request, index) => {
    if (request instanceof DomainError) {
      // Only invalid input rejects a single item; any other error fails the whole batch.
      const { message, details } = request
      return { index, success: false, error: { code: 'VALIDATION_ERROR', message, details: [...details] } }
    }
    const { result } = records.get(deduplicationKey(request)) as LookupRecord
    return { index, success: true, result }
  })
}
