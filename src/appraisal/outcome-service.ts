import { type Actor, authorOf } from '../auth/actor.ts'
import type { Device } from '../catalog/device.ts'
import type { StoredAppraisalWire } from '../contract/appraisal.ts'
import {
  type OutcomeItemWire,
  type OutcomeRequestWire,
  outcomeRowSchema,
  type PurchaseWire,
  type RecordedOutcomeWire,
} from '../contract/outcome.ts'
import { convertBetween, US_DOLLARS } from '../currency/exchange.ts'
import type { ExchangeOn, ExchangeRateService } from '../currency/exchange-rate-service.ts'
import { formatAmount } from '../currency/format-amount.ts'
import { conflict, DomainError, excerpt, invalid, notFound } from '../lib/errors.ts'
import { yieldToEventLoop } from '../lib/event-loop.ts'
import { reason } from '../lib/reasons.ts'
import { parseOrThrow } from '../lib/validate.ts'
import { requirePlausibleAmount } from '../pricing/plausible-amount.ts'
import type { MoveLimit, MoveLimits } from '../pricing/price-move.ts'
import type { CallerContext, DurableResponses } from '../records/durable-response-service.ts'
import type { ReplayableResponse } from '../records/idempotency.ts'
import { mergeWrites } from '../records/merge-writes.ts'
import type { RecordWrites } from '../records/record-store.ts'
import { identifierKeysOf } from '../risk/lookup-request.ts'
import type { SellerStore } from '../stock/seller-store.ts'
import type { StockedDevice, StockStore } from '../stock/stock-store.ts'
import { asItemError, presentItemError } from './batch-item.ts'
import { dealForecast, dealRange, dealSubject } from './deal-facts.ts'
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

/** Appraisals parsed before yielding to other requests. */
const ITEMS_PER_TURN = 8

export type OutcomeService = {
  /** Returns after the outcome is durable. */
  readonly record: (
    id: string,
    request: OutcomeRequestWire,
    caller: CallerContext,
    actor: Actor,
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
    purchase: PurchaseWire,
    caller: CallerContext,
  ) => Promise<{ readonly outcome: Outcome; readonly writes: RecordWrites }>
}

export type OutcomeServiceOptions = {
  readonly store: OutcomeStore
  readonly stock: Pick<StockStore, 'writes' | 'removal'>
  readonly sellers: Pick<SellerStore, 'prepare' | 'followPurchase' | 'withdrawal'>
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
}
const newRequestState = (): RequestState => ({ limits: new Map(), bought: new Map() })

export function openOutcomeService({
  store,
  stock,
  sellers,
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
    const after = nextOutcome(before, request, { ...context, appraisalId: id, currency, prefix })
    // Fails here if there is no rate for the currency.
    for (const deal of [after.bought, after.sold]) if (deal) rates.exchangeFor(deal.currency, `${prefix}currency`)
    if (!request.confirm_amount) requirePlausible(before, after, appraisal.read(), prefix)
    await limitMove(before, after, request, appraisal.read(), caller, prefix, state.limits)
    if (caller.isClerk && after.status === 'bought' && after !== before)
      requireWithinLimit(caller, after.bought, appraisal.read())
    if (isInStock(after) && !isInStock(before))
      await requireNoDuplicate(id, request, appraisal.read(), caller, prefix, state)
    appraisal.outcome = after
    return { before, after, mayBeDuplicate: request.confirm_duplicate === true }
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
    { organizationId }: CallerContext,
    prefix: string,
    { bought }: RequestState,
  ): Promise<void> {
    if (!risk) return
    const keys = identifierKeysOf(risk)
    const sameRequest = keys.map((key) => bought.get(key)).find((other) => other !== undefined && other !== id)
    const known = isConfirmed ? [] : await knownDeals.find(organizationId, keys)
    const inStock = known.find(({ status, appraisalId }) => status === 'in_stock' && appraisalId !== id)
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
    throw new DomainError(
      'forbidden',
      message,
      reason('price_above_limit', { price: Math.round(paid), limit: Math.round(limit), currency }),
      [{ field: 'price', message }],
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
    const { revision } = appraisal
    if (effective.length === 0) {
      if (seller.length === 0) return []
      // Nobody may withdraw the purchase while its seller is written.
      const statements = [store.unchanged({ organizationId, appraisalId: id }, appraisal.outcome, revision)]
      return [{ tables: [], totals: [], statements }, ...seller]
    }
    const saved = appraisal.read()
    const { reference, identity, risk } = saved
    const device: AppraisedDevice = { organizationId, appraisalId: id, reference, deviceId: identity.device_id }
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
      deviceName: identity.variant_name ?? identity.device_name ?? '',
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
    const follow = outcome?.bought && seller.length === 0 ? [sellers.followPurchase(device, outcome.bought)] : []
    const audit = { actor, now, entries: effective.map(({ before, after }) => outcomeAudit(id, before, after)) }
    const writes = outcome
      ? store.writes(device, outcome, revision, facts, audit)
      : store.removal(device, revision, audit)
    return [
      {
        tables: writes.tables,
        totals: stockWrites.totals,
        statements: [...(writes.statements ?? []), ...(stockWrites.statements ?? []), ...follow],
        events: effective.map(({ before, after }) => outcomeEvent(device, before, after, now)),
        ownPriceChanges: subject && device.deviceId ? [{ organizationId, deviceId: device.deviceId }] : [],
      },
      ...seller,
    ]
  }

  /** The rows of the seller who is sent with a purchase; throws if the seller is rejected. */
  async function prepareSeller(
    appraisalId: string,
    { seller }: Pick<OutcomeRequestWire, 'seller'>,
    caller: CallerContext,
    prefix: string,
  ): Promise<(after: Outcome) => RecordWrites[]> {
    if (!seller) return () => []
    const writesFor = await sellers.prepare([appraisalId], seller, caller, prefix)
    return ({ bought }) => {
      const writes = bought ? writesFor(() => bought) : { tables: [] }
      return writes.tables.length > 0 ? [{ ...writes, totals: [] }] : []
    }
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
    record: (id, request, caller, actor) =>
      runInSequence(caller.organizationId, () =>
        records.respond(`/api/appraisals/${id}/outcome`, request, caller, async () => {
          const appraisal = (await findAppraisals(caller.organizationId, [id])).get(id)
          const change = await applyRequest(appraisal, id, request, caller, '', newRequestState())
          const seller = (await prepareSeller(id, request, caller, ''))(change.after)
          const exchangeOn = await ratesOf([change.after])
          const writes = appraisal ? prepareWrites(caller, actor, id, appraisal, [change], exchangeOn, seller) : []
          return { data: presentRecorded(id, change.after), writes: mergeWrites(writes) }
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
      const appraisal: OpenAppraisal = { outcome: null, revision: 0, read: () => newAppraisal }
      const request = { status: 'bought', ...purchase } as const
      const change = await applyRequest(appraisal, id, request, caller, 'purchase.', newRequestState())
      const seller = (await prepareSeller(id, purchase, caller, 'purchase.'))(change.after)
      const exchangeOn = await ratesOf([change.after])
      const writes = prepareWrites(caller, caller.principal.actor, id, appraisal, [change], exchangeOn, seller)
      return { outcome: change.after, writes: mergeWrites(writes) }
    },

    recordBatch: (body, caller, actor) =>
      runInSequence(caller.organizationId, () =>
        records.respond('/api/appraisals/outcomes', body, caller, async () => {
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
          return { data: items, writes: mergeWrites(writes) }
        }),
      ),
  }
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
  readonly read: () => StoredAppraisalWire
}

function openAppraisal({ appraisalJson, outcome, revision }: OutcomeRecord): OpenAppraisal {
  let parsed: StoredAppraisalWire | undefined
  return {
    outcome,
    revision,
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
