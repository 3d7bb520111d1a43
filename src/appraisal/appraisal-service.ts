import type { Actor } from '../auth/actor.ts'
import type { AuditEntry } from '../auth/audit-store.ts'
import type {
  AppraisalItemWire,
  AppraisalPreviewWire,
  FullAppraisalWire,
  StoredAppraisalWire,
} from '../contract/appraisal.ts'
import {
  type AppraisalRequestWire,
  appraisalRequestSchema,
  type NewAppraisalWire,
} from '../contract/appraisal-request.ts'
import type { LookupResultWire } from '../contract/lookups.ts'
import type { CarrierLock } from '../contract/pricing.ts'
import type { QuoteAtCounterWire } from '../contract/quotes.ts'
import { convertBetween, type Exchange } from '../currency/exchange.ts'
import type { ExchangeRateService } from '../currency/exchange-rate-service.ts'
import { formatAmount } from '../currency/format-amount.ts'
import type { NewEvent } from '../events/event.ts'
import { DomainError, invalid } from '../lib/errors.ts'
import { turnstile } from '../lib/event-loop.ts'
import { reason } from '../lib/reasons.ts'
import { dayOf } from '../lib/time.ts'
import { parseOrThrow } from '../lib/validate.ts'
import { parseMarket } from '../pricing/country-market.ts'
import type { PriceScope } from '../pricing/quotes/quote-service.ts'
import { asItemError, presentItemError } from '../records/batch-item.ts'
import type { CallerContext, DurableResponses } from '../records/durable-response-service.ts'
import type { HistoryQuery } from '../records/history-store.ts'
import type { ReplayableResponse } from '../records/idempotency.ts'
import { mergeWrites } from '../records/merge-writes.ts'
import type { RecordWrites } from '../records/record-store.ts'
import type { OwnPartCosts } from '../repairs/own-part-costs.ts'
import { identifierKeysOf } from '../risk/lookup-request.ts'
import type { LookupService, PreparedLookup } from '../risk/lookup-service.ts'
import type { AppraisalFilter, AppraisalPage, AppraisalRecord, AppraisalStore } from './appraisal-store.ts'
import { type AppraisalFacts, appraise } from './appraise.ts'
import { checkDefects } from './defect.ts'
import { compareWithLookup, type DeviceIdentity, type DeviceLookup, identify } from './identity.ts'
import type { KnownDeal, KnownDealsStore } from './known-deals-store.ts'
import { withOutcome } from './outcome.ts'
import type { OutcomeService } from './outcome-service.ts'
import { requirePlausibleOffer, requirePlausiblePolicy } from './plausible-terms.ts'
import { type BuyingPolicy, convertPolicy } from './policy.ts'
import type { PolicyService } from './policy-service.ts'
import { presentAppraisal, presentEstimate } from './present.ts'
import { type AppliedRule, rulesFor } from './price-rules.ts'
import { isPromised, type QuotesAtCounter } from './quoted-price.ts'
import { completeRequest, EMPTY_READING } from './read-request.ts'
import type { TextDescription, TextService } from './text-service.ts'
import type { ValueVariants } from './valuation.ts'

/** Items of a batch started before yielding to other requests. */
const ITEMS_PER_TURN = 8
const NO_PURCHASE = 'no purchase in a batch: record it with POST /api/appraisals/outcomes/batch'

export type AppraisalCaller = CallerContext & {
  /** Earlier appraisals of the same rows of a list, which are not deals of the organization. */
  readonly replaces?: ReadonlySet<string>
  /** Whether the devices are rows of a supplier's list: nobody has them in hand, and they are no offers yet. */
  readonly isList?: boolean
}

export type AppraisalService = {
  /** Returns after the record, and the purchase if there is one, are durable. */
  readonly appraise: (
    body: NewAppraisalWire,
    caller: CallerContext,
    /** A manager or an owner who approves an offer above the limit of clerks. */
    approver?: Actor,
  ) => Promise<ReplayableResponse<FullAppraisalWire>>
  /** One result or error per item; all records become durable together. */
  readonly appraiseBatch: (
    body: { readonly items: readonly unknown[] },
    caller: AppraisalCaller,
  ) => Promise<ReplayableResponse<AppraisalItemWire[]>>
  /** Calculates an appraisal without recording it, using an existing lookup instead of querying the sources. */
  readonly preview: (
    request: AppraisalRequestWire,
    caller: Pick<CallerContext, 'principal' | 'organizationId' | 'isClerk' | 'now'>,
    lookup: LookupResultWire | null,
    /** Number of a quote that the customer brings. */
    quoteId?: string,
  ) => Promise<AppraisalPreviewWire>
  readonly history: (organizationId: string, page: AppraisalFilter & HistoryQuery) => Promise<AppraisalPage>
  /** One appraisal of the organization. */
  readonly find: (organizationId: string, id: string) => Promise<FullAppraisalWire | null>
}

export type AppraisalServiceOptions = {
  readonly registry: () => DeviceLookup
  readonly describeText: TextService['describe']
  readonly lookups: Pick<LookupService, 'prepare'>
  readonly valuation: ValueVariants
  /** What parts cost an organization; null if it booked too few. */
  readonly ownCostsOf: (organizationId: string) => OwnPartCosts | null | Promise<OwnPartCosts | null>
  /** Whose prices an organization gets, by default or in the market that it names. */
  readonly scopeFor: (organizationId: string, market?: string) => PriceScope
  readonly policies: Pick<PolicyService, 'policyOf' | 'defaultsOf' | 'priceRulesOf'>
  readonly rates: Pick<ExchangeRateService, 'exchangeFor'>
  readonly store: Pick<AppraisalStore, 'writes' | 'auditWrites' | 'history' | 'find'>
  readonly records: Pick<DurableResponses, 'respond'>
  readonly knownDeals: Pick<KnownDealsStore, 'find'>
  readonly purchases: Pick<OutcomeService, 'prepareWithAppraisal'>
  readonly nextId: (now: number) => string
  readonly quotes: () => QuotesAtCounter
}

type AppliedPolicy = {
  readonly policy: BuyingPolicy
  readonly exchange: Exchange
  readonly scope: PriceScope
  readonly rulesOf: (deviceId: string | null) => readonly AppliedRule[]
  /** What parts cost the organization; null if it booked too few. */
  readonly ownCosts: OwnPartCosts | null | Promise<OwnPartCosts | null>
}
type RequestText = TextDescription | { readonly described: null; readonly match: null }
type PreparedAppraisal = AppraisalRecord & {
  readonly lookup: PreparedLookup | null
  /** Facts for the audit trail; null unless the agreed offer is above the maximum. */
  readonly offerAboveMaximum: Readonly<Record<string, string>> | null
  /** The quote of the customer, compared with the device; null without one. */
  readonly quote: QuoteAtCounterWire | null
}

export function openAppraisalService(options: AppraisalServiceOptions): AppraisalService {
  const { rates, store, records: responses } = options

  /** `prefix` names the item of a batch in error messages; `takeTurn` lets items continue one after the other. */
  async function prepareAppraisal(
    request: AppraisalRequestWire,
    caller: AppraisalCaller,
    prefix = '',
    takeTurn: () => Promise<void> = async () => {},
    quoteId?: string,
  ): Promise<PreparedAppraisal> {
    const appliedPolicy = applyPolicy(request, caller, prefix)
    const text = await describeText(request, caller.organizationId)
    // The first texts of a process wait for the matcher, all for the same.
    await takeTurn()
    // Reject unknown ids and impossible defects before querying any source about the identifier.
    const stated = identify(request, options.registry(), text.match, null)
    checkDefects(request, stated, prefix)
    const { identifier, second_identifier, identifier_type } = request
    // What a supplier writes beside an IMEI teaches nothing about its TAC.
    const confirmedDeviceId = caller.isList ? null : (stated.device?.id ?? null)
    const lookup =
      identifier === undefined
        ? null
        : await options.lookups.prepare({ identifier, second_identifier, identifier_type }, caller, {
            prefix,
            confirmedDeviceId,
          })
    const identity = lookup ? withLookup(request, text, stated, lookup.result) : stated
    if (identity.device !== stated.device) checkDefects(request, identity, prefix)
    await takeTurn()
    return { ...(await createRecord(request, text, identity, appliedPolicy, lookup, caller, prefix, quoteId)), lookup }
  }

  /** A device that the request states stays; otherwise the identifier may name it. */
  const withLookup = (
    request: AppraisalRequestWire,
    { match }: RequestText,
    stated: DeviceIdentity,
    lookup: LookupResultWire,
  ): DeviceIdentity =>
    stated.device ? compareWithLookup(stated, lookup) : identify(request, options.registry(), match, lookup)

  const describeText = async (
    { text, attributes = {} }: AppraisalRequestWire,
    organizationId: string,
  ): Promise<RequestText> =>
    text === undefined ? { described: null, match: null } : options.describeText(text, attributes, organizationId)

  function applyPolicy(
    request: AppraisalRequestWire,
    { organizationId, isClerk, now }: Pick<CallerContext, 'organizationId' | 'isClerk' | 'now'>,
    prefix = '',
  ): AppliedPolicy {
    if (isClerk && request.policy !== undefined) throw policyOverrideError()
    const ownPolicy = options.policies.policyOf(organizationId)
    const exchange = rates.exchangeFor(request.currency ?? ownPolicy.currency, `${prefix}currency`)
    const market = request.market === undefined ? undefined : parseMarket(request.market, `${prefix}market`).code
    if (request.policy && !request.confirm_amount)
      requirePlausiblePolicy(request.policy, options.policies.defaultsOf(organizationId), rates.exchangeFor, prefix)
    return {
      policy: policyFor(ownPolicy, request, exchange),
      exchange,
      scope: options.scopeFor(organizationId, market),
      rulesOf: ruleFinder(organizationId, exchange, now),
      ownCosts: options.ownCostsOf(organizationId),
    }
  }

  /** Price rules of the organization for a device on this day, in the currency of the appraisal. */
  function ruleFinder(organizationId: string, exchange: Exchange, now: number): AppliedPolicy['rulesOf'] {
    const rules = options.policies.priceRulesOf(organizationId)
    if (!rules) return () => []
    const from = rates.exchangeFor(rules.currency)
    return (deviceId) => rulesFor(rules, deviceId, dayOf(now), (amount) => convertBetween(amount, from, exchange))
  }

  function policyFor(ownPolicy: BuyingPolicy, { policy }: AppraisalRequestWire, exchange: Exchange): BuyingPolicy {
    const requestedPolicy = { ...ownPolicy, ...policy }
    if (ownPolicy.currency === exchange.currency) return requestedPolicy
    return convertPolicy(requestedPolicy, rates.exchangeFor(ownPolicy.currency), exchange)
  }

  async function gatherFacts(
    statedRequest: AppraisalRequestWire,
    { described, match }: RequestText,
    identity: DeviceIdentity,
    { policy, exchange, scope, rulesOf, ownCosts }: AppliedPolicy,
    lookup: LookupResultWire | null,
    knownDeals: readonly KnownDeal[],
  ): Promise<AppraisalFacts> {
    const { request, reading } = described
      ? completeRequest(statedRequest, described, match, identity.device)
      : { request: statedRequest, reading: EMPTY_READING }
    const lock = effectiveLock(request, lookup)
    const valuation = options.valuation(
      identity.device,
      identity.variants,
      exchange,
      policy.labour_per_hour,
      scope,
      lock,
      ownCosts instanceof Promise ? await ownCosts : ownCosts,
    )
    return {
      ...(valuation instanceof Promise ? await valuation : valuation),
      identity,
      lookup,
      policy,
      lock,
      condition: request.condition,
      defects: request.defects ?? [],
      reading,
      knownDeals,
      priceRules: rulesOf(identity.device?.id ?? null),
    }
  }

  async function preview(
    request: AppraisalRequestWire,
    caller: Pick<CallerContext, 'principal' | 'organizationId' | 'isClerk' | 'now'>,
    lookup: LookupResultWire | null,
    quoteId?: string,
  ): Promise<AppraisalPreviewWire> {
    const { now, principal: author } = caller
    const appliedPolicy = applyPolicy(request, caller)
    const knownDeals = lookup ? await options.knownDeals.find(caller.organizationId, identifierKeysOf(lookup)) : []
    const text = await describeText(request, caller.organizationId)
    const identity = identify(request, options.registry(), text.match, lookup)
    checkDefects(request, identity)
    const facts = await gatherFacts(request, text, identity, appliedPolicy, lookup, knownDeals)
    const metadata = { id: '', now, author, exchange: appliedPolicy.exchange, ...dealMetadata(request) }
    const result = appraise(facts)
    const { appraisal_id: _id, created_by: _author, ...appraisal } = presentAppraisal(facts, result, metadata)
    // Also the offers for all other grades.
    const ungraded = { ...facts, condition: undefined }
    const { value, offer } = presentAppraisal(ungraded, appraise(ungraded), metadata)
    const grades = value.map((gradeValue, index) => ({
      ...gradeValue,
      max_offer: offer.by_condition[index]?.max_offer ?? null,
      recommended_offer: offer.by_condition[index]?.recommended_offer ?? null,
    }))
    const quote = quoteId && (await options.quotes().compare(caller.organizationId, quoteId, appraisal, now))
    return {
      ...appraisal,
      grades,
      ...(quote ? { quote } : {}),
      trade_in: presentEstimate(result.selected?.tradeIn ?? null),
    }
  }

  async function createRecord(
    request: AppraisalRequestWire,
    text: RequestText,
    identity: DeviceIdentity,
    appliedPolicy: AppliedPolicy,
    lookup: PreparedLookup | null,
    caller: AppraisalCaller,
    prefix: string,
    quoteId: string | undefined,
  ): Promise<Omit<PreparedAppraisal, 'lookup'>> {
    const identifierKeys = lookup?.identifierKeys ?? []
    const deals = await options.knownDeals.find(caller.organizationId, identifierKeys)
    const knownDeals = deals.filter(
      ({ appraisalId, status }) => status !== 'offered' || !caller.replaces?.has(appraisalId),
    )
    const facts = await gatherFacts(request, text, identity, appliedPolicy, lookup?.result ?? null, knownDeals)
    const { exchange } = appliedPolicy
    if (request.agreed_offer && !request.confirm_amount) {
      const isDefective = facts.defects.length > 0 || facts.reading.unreadWords.length > 0
      requirePlausibleOffer(request.agreed_offer, facts.value, { isDefective, currency: exchange.currency, prefix })
    }
    const id = options.nextId(caller.now)
    const deal = dealMetadata(request)
    const appraisal = presentAppraisal(facts, appraise(facts), {
      id,
      now: caller.now,
      author: caller.principal,
      exchange,
      ...deal,
    })
    const quote = quoteId ? await options.quotes().compare(caller.organizationId, quoteId, appraisal, caller.now) : null
    const isAllowed = isPromised(quote, appraisal)
    if (!caller.mayApprove && !isAllowed) requireWithinMaximum(appraisal, prefix)
    if (caller.isClerk && !isAllowed) requireWithinLimit(appraisal, appliedPolicy.policy.clerk_offer_limit)
    return {
      id,
      reference: deal.reference,
      decision: appraisal.offer.decision,
      deviceId: identity.device?.id ?? null,
      createdAt: caller.now,
      isListRow: caller.isList ?? false,
      identifiers: identifierKeys.map((key) => ({
        organization_id: caller.organizationId,
        identifier_key: key,
        appraisal_id: id,
        offer: appraisal.agreed_offer ?? appraisal.offer.recommended_offer,
        currency: appraisal.currency,
        is_declined: appraisal.declined ? 1 : 0,
        created_by: JSON.stringify(appraisal.created_by),
        created_at: caller.now,
      })),
      appraisal,
      offerAboveMaximum: offerAboveMaximum(appraisal),
      quote,
    }
  }

  /** The appraisals, the lookups they use and a purchase become durable in one commit. */
  function prepareWrites(
    caller: CallerContext,
    appraisals: readonly PreparedAppraisal[],
    {
      approver,
      purchase,
      quote,
    }: {
      readonly approver?: Actor | undefined
      readonly purchase?: RecordWrites | undefined
      readonly quote?: RecordWrites | null
    } = {},
  ) {
    const lookups = appraisals.flatMap(({ lookup }) => lookup ?? [])
    const writes: RecordWrites[] = [
      store.writes(caller.organizationId, appraisals),
      store.auditWrites(caller.organizationId, caller.principal.actor, auditEntries(appraisals), caller.now),
      ...(approver
        ? [store.auditWrites(caller.organizationId, approver, approvals(caller, appraisals), caller.now)]
        : []),
      ...lookups.map(({ writes }) => writes),
      {
        tables: [],
        totals: [],
        events: appraisals.map((appraisal) => appraisalEvent(caller.organizationId, appraisal)),
      },
      ...(purchase ? [purchase] : []),
      ...(quote ? [quote] : []),
    ]
    return {
      writes: mergeWrites(writes),
      onWritten() {
        for (const { onWritten } of lookups) onWritten()
      },
    }
  }

  /** Starts a few items at a time so that a large batch does not block other requests. */
  async function prepareBatch(
    items: readonly unknown[],
    caller: AppraisalCaller,
  ): Promise<(PreparedAppraisal | DomainError)[]> {
    const pending: Promise<PreparedAppraisal | DomainError>[] = []
    const takeTurn = turnstile()
    for (const [index, item] of items.entries()) {
      const itemName = `items[${index}]`
      const prepare = async () => {
        const request = parseOrThrow(appraisalRequestSchema, item, { root: itemName, prefix: `${itemName}.` })
        const { purchase } = item as { purchase?: unknown }
        if (purchase != null) throw invalid(`${itemName}.purchase`, purchase, NO_PURCHASE)
        return prepareAppraisal(request, caller, `${itemName}.`, takeTurn)
      }
      const appraisal = prepare().catch(asItemError)
      // Errors surface in Promise.all below; this prevents an unhandled rejection until then.
      appraisal.catch(() => {})
      pending.push(appraisal)
      if (pending.length % ITEMS_PER_TURN === 0) await new Promise((resolve) => setImmediate(resolve))
    }
    return Promise.all(pending)
  }

  return {
    appraise: (body, caller, approver) =>
      responses.respond('/api/appraisals', body, caller, async () => {
        const { purchase, quote_id: quoteId, ...request } = body
        const allowed = approver ? { ...caller, isClerk: false, mayApprove: true } : caller
        // Who confirms the price of the purchase confirms the offer.
        const isConfirmed = request.confirm_amount || purchase?.confirm_amount
        const prepared = await prepareAppraisal(
          { ...request, confirm_amount: isConfirmed },
          allowed,
          '',
          undefined,
          quoteId,
        )
        const { id, appraisal, quote } = prepared
        const bought = purchase && (await options.purchases.prepareWithAppraisal(id, appraisal, purchase, allowed))
        const settled =
          quote &&
          (await options.quotes().settle(
            caller.organizationId,
            quote,
            {
              appraisalId: id,
              state: bought ? 'bought' : appraisal.declined ? 'declined' : 'arrived',
              paid: bought?.outcome.bought?.price ?? null,
            },
            caller.principal,
            caller.now,
          ))
        return {
          data: withOutcome(appraisal, bought?.outcome ?? null),
          ...prepareWrites(caller, [prepared], { approver, purchase: bought?.writes, quote: settled }),
        }
      }),

    appraiseBatch: (body, caller) =>
      responses.respond('/api/appraisals/batch', body, caller, async () => {
        const results = await prepareBatch(body.items, caller)
        const appraisals = results.flatMap((result) => (result instanceof DomainError ? [] : result))
        return { data: results.map(presentItem), ...prepareWrites(caller, appraisals) }
      }),

    preview,
    history: store.history,
    find: store.find,
  }
}

/** Throws if a clerk would offer more than the policy allows. */
function requireWithinLimit(
  { agreed_offer: agreedOffer, declined, offer, currency }: StoredAppraisalWire,
  limit: number | null,
): void {
  const amount = declined ? 0 : (agreedOffer ?? offer.recommended_offer ?? 0)
  if (limit === null || amount <= limit) return
  const money = (minor: number) => formatAmount(minor, currency)
  const message = `An offer of ${money(amount)} is above your limit of ${money(limit)}. A manager must save this appraisal.`
  throw new DomainError(
    'forbidden',
    message,
    reason('offer_above_limit', { offer: Math.round(amount), limit: Math.round(limit), currency }),
    [{ field: 'agreed_offer', message }],
  )
}

/** Throws if a caller who may not approve it would offer more than the calculation says. */
function requireWithinMaximum(appraisal: StoredAppraisalWire, prefix: string): void {
  const above = offerAboveMaximum(appraisal)
  if (!above) return
  // The maximum itself is not said: clerks may not see it.
  const message = `An offer of ${above.offer} is above the calculated maximum. A manager must approve it; a key needs the right to manage.`
  const why = reason('offer_above_maximum', { offer: appraisal.agreed_offer ?? 0, currency: appraisal.currency })
  throw new DomainError('forbidden', message, why, [{ field: `${prefix}agreed_offer`, message }])
}

function offerAboveMaximum({ agreed_offer: agreed, offer, currency }: StoredAppraisalWire) {
  const maximum = offer.max_offer ?? 0
  if (agreed === null || agreed <= maximum) return null
  return { offer: formatAmount(agreed, currency), maximum: formatAmount(maximum, currency) }
}

/** One entry for an appraisal or a whole batch, and one for each offer above the maximum, in the commit of the records. */
function auditEntries(appraisals: readonly PreparedAppraisal[]): AuditEntry[] {
  const [first] = appraisals
  if (first === undefined) return []
  const created: AuditEntry[] =
    appraisals.length === 1
      ? [{ action: 'appraisal.created', subject: first.id }]
      : [{ action: 'appraisal.batch_created', subject: first.id, detail: { appraisals: String(appraisals.length) } }]
  const above = appraisals.flatMap(({ id, offerAboveMaximum: detail }): AuditEntry[] =>
    detail ? [{ action: 'appraisal.offer_above_maximum', subject: id, detail }] : [],
  )
  return [...created, ...above]
}

const approvals = ({ principal }: CallerContext, appraisals: readonly PreparedAppraisal[]): AuditEntry[] =>
  appraisals.map(({ id }) => ({ action: 'appraisal.approved', subject: id, detail: { for: principal.actor.who } }))

/** As sent, else locked if a listed defect or a source says so. */
function effectiveLock(
  { lock, defects = [] }: Pick<AppraisalRequestWire, 'lock' | 'defects'>,
  lookup: LookupResultWire | null,
): CarrierLock {
  if (lock) return lock
  return defects.includes('carrier_locked') || lookup?.carrier_lock === 'locked' ? 'locked' : 'unlocked'
}

/** Data that the caller records with the appraisal. */
function dealMetadata({ reference, agreed_offer: agreedOffer, declined }: AppraisalRequestWire) {
  return { reference: reference || null, agreedOffer: agreedOffer ?? null, isDeclined: declined ?? false }
}

function presentItem(result: AppraisalRecord | DomainError, index: number): AppraisalItemWire {
  if (result instanceof DomainError) return presentItemError(index, result)
  return { index, success: true, result: withOutcome(result.appraisal, null) }
}

function appraisalEvent(
  organizationId: string,
  { id, reference, decision, deviceId, createdAt }: AppraisalRecord,
): NewEvent {
  const data = { appraisal_id: id, reference, decision, device_id: deviceId }
  return { type: 'appraisal.created', organizationId, subject: `appraisal ${id}`, createdAt, data }
}

/** Clerks must use the organization's policy; overrides would also let them infer its margin. */
function policyOverrideError(): DomainError {
  const message = 'Only a manager or an owner of the organization may change the policy of an appraisal.'
  return new DomainError('forbidden', message, reason('policy_for_managers'), [{ field: 'policy', message }])
}
