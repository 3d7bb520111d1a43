import { type Actor, authorOf } from '../auth/actor.ts'
import type { AuditEntry } from '../auth/audit-store.ts'
import type { Device } from '../catalog/device.ts'
import type { StoredAppraisalWire } from '../contract/appraisal.ts'
import {
  type OutcomeItemWire,
  type OutcomeRequestWire,
  outcomeRowSchema,
  type PurchasedDeviceWire,
  type RecordedOutcomeWire,
} from '../contract/outcome.ts'
import type { NewPurchaseWire } from '../contract/purchases.ts'
import type { AuthorWire } from '../contract/values.ts'
import { convertBetween, US_DOLLARS } from '../currency/exchange.ts'
import type { ExchangeOn, ExchangeRateService } from '../currency/exchange-rate-service.ts'
import { formatAmount } from '../currency/format-amount.ts'
import { conflict, DomainError, excerpt, invalid, notFound } from '../lib/errors.ts'
import { yieldToEventLoop } from '../lib/event-loop.ts'
import { type Reason, reason } from '../lib/reasons.ts'
import { DAY_MS, dayIn, isoInstant } from '../lib/time.ts'
import { parseOrThrow } from '../lib/validate.ts'
import { requirePlausibleAmount } from '../pricing/plausible-amount.ts'
import type { MoveLimit, MoveLimits } from '../pricing/price-move.ts'
import { asItemError, presentItemError } from '../records/batch-item.ts'
import type { CallerContext, DurableResponses } from '../records/durable-response-service.ts'
import type { ReplayableResponse } from '../records/idempotency.ts'
import { mergeWrites } from '../records/merge-writes.ts'
import type { RecordWrites } from '../records/record-store.ts'
import { identifierKeysOf } from '../risk/lookup-request.ts'
import { purchaseId } from '../stock/purchase-id.ts'
import type { Purchase, PurchaseStore } from '../stock/purchase-store.ts'
import type { SellerStore } from '../stock/seller-store.ts'
import type { StockedDevice, StockStore } from '../stock/stock-store.ts'
import type { AppraisalRecord, AppraisalStore } from './appraisal-store.ts'
import { dealForecast, dealRange, dealSubject } from './deal-facts.ts'
import { defectRules } from './defect.ts'
import { deviceTitle } from './device-title.ts'
import type { KnownDealsStore } from './known-deals-store.ts'
import {
  type AppraisedDevice,
  type Deal,
  nextOutcome,
  type Outcome,
  outcomeAudit,
  outcomeEvent,
  presentOutcome,
} from './outcome.ts'
import type { OutcomeRecord, OutcomeStore } from './outcome-store.ts'
import type { PolicyService } from './policy-service.ts'
import { splitAmount } from './split-amount.ts'

/** Appraisals parsed before yielding to other requests. */
const ITEMS_PER_TURN = 8

export type OutcomeService = {
  /** Returns after the outcome is durable. */
  readonly record: (
    id: string,
    request: OutcomeRequestWire,
    caller: CallerContext,
    actor: Actor,
    /** A manager or an owner who approves what the caller may not do alone. */
    approver?: Actor,
  ) => Promise<ReplayableResponse<RecordedOutcomeWire>>
  readonly remove: (id: string, caller: CallerContext, actor: Actor) => Promise<ReplayableResponse<RecordedOutcomeWire>>
  /** One result or error per item; all applied outcomes become durable together. */
  readonly recordBatch: (
    body: { readonly items: readonly unknown[] },
    caller: CallerContext,
    actor: Actor,
  ) => Promise<ReplayableResponse<OutcomeItemWire[]>>
  /** The purchase of a device whose appraisal is written in the same commit. */
  readonly prepareWithAppraisal: (
    id: string,
    appraisal: StoredAppraisalWire,
    purchase: PurchasedDeviceWire,
    caller: CallerContext,
  ) => Promise<{ readonly outcome: Outcome; readonly writes: RecordWrites }>
  /** Several devices of one seller, recorded together or not at all. */
  readonly recordPurchase: (
    request: NewPurchaseWire,
    caller: CallerContext,
    approver?: Actor,
  ) => Promise<ReplayableResponse<{ readonly purchase_id: string }>>
}

export type OutcomeServiceOptions = {
  readonly store: OutcomeStore
  readonly stock: Pick<StockStore, 'writes' | 'removal'>
  readonly sellers: Pick<SellerStore, 'prepare' | 'inherit' | 'followPurchase' | 'withdrawal'>
  readonly purchases: Pick<PurchaseStore, 'find' | 'rows'>
  readonly randomBelow: (limit: number) => number
  /** For the appraisals of further devices of an item. */
  readonly copies: Pick<AppraisalStore, 'writes'> & { readonly nextId: (now: number) => string }
  readonly knownDeals: Pick<KnownDealsStore, 'find'>
  readonly records: Pick<DurableResponses, 'respond'>
  readonly rates: Pick<ExchangeRateService, 'exchangeFor' | 'ratesSince'>
  readonly findDevice: (id: string) => Device | undefined
  readonly policies: Pick<PolicyService, 'policyOf'>
  /** Market of an appraisal that names none. */
  readonly marketFor: (organizationId: string) => string
  readonly moveLimits: MoveLimits
}

/** A change of one appraisal's outcome; several of a batch may follow one another. */
type Change = {
  readonly before: Outcome | null
  readonly after: Outcome | null
  /** Whether the caller confirmed that a device with this identifier may be in stock already. */
  readonly mayBeDuplicate?: boolean
}

/** What the outcomes of one request have in common. */
type RequestState = {
  readonly limits: Map<string, Promise<MoveLimit>>
  /** Appraisals of the purchases in this request, by the normalized identifiers of their devices. */
  readonly bought: Map<string, string>
  /** Purchases that outcomes of this request belong to, by id. */
  readonly purchases: Map<string, Purchase & { readonly isNew: boolean }>
}
const newRequestState = (): RequestState => ({ limits: new Map(), bought: new Map(), purchases: new Map() })

/** A device that joins later was not part of what the seller signed on the day. */
const JOIN_WITHIN_MS = DAY_MS

export function openOutcomeService({
  store,
  stock,
  sellers,
  purchases,
  randomBelow,
  copies,
  knownDeals,
  records,
  rates,
  findDevice,
  policies,
  marketFor,
  moveLimits,
}: OutcomeServiceOptions): OutcomeService {
  const runInSequence = perKeyQueue()

  async function findAppraisals(organizationId: string, ids: readonly string[]) {
    return new Map([...(await store.find(organizationId, ids))].map(([id, record]) => [id, openAppraisal(record)]))
  }

  /** `prefix` names the item of a batch in error messages. */
  async function applyRequest(
    appraisal: OpenAppraisal | undefined,
    id: string,
    request: OutcomeRequestWire,
    caller: CallerContext,
    prefix: string,
    state: RequestState,
  ): Promise<Change & { readonly after: Outcome }> {
    // Another organization's appraisal is not found either, so that callers cannot probe for ids.
    if (!appraisal) throw notFound(`Appraisal ${excerpt(id)}`)
    const { currency } = appraisal.read()
    const before = appraisal.outcome
    const context = { now: caller.now, author: authorOf(caller.principal) }
    const purchase =
      request.status === 'bought' ? await purchaseOf(before, request, currency, caller, prefix, state) : null
    const after = nextOutcome(before, request, {
      ...context,
      appraisalId: id,
      currency,
      prefix,
      purchaseId: purchase?.id ?? null,
    })
    // Fails here if there is no rate for the currency.
    for (const deal of [after.bought, after.sold]) if (deal) rates.exchangeFor(deal.currency, `${prefix}currency`)
    if (!request.confirm_amount) requirePlausible(before, after, appraisal.read(), prefix)
    await limitMove(before, after, request, appraisal.read(), caller, prefix, state.limits)
    if (after.status === 'bought' && after !== before) {
      if (!before?.bought) requireStorage(appraisal.read(), prefix)
      if (!caller.mayApprove && newDeal(before, after)) requireWithinMaximum(after.bought, appraisal.read(), prefix)
      if (caller.isClerk) requireWithinLimit(caller, after.bought, appraisal.read())
    }
    if (isInStock(after) && !isInStock(before))
      await requireNoDuplicate(id, request, appraisal.read(), caller, prefix, state)
    appraisal.outcome = after
    return { before, after, mayBeDuplicate: request.confirm_duplicate === true }
  }

  /** The purchase that a bought device belongs to: one that it joins, its own, or a new one. */
  async function purchaseOf(
    before: Outcome | null,
    { purchase_id: joined, currency, date, time_zone: timeZone = 'UTC' }: OutcomeRequestWire,
    appraisalCurrency: string,
    { organizationId, now, principal }: CallerContext,
    prefix: string,
    state: RequestState,
  ): Promise<Purchase> {
    const id = joined ?? before?.purchaseId
    const inRequest = id == null ? undefined : state.purchases.get(id)
    const known = inRequest ?? (id == null ? undefined : (await purchases.find(organizationId, [id])).get(id))
    if (known) {
      if (joined !== undefined && joined !== before?.purchaseId)
        requireJoinable(known, currency ?? appraisalCurrency, now, prefix)
      state.purchases.set(known.id, inRequest ?? { ...known, isNew: false })
      return known
    }
    // Another organization's purchase is not found either, so that callers cannot probe for ids.
    if (joined !== undefined) throw notFound(`Purchase ${excerpt(joined)}`)
    const purchase = {
      organizationId,
      id: purchaseId(now, randomBelow),
      date: date ?? dayIn(now, timeZone),
      currency: currency ?? appraisalCurrency,
      listId: null,
      createdBy: authorOf(principal),
      createdAt: now,
      isNew: true,
    }
    state.purchases.set(purchase.id, purchase)
    return purchase
  }

  /** The devices of a purchase; a further one of the same item gets a copy of its appraisal. */
  async function openDevices(
    items: NewPurchaseWire['items'],
    { organizationId, now, principal }: CallerContext,
  ): Promise<PurchasedDevice[]> {
    const appraisals = await findAppraisals(
      organizationId,
      items.map(({ appraisal_id: id }) => id),
    )
    return items.flatMap(({ appraisal_id: id, price, quantity = 1 }, at) => {
      const prefix = `items[${at}].`
      const appraisal = appraisals.get(id)
      // Another organization's appraisal is not found either, so that callers cannot probe for ids.
      if (!appraisal) throw notFound(`Appraisal ${excerpt(id)}`)
      requireNotBought(appraisal.outcome, id, prefix)
      const first = { id, appraisal, price, prefix }
      if (quantity === 1) return first
      const saved = appraisal.read()
      if (saved.risk)
        throw invalid(`${prefix}quantity`, quantity, '1 for a device with an identifier', reason('technical'))
      const further = Array.from({ length: quantity - 1 }, (): PurchasedDevice => {
        const copy = copyOf(saved, copies.nextId(now), authorOf(principal), now)
        const opened = { outcome: null, revision: 0, isListRow: false, read: () => copy.appraisal }
        return { id: copy.id, appraisal: opened, price, prefix, copy }
      })
      return [first, ...further]
    })
  }

  /** An item of a batch: nothing of it is applied if its seller is rejected. */
  async function applyRow(
    appraisal: OpenAppraisal | undefined,
    id: string,
    row: OutcomeRequestWire,
    caller: CallerContext,
    prefix: string,
    state: RequestState,
  ): Promise<Change & { readonly after: Outcome; readonly seller: RecordWrites[] }> {
    const sellerWrites = await prepareSeller(id, row, caller, prefix)
    const change = await applyRequest(appraisal, id, row, caller, prefix, state)
    return { ...change, seller: sellerWrites(change.after) }
  }

  /** Throws for a price that would move the organization's own price too far, unless it is confirmed. */
  async function limitMove(
    before: Outcome | null,
    after: Outcome,
    { confirm_amount: isConfirmed }: OutcomeRequestWire,
    saved: StoredAppraisalWire,
    { organizationId, now }: CallerContext,
    prefix: string,
    limits: Map<string, Promise<MoveLimit>>,
  ): Promise<void> {
    const deal = newDeal(before, after)
    const subject = dealSubject(saved, findDevice, marketFor(organizationId))
    const { device_id: deviceId } = saved.identity
    if (!deal || !subject || deviceId === null) return
    const limit = await limits.getOrInsertComputed(deviceId, () => moveLimits(organizationId, deviceId, now))
    const exchange = rates.exchangeFor(deal.currency)
    const price = {
      ...subject,
      isQuote: after.status !== 'sold',
      cents: Math.round(convertBetween(deal.price, exchange, US_DOLLARS)),
      observedAt: now,
      source: '',
    }
    const ownCents = isConfirmed ? undefined : limit.exceededBy(price)
    if (ownCents === undefined) return limit.add(price)
    const ownMinor = Math.round(convertBetween(ownCents, US_DOLLARS, exchange))
    const own = formatAmount(ownMinor, deal.currency)
    const expected = `an amount near your own prices of this device (${own}), which it would move by more than a third. If the amount is right, send "confirm_amount": true`
    throw invalid(
      `${prefix}price`,
      deal.price,
      expected,
      reason('price_moves_own_prices', { own: ownMinor, currency: deal.currency }),
    )
  }

  /** Throws for a price that launch price and existing prices do not allow: a typing error or the wrong unit. */
  function requirePlausible(before: Outcome | null, after: Outcome, saved: StoredAppraisalWire, prefix: string): void {
    const deal = newDeal(before, after)
    if (!deal) return
    const range = dealRange(saved, after.status === 'sold', findDevice)
    if (!range) return
    const inDealCurrency = (amount: number) =>
      Math.round(convertBetween(amount, rates.exchangeFor(range.currency), rates.exchangeFor(deal.currency)))
    const plausible = { low: inDealCurrency(range.low), high: inDealCurrency(range.high) }
    requirePlausibleAmount(`${prefix}price`, deal.price, plausible, deal.currency)
  }

  /** Throws for a device that enters the stock while it is there by its identifiers, unless it is confirmed. */
  async function requireNoDuplicate(
    id: string,
    { confirm_duplicate: isConfirmed }: OutcomeRequestWire,
    { risk }: StoredAppraisalWire,
    { organizationId, mayApprove }: CallerContext,
    prefix: string,
    { bought }: RequestState,
  ): Promise<void> {
    if (!risk) return
    const keys = identifierKeysOf(risk)
    const sameRequest = keys.map((key) => bought.get(key)).find((other) => other !== undefined && other !== id)
    const known = isConfirmed && mayApprove ? [] : await knownDeals.find(organizationId, keys)
    const inStock = known.find(({ status, appraisalId }) => status === 'in_stock' && appraisalId !== id)
    if (isConfirmed && !mayApprove && (inStock || sameRequest !== undefined)) {
      const message = 'A device with this IMEI or serial number is in your stock. A manager must confirm this purchase.'
      throw forbidden(`${prefix}confirm_duplicate`, message, reason('approval_for_duplicate'))
    }
    if (!isConfirmed && (inStock || sameRequest !== undefined)) {
      const where = inStock
        ? `is in your stock since ${inStock.date}, bought by ${inStock.by} for ${formatAmount(inStock.price ?? 0, inStock.currency)} (appraisal ${inStock.appraisalId})`
        : `is bought by another item of this request (appraisal ${sameRequest})`
      const message = `A device with this IMEI or serial number ${where}. If the purchase is right nevertheless, send "confirm_duplicate": true.`
      const why = inStock
        ? reason('in_stock', {
            day: inStock.date,
            by: inStock.by,
            price: inStock.price ?? 0,
            currency: inStock.currency,
          })
        : reason('bought_in_same_request')
      throw conflict(`${prefix}confirm_duplicate`, message, why)
    }
    for (const key of keys) bought.set(key, id)
  }

  /** A clerk records purchases up to their limit, or up to the saved offer, which a manager may have approved. */
  function requireWithinLimit({ organizationId }: CallerContext, deal: Deal | null, saved: StoredAppraisalWire): void {
    const { clerk_offer_limit: clerkOfferLimit, currency } = policies.policyOf(organizationId)
    if (!deal || clerkOfferLimit === null) return
    const convert = (amount: number, from: string) =>
      convertBetween(amount, rates.exchangeFor(from), rates.exchangeFor(currency))
    const savedOffer = saved.declined ? 0 : (saved.agreed_offer ?? saved.offer.recommended_offer ?? 0)
    const limit = Math.max(clerkOfferLimit, convert(savedOffer, saved.currency))
    const paid = convert(deal.price, deal.currency)
    if (paid <= limit) return
    const money = (minor: number) => formatAmount(minor, currency)
    const message = `A price of ${money(paid)} is above your limit of ${money(limit)}. A manager must record this purchase.`
    const why = reason('price_above_limit', { price: Math.round(paid), limit: Math.round(limit), currency })
    throw forbidden('price', message, why)
  }

  /** Without approval nobody pays more than the calculation says, or than an approver of the saved appraisal allowed. */
  function requireWithinMaximum(deal: Deal | null, saved: StoredAppraisalWire, prefix: string): void {
    if (!deal) return
    const maximum = saved.declined ? 0 : Math.max(saved.offer.max_offer ?? 0, saved.agreed_offer ?? 0)
    const paid = convertBetween(deal.price, rates.exchangeFor(deal.currency), rates.exchangeFor(saved.currency))
    if (Math.round(paid) <= maximum) return
    // The maximum itself is not said: clerks may not see it.
    const item = prefix.startsWith('items[') ? ` (${prefix.slice(0, -1)})` : ''
    const message = `A price of ${formatAmount(deal.price, deal.currency)}${item} is above the calculated maximum. A manager must approve this purchase; a key needs the right to manage.`
    throw forbidden(
      `${prefix}price`,
      message,
      reason('price_above_maximum', { price: deal.price, currency: deal.currency }),
    )
  }

  function prepareWrites(
    { organizationId, now, principal: author }: CallerContext,
    actor: Actor,
    id: string,
    appraisal: OpenAppraisal,
    changes: readonly Change[],
    exchangeOn: ExchangeOn,
    seller: readonly RecordWrites[] = [],
  ): RecordWrites[] {
    const effective = changes.filter(({ before, after }) => before !== after)
    const { revision, isListRow } = appraisal
    if (effective.length === 0) {
      if (seller.length === 0) return []
      // Nobody may withdraw the purchase while its seller is written.
      const { decision } = appraisal.read().offer
      const statements = [store.unchanged({ organizationId, appraisalId: id, decision }, appraisal.outcome, revision)]
      return [{ tables: [], totals: [], statements }, ...seller]
    }
    const saved = appraisal.read()
    const { reference, identity, risk, offer } = saved
    const { decision } = offer
    const device: AppraisedDevice = {
      organizationId,
      appraisalId: id,
      decision,
      reference,
      deviceId: identity.device_id,
    }
    const outcome = appraisal.outcome
    const subject = dealSubject(saved, findDevice, marketFor(organizationId))
    const toUsCents = (deal: Deal | null) =>
      deal && convertBetween(deal.price, exchangeOn(deal.currency, deal.date), US_DOLLARS)
    const facts = {
      subject,
      forecast: dealForecast(saved),
      boughtCents: outcome && toUsCents(outcome.bought),
      soldCents: outcome && toUsCents(outcome.sold),
    }
    const stocked: StockedDevice = {
      organizationId,
      appraisalId: id,
      deviceName: deviceTitle(identity, ''),
      grade: saved.defects.length > 0 || isUngraded(saved) ? null : saved.offer.condition,
      defects: saved.defects,
      identifier: risk?.identifier ?? null,
      secondIdentifier: risk?.second_identifier ?? null,
      identifierKeys: risk ? identifierKeysOf(risk) : [],
    }
    const before = effective[0]?.before ?? null
    const isPurchase = !before?.bought
    const entersStock = !isInStock(before)
    const mayBeDuplicate = effective.some((change) => change.mayBeDuplicate)
    const stockWrites = outcome?.bought
      ? stock.writes(stocked, {
          status: outcome.sold ? 'sold' : 'in_stock',
          isPurchase,
          entersStock,
          mayBeDuplicate,
          author,
          now,
        })
      : { totals: [], statements: [...stock.removal(stocked, now), ...sellers.withdrawal(stocked, actor, now)] }
    // A new version has the price already, and the replaced one keeps its own.
    const follow =
      outcome?.bought && seller.length === 0
        ? [sellers.followPurchase(device, { ...outcome.bought, purchaseId: outcome.purchaseId })]
        : []
    const audit = { actor, now, entries: effective.map(({ before, after }) => outcomeAudit(id, before, after)) }
    const writes = outcome
      ? store.writes(device, outcome, revision, facts, audit)
      : store.removal(device, revision, audit)
    return [
      {
        tables: writes.tables,
        totals: [...stockWrites.totals, ...(isListRow ? store.leavesList(device) : [])],
        statements: [...(writes.statements ?? []), ...(stockWrites.statements ?? []), ...follow],
        events: effective.map(({ before, after }) => outcomeEvent(device, before, after, now)),
        ownPriceChanges: subject && device.deviceId ? [{ organizationId, deviceId: device.deviceId }] : [],
      },
      ...seller,
    ]
  }

  /**
   * The rows of the seller who is sent with a purchase, or of the one that a device inherits from the purchase it joins; throws
   * if the seller is rejected.
   */
  async function prepareSeller(
    appraisalId: string,
    { seller, purchase_id: joined }: Pick<OutcomeRequestWire, 'seller' | 'purchase_id'>,
    caller: CallerContext,
    prefix: string,
  ): Promise<(after: Outcome) => RecordWrites[]> {
    if (!seller && joined === undefined) return () => []
    const writesFor = seller
      ? await sellers.prepare([appraisalId], seller, caller, prefix)
      : await sellers.inherit(joined ?? '', appraisalId, caller)
    return ({ bought, purchaseId }) => {
      const writes = bought ? writesFor(() => ({ ...bought, purchaseId })) : { tables: [] }
      return writes.tables.length > 0 ? [{ ...writes, totals: [] }] : []
    }
  }

  /** The rows, entries and events of the purchases that outcomes began, after those of the outcomes. */
  function purchaseWrites(
    { organizationId, now }: CallerContext,
    actor: Actor,
    outcomes: ReadonlyMap<string, Outcome | null>,
    state: RequestState,
  ): RecordWrites {
    const lines = Map.groupBy(
      [...outcomes].filter(([, outcome]) => outcome?.bought),
      ([, outcome]) => outcome?.purchaseId ?? '',
    )
    const created = [...lines].flatMap(([id, ofPurchase]) => {
      const purchase = state.purchases.get(id)
      if (!purchase?.isNew) return []
      const total = ofPurchase.reduce((sum, [, outcome]) => sum + (outcome?.bought?.price ?? 0), 0)
      return { purchase, total, ids: ofPurchase.map(([appraisalId]) => appraisalId) }
    })
    const entries = created.map(
      ({ purchase, ids, total }): AuditEntry => ({
        action: 'appraisal.purchase_created',
        subject: purchase.id,
        detail: { devices: String(ids.length), total: String(total), currency: purchase.currency },
      }),
    )
    return {
      tables: [
        purchases.rows(created.map(({ purchase }) => purchase)),
        store.auditRows(organizationId, { actor, now, entries }),
      ],
      totals: [],
      events: created.map(({ purchase, ids, total }) => ({
        type: 'purchase.created',
        organizationId,
        subject: `purchase ${purchase.id}`,
        createdAt: now,
        data: {
          purchase_id: purchase.id,
          date: purchase.date,
          total,
          currency: purchase.currency,
          appraisal_ids: ids,
          list_id: purchase.listId,
        },
      })),
    }
  }

  /** Who approved what the caller may not do alone. */
  const approvalWrites = (
    { organizationId, now, principal }: CallerContext,
    approver: Actor | undefined,
    subject: string,
  ): RecordWrites[] => {
    if (!approver) return []
    const entry: AuditEntry = { action: 'appraisal.approved', subject, detail: { for: principal.actor.who } }
    return [{ tables: [store.auditRows(organizationId, { actor: approver, now, entries: [entry] })], totals: [] }]
  }

  /** The exchange rates of the days of all deals, in one query. */
  async function ratesOf(outcomes: readonly (Outcome | null)[]): Promise<ExchangeOn> {
    const deals = outcomes
      .flatMap((outcome) => [outcome?.bought ?? [], outcome?.sold ?? []].flat())
      .filter(({ currency }) => currency !== US_DOLLARS.currency)
    if (deals.length === 0) return (currency) => rates.exchangeFor(currency)
    const firstDay = deals.reduce((first, { date }) => (date < first ? date : first), deals[0]?.date ?? '')
    return rates.ratesSince(firstDay, [...new Set(deals.map(({ currency }) => currency))])
  }

  return {
    record: (id, request, caller, actor, approver) =>
      runInSequence(caller.organizationId, () =>
        records.respond(`/api/appraisals/${id}/outcome`, request, caller, async () => {
          const appraisal = (await findAppraisals(caller.organizationId, [id])).get(id)
          const state = newRequestState()
          const change = await applyRequest(appraisal, id, request, allowedBy(approver, caller), '', state)
          const seller = (await prepareSeller(id, request, caller, ''))(change.after)
          const exchangeOn = await ratesOf([change.after])
          const writes = appraisal ? prepareWrites(caller, actor, id, appraisal, [change], exchangeOn, seller) : []
          const more = [
            purchaseWrites(caller, actor, new Map([[id, change.after]]), state),
            ...approvalWrites(caller, approver, id),
          ]
          const isChanged = writes.length > 0
          return { data: presentRecorded(id, change.after), writes: mergeWrites(isChanged ? [...writes, ...more] : []) }
        }),
      ),

    remove: (id, caller, actor) =>
      runInSequence(caller.organizationId, () =>
        records.respond(`/api/appraisals/${id}/outcome`, null, { ...caller, idempotencyKey: null }, async () => {
          const appraisal = (await findAppraisals(caller.organizationId, [id])).get(id)
          if (!appraisal) throw notFound(`Appraisal ${excerpt(id)}`)
          const before = appraisal.outcome
          appraisal.outcome = null
          const exchangeOn = await ratesOf([])
          const writes = prepareWrites(caller, actor, id, appraisal, [{ before, after: null }], exchangeOn)
          return { data: presentRecorded(id, null), writes: mergeWrites(writes) }
        }),
      ),

    async prepareWithAppraisal(id, newAppraisal, purchase, caller) {
      const appraisal: OpenAppraisal = { outcome: null, revision: 0, isListRow: false, read: () => newAppraisal }
      const request = { status: 'bought', ...purchase } as const
      const state = newRequestState()
      const { actor } = caller.principal
      const change = await applyRequest(appraisal, id, request, caller, 'purchase.', state)
      const seller = (await prepareSeller(id, purchase, caller, 'purchase.'))(change.after)
      const exchangeOn = await ratesOf([change.after])
      const writes = prepareWrites(caller, actor, id, appraisal, [change], exchangeOn, seller)
      const ofPurchase = purchaseWrites(caller, actor, new Map([[id, change.after]]), state)
      return { outcome: change.after, writes: mergeWrites([...writes, ofPurchase]) }
    },

    recordPurchase: (request, caller, approver) =>
      runInSequence(caller.organizationId, () =>
        records.respond('/api/purchases', request, caller, async () => {
          const { items, total, list_id: listId, seller, ...common } = request
          const { organizationId, now, principal } = caller
          const devices = await openDevices(items, caller)
          const ids = devices.map(({ id }) => id)
          const opened = devices.map(({ appraisal }) => appraisal)
          const currency = request.currency ?? opened[0]?.read().currency ?? US_DOLLARS.currency
          const prices = linePrices(devices, total, (amount, from) =>
            convertBetween(amount, rates.exchangeFor(from), rates.exchangeFor(currency)),
          )
          const state = newRequestState()
          const purchase = {
            organizationId,
            id: purchaseId(now, randomBelow),
            date: request.date ?? dayIn(now, request.time_zone ?? 'UTC'),
            currency,
            listId: listId ?? null,
            createdBy: authorOf(principal),
            createdAt: now,
            isNew: true,
          }
          state.purchases.set(purchase.id, purchase)
          const allowed = allowedBy(approver, caller)
          const changes: (Change & { readonly after: Outcome })[] = []
          for (const [at, id] of ids.entries()) {
            if (at % ITEMS_PER_TURN === ITEMS_PER_TURN - 1) await yieldToEventLoop()
            const line = {
              ...common,
              status: 'bought',
              price: prices[at] ?? 0,
              currency,
              purchase_id: purchase.id,
            } as const
            changes.push(await applyRequest(opened[at], id, line, allowed, devices[at]?.prefix ?? '', state))
          }
          const afterOf = new Map(ids.map((id, at) => [id, changes[at]?.after as Outcome]))
          const ofSeller = seller && (await sellers.prepare(ids, seller, caller))
          const exchangeOn = await ratesOf(changes.map(({ after }) => after))
          const { actor } = principal
          // Always in the same order, to avoid deadlocks between processes.
          const ordered = ids
            .map((id, at) => ({ id, appraisal: opened[at] as OpenAppraisal, change: changes[at] as Change }))
            .sort((left, right) => (left.id < right.id ? -1 : 1))
          const writes = ordered.flatMap(({ id, appraisal, change }) =>
            prepareWrites(caller, actor, id, appraisal, [change], exchangeOn),
          )
          const sellerRows = ofSeller?.((id) => ({ ...(afterOf.get(id)?.bought as Deal), purchaseId: purchase.id }))
          return {
            data: { purchase_id: purchase.id },
            writes: mergeWrites([
              copies.writes(
                organizationId,
                devices.flatMap(({ copy }) => copy ?? []),
              ),
              ...writes,
              ...(sellerRows ? [{ ...sellerRows, totals: [] }] : []),
              purchaseWrites(caller, actor, afterOf, state),
              ...approvalWrites(caller, approver, purchase.id),
            ]),
          }
        }),
      ),

    recordBatch: (body, caller, actor) =>
      runInSequence(caller.organizationId, () =>
        records.respond('/api/appraisals/outcomes/batch', body, caller, async () => {
          const rows = body.items.map((item, index) =>
            catchItemError(() =>
              parseOrThrow(outcomeRowSchema, item, { root: `items[${index}]`, prefix: `items[${index}].` }),
            ),
          )
          const ids = new Set(rows.flatMap((row) => (row instanceof DomainError ? [] : row.appraisal_id)))
          const appraisals = ids.size > 0 ? await findAppraisals(caller.organizationId, [...ids]) : new Map()
          const changes = new Map<string, Change[]>()
          const items: OutcomeItemWire[] = []
          const state = newRequestState()
          /** The last seller of each appraisal; one whose purchase was withdrawn later in the request is not stored. */
          const sellerWrites = new Map<string, RecordWrites[]>()
          for (const [index, row] of rows.entries()) {
            if (index % ITEMS_PER_TURN === ITEMS_PER_TURN - 1) await yieldToEventLoop()
            if (row instanceof DomainError) {
              items.push(presentItemError(index, row))
              continue
            }
            const { appraisal_id: id } = row
            const change = await applyRow(appraisals.get(id), id, row, caller, `items[${index}].`, state).catch(
              asItemError,
            )
            if (change instanceof DomainError) {
              items.push(presentItemError(index, change))
              continue
            }
            changes.set(id, [...(changes.get(id) ?? []), change])
            if (change.seller.length > 0 || !change.after?.bought) sellerWrites.set(id, change.seller)
            items.push({ index, success: true, result: presentRecorded(id, change.after) })
          }
          const exchangeOn = await ratesOf([...changes.keys()].map((id) => appraisals.get(id)?.outcome ?? null))
          // Always in the same order, to avoid deadlocks between processes.
          const ordered = [...changes].sort(([left], [right]) => (left < right ? -1 : 1))
          const writes = ordered.flatMap(([id, appraisalChanges]) =>
            prepareWrites(caller, actor, id, appraisals.get(id), appraisalChanges, exchangeOn, sellerWrites.get(id)),
          )
          const outcomes = new Map(ordered.map(([id]) => [id, appraisals.get(id)?.outcome ?? null]))
          return { data: items, writes: mergeWrites([...writes, purchaseWrites(caller, actor, outcomes, state)]) }
        }),
      ),
  }
}

/** The caller with what a manager at the screen approves. */
const allowedBy = (approver: Actor | undefined, caller: CallerContext): CallerContext =>
  approver ? { ...caller, isClerk: false, mayApprove: true } : caller

const forbidden = (field: string, message: string, why: Reason) =>
  new DomainError('forbidden', message, why, [{ field, message }])

/** Throws for a device whose storage is not known, unless it does not work and cannot be asked. */
function requireStorage({ identity, defects }: StoredAppraisalWire, prefix: string): void {
  const sizes = identity.unresolved_attributes.find(({ name }) => name === 'storage')?.values ?? []
  if (sizes.length < 2 || !defectRules(defects).every(({ isGradable }) => isGradable)) return
  const choices = sizes.join(', ')
  const message = `The storage size of the device is unknown: ${choices}. Appraise it with its size before you buy it.`
  throw conflict(`${prefix}storage`, message, reason('storage_missing', { choices }))
}

/** Throws for a purchase that a further device cannot join. */
function requireJoinable(purchase: Purchase, currency: string, now: number, prefix: string): void {
  if (purchase.currency !== currency) {
    const expected = `${purchase.currency}, the currency of the purchase`
    throw invalid(`${prefix}currency`, currency, expected, reason('technical'))
  }
  if (now - purchase.createdAt <= JOIN_WITHIN_MS) return
  const message = `Purchase ${purchase.id} is more than a day old. Record a purchase of its own.`
  throw conflict(`${prefix}purchase_id`, message, reason('purchase_closed'))
}

function requireNotBought(outcome: Outcome | null, id: string, prefix: string): void {
  if (!outcome?.bought) return
  const message = `Appraisal ${id} is already bought.`
  throw conflict(`${prefix}appraisal_id`, message, reason('already_bought'))
}

/** A device of a purchase. */
type PurchasedDevice = {
  readonly id: string
  readonly appraisal: OpenAppraisal
  readonly price: number | undefined
  /** Names its item in error messages. */
  readonly prefix: string
  /** Its appraisal if it is written with the purchase. */
  readonly copy?: AppraisalRecord
}

/** The appraisal of a further device of the same kind. */
function copyOf(saved: StoredAppraisalWire, id: string, author: AuthorWire, now: number): AppraisalRecord {
  return {
    id,
    reference: saved.reference,
    decision: saved.offer.decision,
    deviceId: saved.identity.device_id,
    createdAt: now,
    appraisal: { ...saved, appraisal_id: id, created_by: author, timestamp: isoInstant(now) },
  }
}

/** The price of each device: as sent, or its share of the total in proportion to the offers. */
function linePrices(
  devices: readonly Pick<PurchasedDevice, 'appraisal' | 'price'>[],
  total: number | undefined,
  convert: (amount: number, from: string) => number,
): number[] {
  const sum = devices.reduce((all, { price = 0 }) => all + price, 0)
  const open = devices.flatMap(({ price }, at) => (price === undefined ? [at] : []))
  if (total !== undefined && (total < sum || (open.length === 0 && total !== sum)))
    throw invalid(
      'total',
      total,
      `the sum of the prices of the items, ${sum}, or more where an item has none`,
      reason('technical'),
    )
  const weights = open.map((at) => {
    const appraisal = devices[at]?.appraisal.read()
    return appraisal ? convert(appraisal.offer.recommended_offer ?? 0, appraisal.currency) : 0
  })
  const shares = splitAmount((total ?? sum) - sum, weights)
  return devices.map(({ price }, at) => price ?? shares[open.indexOf(at)] ?? 0)
}

const isInStock = (outcome: Outcome | null) => outcome?.bought != null && outcome.sold == null

const isUngraded = ({ offer }: StoredAppraisalWire) => offer.reasons.some(({ code }) => code === 'condition_missing')

/** The price that an outcome adds. Devices are also given away, and a recorded price was checked or confirmed. */
function newDeal(before: Outcome | null, after: Outcome): Deal | null {
  const dealOf = (outcome: Outcome | null) => (after.status === 'sold' ? outcome?.sold : outcome?.bought)
  const deal = dealOf(after)
  return !deal || deal.price === 0 || deal.price === dealOf(before)?.price ? null : deal
}

/** An appraisal while its outcome changes; it is parsed when it is first needed. */
type OpenAppraisal = {
  outcome: Outcome | null
  readonly revision: number
  readonly isListRow: boolean
  readonly read: () => StoredAppraisalWire
}

function openAppraisal({ appraisalJson, outcome, revision, isListRow }: OutcomeRecord): OpenAppraisal {
  let parsed: StoredAppraisalWire | undefined
  return {
    outcome,
    revision,
    isListRow,
    read: () => {
      parsed ??= JSON.parse(appraisalJson) as StoredAppraisalWire
      return parsed
    },
  }
}

const presentRecorded = (id: string, outcome: Outcome | null): RecordedOutcomeWire => ({
  appraisal_id: id,
  outcome: outcome && presentOutcome(outcome),
})

function catchItemError<T>(work: () => T): T | DomainError {
  try {
    return work()
  } catch (error) {
    return asItemError(error)
  }
}

/** Runs the work of a key one after the other: an outcome is decided by the one before it. */
function perKeyQueue(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const lastByKey = new Map<string, Promise<unknown>>()
  return (key, work) => {
    const run = (lastByKey.get(key) ?? Promise.resolve()).then(work, work)
    lastByKey.set(key, run)
    const cleanUp = () => {
      if (lastByKey.get(key) === run) lastByKey.delete(key)
    }
    run.then(cleanUp, cleanUp)
    return run
  }
}
