import type { AppraisalItemWire, AppraisalPreviewWire, StoredAppraisalWire } from '../contract/appraisal.ts'
import { type AppraisalRequestWire, appraisalRequestSchema } from '../contract/appraisal-request.ts'
import type { ErrorCode } from '../contract/errors.ts'
import type { LookupResultWire } from '../contract/lookups.ts'
import type { CarrierLock } from '../contract/pricing.ts'
import { convertBetween, type Exchange } from '../currency/exchange.ts'
import type { ExchangeRateService } from '../currency/exchange-rate-service.ts'
import { formatAmount } from '../currency/format-amount.ts'
import type { NewEvent } from '../events/event.ts'
import { type DomainCode, DomainError } from '../lib/errors.ts'
import { parseOrThrow } from '../lib/validate.ts'
import { parseMarket } from '../pricing/country-market.ts'
import type { PriceScope } from '../pricing/quotes/quote-service.ts'
import type { CallerContext, DurableResponses } from '../records/durable-response-service.ts'
import type { HistoryPage, HistoryQuery } from '../records/history-store.ts'
import type { ReplayableResponse } from '../records/idempotency.ts'
import type { RecordWrites } from '../records/record-store.ts'
import type { LookupService, PreparedLookup } from '../risk/lookup-service.ts'
import type { AppraisalFilter, AppraisalRecord, AppraisalStore } from './appraisal-store.ts'
import { type AppraisalFacts, appraise } from './appraise.ts'
import { checkDefects } from './defect.ts'
import { type DeviceIdentity, type DeviceLookup, identify, type TextMatch } from './identity.ts'
import { withOutcome } from './outcome.ts'
import { type BuyingPolicy, convertPolicy, withOverrides } from './policy.ts'
import type { PolicyService } from './policy-service.ts'
import { presentAppraisal, presentEstimate } from './present.ts'
import type { ValueVariants } from './valuation.ts'

/** Items of a batch started before yielding to other requests. */
const ITEMS_PER_TURN = 8

export type MatchText = (text: string, attributes: Readonly<Record<string, string>>) => TextMatch | Promise<TextMatch>

export type AppraisalService = {
  /** Returns the response JSON after its record is durable. */
  readonly appraise: (body: AppraisalRequestWire, asking: CallerContext) => Promise<ReplayableResponse>
  /** One result or error per item; all records become durable together. */
  readonly appraiseBatch: (
    body: { readonly items: readonly unknown[] },
    asking: CallerContext,
  ) => Promise<ReplayableResponse>
  /** Calculates an appraisal without recording it, using an existing lookup instead of querying the sources. */
  readonly preview: (
    request: AppraisalRequestWire,
    asking: Pick<CallerContext, 'organizationId' | 'now'>,
    lookup: LookupResultWire | null,
  ) => Promise<AppraisalPreviewWire>
  readonly history: (organizationId: string, page: AppraisalFilter & HistoryQuery) => Promise<HistoryPage>
  /** Stored response JSON of one appraisal of the organization. */
  readonly find: (organizationId: string, id: string) => Promise<string | null>
}

export type AppraisalServiceOptions = {
  readonly registry: () => DeviceLookup
  readonly matchText: MatchText
  readonly lookups: Pick<LookupService, 'prepare'>
  readonly valuation: ValueVariants
  /** Whose prices an organization gets, by default or in the market that it names. */
  readonly scopeOf: (organizationId: string, market?: string) => PriceScope
  readonly policies: Pick<PolicyService, 'policyOf'>
  readonly rates: Pick<ExchangeRateService, 'exchangeFor'>
  readonly store: Pick<AppraisalStore, 'writes' | 'history' | 'find'>
  readonly records: Pick<DurableResponses, 'respond'>
  readonly nextId: (now: number) => string
}

type AppliedPolicy = { readonly policy: BuyingPolicy; readonly exchange: Exchange; readonly scope: PriceScope }
type PreparedAppraisal = AppraisalRecord & { readonly lookup: PreparedLookup | null }

export function openAppraisalService(parts: AppraisalServiceOptions): AppraisalService {
  const { rates, store, records: answers } = parts

  /** `prefix` names the item of a batch in error messages. */
  async function make(request: AppraisalRequestWire, asking: CallerContext, prefix = ''): Promise<PreparedAppraisal> {
    const terms = termsOf(request, asking.organizationId, prefix)
    const text = request.text === undefined ? null : await parts.matchText(request.text, request.attributes ?? {})
    // Reject unknown ids and impossible defects before querying any source about the identifier.
    const named = identify(request, parts.registry(), text, null)
    checkDefects(request, named, prefix)
    const lookup =
      request.identifier === undefined
        ? null
        : await lookUp(request, request.identifier, asking, named.device?.id ?? null, prefix)
    const identity = lookup ? identify(request, parts.registry(), text, lookup.result) : named
    checkDefects(request, identity, prefix)
    return { ...(await record(request, identity, terms, lookup, asking)), lookup }
  }

  function termsOf(request: AppraisalRequestWire, organizationId: string, prefix = ''): AppliedPolicy {
    const own = parts.policies.policyOf(organizationId)
    const exchange = rates.exchangeFor(request.currency ?? own.currency, `${prefix}currency`)
    const market = request.market === undefined ? undefined : parseMarket(request.market, `${prefix}market`).code
    return { policy: policyFor(own, request, exchange), exchange, scope: parts.scopeOf(organizationId, market) }
  }

  const lookUp = (
    request: AppraisalRequestWire,
    identifier: string,
    asking: CallerContext,
    confirmedDeviceId: string | null,
    prefix: string,
  ) =>
    parts.lookups.prepare({ identifier, identifier_type: request.identifier_type }, asking, {
      prefix,
      confirmedDeviceId,
    })

  function policyFor(own: BuyingPolicy, { policy }: AppraisalRequestWire, exchange: Exchange): BuyingPolicy {
    const wanted = policy ? withOverrides(own, policy) : own
    if (wanted.currency === exchange.currency) return wanted
    const from = rates.exchangeFor(wanted.currency)
    return convertPolicy(wanted, exchange.currency, (amount) => convertBetween(amount, from, exchange))
  }

  async function factsOf(
    request: AppraisalRequestWire,
    identity: DeviceIdentity,
    { policy, exchange, scope }: AppliedPolicy,
    lookup: LookupResultWire | null,
  ): Promise<AppraisalFacts> {
    const lock = carrierLockOf(request, lookup)
    const valued = parts.valuation(identity.device, identity.variants, exchange, policy.labourPerHour, scope, lock)
    return {
      ...(valued instanceof Promise ? await valued : valued),
      identity,
      lookup,
      policy,
      lock,
      condition: request.condition,
      defects: request.defects ?? [],
    }
  }

  async function preview(
    request: AppraisalRequestWire,
    { organizationId, now }: Pick<CallerContext, 'organizationId' | 'now'>,
    lookup: LookupResultWire | null,
  ): Promise<AppraisalPreviewWire> {
    const terms = termsOf(request, organizationId)
    const text = request.text === undefined ? null : await parts.matchText(request.text, request.attributes ?? {})
    const identity = identify(request, parts.registry(), text, lookup)
    checkDefects(request, identity)
    const facts = await factsOf(request, identity, terms, lookup)
    const about = { id: '', now, exchange: terms.exchange, ...dealOf(request) }
    const result = appraise(facts)
    const { appraisal_id: _, ...appraisal } = presentAppraisal(facts, result, about)
    // Also the offers for all other grades.
    const ungraded = { ...facts, condition: undefined }
    const { value, offer } = presentAppraisal(ungraded, appraise(ungraded), about)
    const grades = value.map((worth, at) => ({
      ...worth,
      max_offer: offer.by_condition[at]?.max_offer ?? null,
      recommended_offer: offer.by_condition[at]?.recommended_offer ?? null,
    }))
    return { ...appraisal, grades, trade_in: presentEstimate(result.selected?.tradeIn ?? null) }
  }

  async function record(
    request: AppraisalRequestWire,
    identity: DeviceIdentity,
    terms: AppliedPolicy,
    lookup: PreparedLookup | null,
    asking: CallerContext,
  ): Promise<AppraisalRecord> {
    const facts = await factsOf(request, identity, terms, lookup?.result ?? null)
    const { exchange } = terms
    const id = parts.nextId(asking.now)
    const deal = dealOf(request)
    const answer = presentAppraisal(facts, appraise(facts), { id, now: asking.now, exchange, ...deal })
    if (asking.isClerk) requireWithinLimit(answer, terms.policy.clerkOfferLimit)
    return {
      id,
      reference: deal.reference,
      decision: answer.offer.decision,
      deviceId: identity.device?.id ?? null,
      createdAt: asking.now,
      responseJson: JSON.stringify(answer),
    }
  }

  /** The appraisals and the lookups they rest on become durable in one commit. */
  function keeping(asking: CallerContext, made: readonly PreparedAppraisal[]) {
    const lookups = made.flatMap(({ lookup }) => lookup ?? [])
    const all: RecordWrites[] = [store.writes(asking.organizationId, made), ...lookups.map(({ writes }) => writes)]
    return {
      writes: {
        tables: all.flatMap(({ tables }) => tables),
        totals: all.flatMap(({ totals }) => totals),
        events: made.map((each) => appraisalEvent(asking.organizationId, each)),
      },
      onWritten() {
        for (const { onWritten } of lookups) onWritten()
      },
    }
  }

  /** Starts a few items at a time so that a large batch does not block other requests. */
  async function makeAll(
    items: readonly unknown[],
    asking: CallerContext,
  ): Promise<(PreparedAppraisal | DomainError)[]> {
    const making: Promise<PreparedAppraisal | DomainError>[] = []
    for (const [index, item] of items.entries()) {
      const whole = `items[${index}]`
      const one = catchItemError(async () =>
        make(parseOrThrow(appraisalRequestSchema, item, { root: whole, prefix: `${whole}.` }), asking, `${whole}.`),
      )
      // Errors surface in Promise.all below; this prevents an unhandled rejection until then.
      one.catch(() => {})
      making.push(one)
      if (making.length % ITEMS_PER_TURN === 0) await new Promise((turn) => setImmediate(turn))
    }
    return Promise.all(making)
  }

  return {
    appraise: (body, asking) =>
      answers.respond('/api/appraisals', body, asking, async () => {
        const made = await make(body, asking)
        return { json: withOutcome(made.responseJson, null), ...keeping(asking, [made]) }
      }),

    appraiseBatch: (body, asking) =>
      answers.respond('/api/appraisals/batch', body, asking, async () => {
        const made = await makeAll(body.items, asking)
        const answer = `[${made.map(itemJson).join(',')}]`
        return {
          json: answer,
          ...keeping(
            asking,
            made.flatMap((each) => (each instanceof DomainError ? [] : each)),
          ),
        }
      }),

    preview,

    history: store.history,

    find: store.find,
  }
}

/** Throws if a clerk would offer more than the policy allows. */
function requireWithinLimit(
  { agreed_offer: agreed, declined, offer, currency }: StoredAppraisalWire,
  limit: number | null,
): void {
  const amount = declined ? 0 : (agreed ?? offer.recommended_offer ?? 0)
  if (limit === null || amount <= limit) return
  const money = (minor: number) => formatAmount(minor, currency)
  const message = `An offer of ${money(amount)} is above your limit of ${money(limit)}. A manager must save this appraisal.`
  throw new DomainError('forbidden', message, [{ field: 'agreed_offer', message }])
}

/** As sent, else locked if a listed defect or a source says so. */
function carrierLockOf(
  { lock, defects = [] }: Pick<AppraisalRequestWire, 'lock' | 'defects'>,
  lookup: LookupResultWire | null,
): CarrierLock {
  if (lock) return lock
  return defects.includes('carrier_locked') || lookup?.carrier_lock === 'locked' ? 'locked' : 'unlocked'
}

/** What the caller records with the appraisal. */
function dealOf({ reference, agreed_offer: agreed, declined }: AppraisalRequestWire) {
  return { reference: reference || null, agreedOffer: agreed ?? null, isDeclined: declined ?? false }
}

/** Errors that reject a single item; any other error fails the whole batch. */
const ITEM_ERROR_CODES: Readonly<Partial<Record<DomainCode, ErrorCode>>> = {
  invalid: 'VALIDATION_ERROR',
  not_found: 'NOT_FOUND',
}

async function catchItemError<T>(work: () => Promise<T>): Promise<T | DomainError> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof DomainError && ITEM_ERROR_CODES[error.code]) return error
    throw error
  }
}

/** Built from the stored JSON, so that response and record cannot differ. */
function itemJson(made: AppraisalRecord | DomainError, index: number): string {
  if (!(made instanceof DomainError))
    return `{"index":${index},"success":true,"result":${withOutcome(made.responseJson, null)}}`
  const { message, details } = made
  const code = ITEM_ERROR_CODES[made.code] ?? 'VALIDATION_ERROR'
  const error = { code, message, ...(details.length > 0 ? { details: [...details] } : {}) }
  const refused: AppraisalItemWire = { index, success: false, error }
  return JSON.stringify(refused)
}

function appraisalEvent(
  organizationId: string,
  { id, reference, decision, deviceId, createdAt }: AppraisalRecord,
): NewEvent {
  const data = { appraisal_id: id, reference, decision, device_id: deviceId }
  return { type: 'appraisal.created', organizationId, subject: `appraisal ${id}`, createdAt, data }
}
