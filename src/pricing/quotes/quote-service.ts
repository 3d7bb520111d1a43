import { LRUCache } from 'lru-cache'
import type { Device, DeviceRegistry, Variant } from '../../catalog/device.ts'
import type { CarrierLock, PricingType } from '../../contract/pricing.ts'
import type { ReloadOnChange } from '../../db/reload-on-change.ts'
import { SLICE_MS, taskQueue, yieldToEventLoop } from '../../lib/event-loop.ts'
import { dayNumber } from '../../lib/time.ts'
import { toDeviceInput } from '../configuration.ts'
import { isPriceOf } from '../country-market.ts'
import { OBSERVATION_WINDOW_MS } from '../markets/market-fit-service.ts'
import type { MarketFitState } from '../markets/market-fit-state.ts'
import { type CountryMarkets, marketsOf } from '../model/country-markets.ts'
import type { FittedMarkets } from '../model/estimate.ts'
import type { DeviceInput, Observation } from '../model/observation.ts'
import {
  configurationQuotes,
  type DeviceQuotes,
  deviceQuotes,
  type GoodAndPoorResale,
  type PriceEvidence,
  type QuoteTerms,
  quoteForVariant,
  resaleForVariant,
  type VariantObservation,
  type VariantValue,
  valueForVariant,
} from './device-quotes.ts'
import { type EarlierObservations, extendHistory } from './extended-history.ts'
import { type HeldDeal, splitHeldDeals } from './held-deals.ts'
import { type DefectiveObservation, isWorkingObservation } from './observed-defects.ts'
import { ownDistances } from './own-distances.ts'
import { fitOwnLevels, OWN_LEVEL_DEVICES, OWN_LEVEL_ROWS, type OwnDevice, type OwnLevels } from './own-levels.ts'
import { presentPricing } from './present.ts'
import type { UnitsPerUsd } from './price-bounds.ts'
import type { Quote } from './quote.ts'

/** Where real observations come from: the pricing store, or rows of a test. */
export type ObservationReader = {
  observedSince(revision: number): Promise<{ deviceIds: readonly string[]; revision: number }>
  /** Of working and of defective devices, newest first. */
  observationsOf(
    deviceId: string,
    since: number,
    until?: number,
  ): Promise<readonly (VariantObservation | DefectiveObservation)[]>
  organizationMarkets(): Promise<ReadonlyMap<string, string>>
  organizationsWithPrices(): Promise<readonly string[]>
  ownPricesChangedSince(revision: number): Promise<{ organizationIds: readonly string[]; revision: number }>
  newestOwnDevices(organizationId: string, limit: number): Promise<readonly string[]>
  ownObservationsOf(organizationId: string, deviceId: string, since: number): Promise<readonly VariantObservation[]>
}

export type QuoteServiceOptions<ReadyResponse extends NonNullable<unknown>> = {
  readonly registry: () => DeviceRegistry
  readonly source: ObservationReader
  /** The markets of the last full fit, or the prior markets. */
  readonly readMarkets: () => Promise<{ markets: CountryMarkets; fittedAt: number; fit?: MarketFitState }>
  /** Simulated observations for an unobserved device; none if sample data is off. */
  readonly sampleOf: (markets: FittedMarkets, facts: DeviceInput, now: number) => readonly Observation[]
  /** For list prices of other markets; absent if they are not known. */
  readonly unitsPerUsd?: UnitsPerUsd
  /** The market of organizations that set none. */
  readonly defaultMarket: () => string
  readonly toResponse: (data: unknown) => ReadyResponse
  readonly now: () => number
  /** Reports changes of observations and fitted markets. */
  readonly reloadOnChange: ReloadOnChange
  /** Called if prices for a repair response could not be read in the background. */
  readonly onFailure: (error: unknown) => void
}

/** Market and organization that prices are requested for. */
export type PriceScope = {
  /** Code of the market. */
  readonly market: string
  /** The organization whose own prices are included; null if it has none. */
  readonly organizationId: string | null
}

export type VariantQuote = {
  readonly device: Device
  readonly variant: Variant
  readonly quote: Quote
  readonly fit: MarketFitState | undefined
  readonly heldDeals: readonly HeldDeal[]
}

export type QuoteService<ReadyResponse> = {
  /** Synchronous if the device is cached or was never observed; undefined for an unknown variant. */
  findResponse(
    variantId: string,
    type: PricingType,
    scope?: PriceScope,
  ): ReadyResponse | undefined | Promise<ReadyResponse | undefined>
  /** The amounts of a variant for an appraisal. Synchronous if the device is cached or was never observed. */
  valueOf(
    variantId: string,
    scope?: PriceScope,
    lock?: CarrierLock,
  ): VariantValue | undefined | Promise<VariantValue | undefined>
  /** The whole quote with this many days of history, for responses that are not cached. */
  quoteOf(variantId: string, historyDays: number, scope?: PriceScope): Promise<VariantQuote | undefined>
  /** Price scope of an organization: the requested market, otherwise its own, otherwise that of the service. */
  scopeOf(organizationId: string, market?: string): PriceScope
  /** Code of the market whose prices an organization gets unless it asks for another. */
  marketOf(organizationId: string): string
  /** Resale prices of a variant, if they are available synchronously. */
  resaleIfLoaded(variantId: string): GoodAndPoorResale | null
  /** Undefined if the prices of a device are available synchronously; otherwise resolves when they are. */
  prepare(deviceId: string): Promise<void> | undefined
  /** Observations or fitted markets changed: cached quotes are recomputed soon. */
  invalidate(): void
  /** The default market or the use of sample prices changed: nothing computed before is served again. */
  forgetAll(): void
  refresh(): Promise<void>
  /** Called when prices that were asked for before may have changed. */
  onPricesChanged(listener: () => void): void
  close(): void
}

const MAX_DEVICES = 2_000
/** Cached own levels of organizations; recomputing one takes milliseconds. */
const MAX_OWN_LEVELS = 1_000
/** Cached responses per type, as final bytes; recreating one from cached quotes takes a fraction of a millisecond. */
const MAX_RESPONSES = 2_000
const MIN_RELOAD_INTERVAL_MS = 200

/**
 * Prices of requested devices. An unobserved device is priced synchronously from the sample market or the prior; an observed one
 * is read from the database once and cached until its observations, the market or the day change.
 */
export async function openQuoteService<ReadyResponse extends NonNullable<unknown>>(
  options: QuoteServiceOptions<ReadyResponse>,
): Promise<QuoteService<ReadyResponse>> {
  const quoteCache = new LRUCache<string, DeviceQuotes>({ max: MAX_DEVICES })
  const loading = new Map<string, Promise<DeviceQuotes | undefined>>()
  const ownLevels = new LRUCache<string, Promise<OwnLevels>>({ max: MAX_OWN_LEVELS })
  const scopes = new Map<string, PriceScope>()
  const commonScope = () => marketScope(options.defaultMarket())
  const listeners: (() => void)[] = []
  const inTurn = taskQueue()
  let { markets, fittedAt, fit } = await options.readMarkets()
  const first = await options.source.observedSince(-1)
  const observed = new Set(first.deviceIds)
  let revision = first.revision
  let organizationMarkets = await options.source.organizationMarkets()
  const withOwnPrices = new Set(await options.source.organizationsWithPrices())
  let ownRevision = (await options.source.ownPricesChangedSince(revision)).revision
  /** Cached responses by type and variant. */
  const responseCaches = {
    buyback: new LRUCache<string, ReadyResponse>({ max: MAX_RESPONSES }),
    resale: new LRUCache<string, ReadyResponse>({ max: MAX_RESPONSES }),
    both: new LRUCache<string, ReadyResponse>({ max: MAX_RESPONSES }),
  }
  let cachedRegistry = options.registry()
  let cachedDay = dayNumber(options.now())

  function notifyListeners(): void {
    for (const notify of listeners) notify()
  }

  function clearResponses(): void {
    for (const cache of Object.values(responseCaches)) cache.clear()
  }

  /** Response cache of a type, cleared when the day or the registry changes. */
  function responseCache(type: PricingType): LRUCache<string, ReadyResponse> {
    const registry = options.registry()
    const day = dayNumber(options.now())
    if (registry !== cachedRegistry || day !== cachedDay) {
      clearResponses()
      cachedRegistry = registry
      cachedDay = day
    }
    return responseCaches[type]
  }

  const marketOf = (organizationId: string) => organizationMarkets.get(organizationId) ?? options.defaultMarket()

  /** Equal scopes without own prices are the same object. */
  function scopeOf(organizationId: string, market?: string): PriceScope {
    const code = market ?? marketOf(organizationId)
    return withOwnPrices.has(organizationId) ? { market: code, organizationId } : marketScope(code)
  }

  function marketScope(market: string): PriceScope {
    let scope = scopes.get(market)
    if (!scope) {
      scope = { market, organizationId: null }
      scopes.set(market, scope)
    }
    return scope
  }

  /** Cache key of the quotes of a device, or the response of a variant, for a scope. */
  const keyOf = (id: string, { market, organizationId }: PriceScope) =>
    organizationId === null
      ? market === options.defaultMarket()
        ? id
        : `${id}\t${market}`
      : `${id}\t${market}\t${organizationId}`

  function computeQuotes(
    device: Device,
    scope: PriceScope,
    evidenceFor: (facts: DeviceInput, scopeMarkets: FittedMarkets) => PriceEvidence,
    ownPrices?: QuoteTerms['ownPrices'],
  ): DeviceQuotes {
    const facts = toDeviceInput(device, options.registry())
    const scopeMarkets = marketsOf(markets, scope.market)
    return deviceQuotes(device, facts, scopeMarkets, evidenceFor(facts, scopeMarkets), options.now(), {
      ownPrices,
      isFitOutdated: fit?.isOutdated === true,
      ...(options.unitsPerUsd ? { unitsPerUsd: options.unitsPerUsd } : {}),
    })
  }

  /** Distance of an organization's newest prices from the common prices of a market. */
  function ownLevelsOf(organizationId: string, market: string): Promise<OwnLevels> {
    const key = `${organizationId}\t${market}`
    const cached = ownLevels.get(key)
    if (cached) return cached
    const computing = computeOwnLevels(organizationId, { market, organizationId: null })
    ownLevels.set(key, computing)
    computing.catch(() => ownLevels.delete(key))
    return computing
  }

  async function computeOwnLevels(organizationId: string, scope: PriceScope): Promise<OwnLevels> {
    const now = options.now()
    const resale: OwnDevice[] = []
    const buyback: OwnDevice[] = []
    for (const deviceId of await options.source.newestOwnDevices(organizationId, OWN_LEVEL_DEVICES)) {
      const device = options.registry().findDevice(deviceId)
      const rows = await options.source.ownObservationsOf(organizationId, deviceId, now - OBSERVATION_WINDOW_MS)
      const quotes = device && (quotesIfLoaded(device, scope) ?? (await load(deviceId, scope)))
      if (!quotes) continue
      const newest = rows.filter((row) => isPriceOf(scope.market, row.market)).slice(0, OWN_LEVEL_ROWS)
      const commonQuotes = configurationQuotes(quotes)
      const { counted } = splitHeldDeals(commonQuotes, newest, now)
      const reaching = counted.filter(({ isLocal }) => !isLocal)
      const subject = toDeviceInput(device, options.registry())
      resale.push({ subject, distances: ownDistances(commonQuotes, reaching, 'resale', now) })
      buyback.push({ subject, distances: ownDistances(commonQuotes, reaching, 'buyback', now) })
      await yieldToEventLoop()
    }
    return { resale: fitOwnLevels(resale), buyback: fitOwnLevels(buyback) }
  }

  /** The quotes of a device if nothing has to be read for them. */
  function quotesIfLoaded(device: Device, scope: PriceScope): DeviceQuotes | undefined {
    const key = keyOf(device.id, scope)
    const quotes = quoteCache.get(key)
    if (quotes && quotes.device === device && quotes.day === dayNumber(options.now())) return quotes
    if (observed.has(device.id) || scope.organizationId !== null) return undefined
    const computed = computeQuotes(device, scope, (facts, scopeMarkets) => ({
      sample: options.sampleOf(scopeMarkets, facts, options.now()),
    }))
    quoteCache.set(key, computed)
    return computed
  }

  function load(deviceId: string, scope: PriceScope): Promise<DeviceQuotes | undefined> {
    const key = keyOf(deviceId, scope)
    const pending = loading.get(key)
    if (pending) return pending
    const reading = read(deviceId, scope)
      .then((quotes) => {
        // A change during the read removes it from `loading`: its rows may be older than the change.
        if (quotes && loading.get(key) === reading) quoteCache.set(key, quotes)
        return quotes
      })
      .finally(() => {
        if (loading.get(key) === reading) loading.delete(key)
      })
    loading.set(key, reading)
    return reading
  }

  async function read(deviceId: string, scope: PriceScope): Promise<DeviceQuotes | undefined> {
    const { market, organizationId } = scope
    const since = options.now() - OBSERVATION_WINDOW_MS
    const real = observed.has(deviceId) ? await inTurn(() => options.source.observationsOf(deviceId, since)) : []
    const own =
      organizationId === null
        ? undefined
        : {
            rows: (await inTurn(() => options.source.ownObservationsOf(organizationId, deviceId, since))).filter(
              (row) => isPriceOf(market, row.market),
            ),
            levels: await ownLevelsOf(organizationId, market),
          }
    const device = options.registry().findDevice(deviceId)
    if (!device) return undefined
    const hasReal = real.length > 0 || (own?.rows.length ?? 0) > 0 || observed.has(deviceId)
    const evidenceFor = (facts: DeviceInput, scopeMarkets: FittedMarkets): PriceEvidence =>
      hasReal ? { real } : { sample: options.sampleOf(scopeMarkets, facts, options.now()) }
    return inTurn(() => computeQuotes(device, scope, evidenceFor, own))
  }

  /** Drops the cached quotes of a device in every scope; returns whether it was cached in the common one. */
  function forgetDevice(deviceId: string): boolean {
    let wasRequested = false
    for (const scope of scopes.values()) {
      const key = keyOf(deviceId, scope)
      const wasCached = quoteCache.delete(key)
      if ((loading.delete(key) || wasCached) && scope === commonScope()) wasRequested = true
    }
    return wasRequested
  }

  /** Drops everything computed from the own prices of one organization, or of all. */
  function forgetOwnPrices(organizationId?: string): void {
    const isAffected = (owner: string | undefined) =>
      owner !== undefined && (organizationId === undefined || owner === organizationId)
    for (const cache of [quoteCache, loading]) {
      for (const key of [...cache.keys()]) if (isAffected(key.split('\t')[2])) cache.delete(key)
    }
    for (const key of [...ownLevels.keys()]) if (isAffected(key.split('\t')[0])) ownLevels.delete(key)
  }

  function buildResponse(quotes: DeviceQuotes, variant: Variant, type: PricingType): ReadyResponse | undefined {
    const quote = quoteForVariant(quotes, variant)
    return (
      quote &&
      options.toResponse(
        presentPricing(quotes.device, variant, quote, type, 'unlocked', { fit, heldDeals: quotes.heldDeals }),
      )
    )
  }

  async function reload(): Promise<void> {
    const fitted = await options.readMarkets()
    const changes = await options.source.observedSince(revision)
    organizationMarkets = await options.source.organizationMarkets()
    const becameOutdated = fitted.fit?.isOutdated !== fit?.isOutdated
    fit = fitted.fit
    if (fitted.fittedAt !== fittedAt || becameOutdated) {
      markets = fitted.markets
      fittedAt = fitted.fittedAt
      quoteCache.clear()
      ownLevels.clear()
    }
    const ownChanges = await options.source.ownPricesChangedSince(ownRevision)
    ownRevision = ownChanges.revision
    for (const id of ownChanges.organizationIds) {
      withOwnPrices.add(id)
      forgetOwnPrices(id)
    }
    if (changes.deviceIds.length > 0) forgetOwnPrices()
    let until = performance.now() + SLICE_MS
    for (const id of changes.deviceIds) {
      observed.add(id)
      if (forgetDevice(id) && !reloader.isClosed()) await load(id, commonScope())
      // SQLite responds within the same event-loop turn, and thousands of devices may be cached.
      if (performance.now() < until) continue
      await yieldToEventLoop()
      until = performance.now() + SLICE_MS
    }
    revision = changes.revision
    clearResponses()
    notifyListeners()
  }

  function earlierObservations(device: Device, scope: PriceScope): EarlierObservations | null {
    if (!observed.has(device.id)) return null
    return {
      markets: marketsOf(markets, scope.market),
      facts: toDeviceInput(device, options.registry()),
      read: async (since, until) =>
        (await options.source.observationsOf(device.id, since, until)).filter(isWorkingObservation),
    }
  }

  function withQuotes<T>(
    variantId: string,
    scope: PriceScope,
    read: (quotes: DeviceQuotes, match: { device: Device; variant: Variant }) => T | undefined,
  ): T | undefined | Promise<T | undefined> {
    const match = options.registry().findVariant(variantId)
    if (!match) return undefined
    const quotes = quotesIfLoaded(match.device, scope)
    if (quotes) return read(quotes, match)
    return load(match.device.id, scope).then((loaded) => loaded && read(loaded, match))
  }

  const reloader = options.reloadOnChange(reload, { minIntervalMs: () => MIN_RELOAD_INTERVAL_MS })

  return {
    scopeOf,
    findResponse(variantId, type, scope = commonScope()) {
      const cache = responseCache(type)
      const key = keyOf(variantId, scope)
      const cached = cache.get(key)
      if (cached) return cached
      const response = withQuotes(variantId, scope, (quotes, { variant }) => buildResponse(quotes, variant, type))
      // Quotes that were read may be older than a change during the read, so their response is not cached.
      if (response && !(response instanceof Promise)) cache.set(key, response)
      return response
    },
    valueOf: (variantId, scope = commonScope(), lock = 'unlocked') =>
      withQuotes(variantId, scope, (quotes, { variant }) => valueForVariant(quotes, variant, lock)),
    async quoteOf(variantId, historyDays, scope = commonScope()) {
      const variantQuote = await withQuotes(variantId, scope, (quotes, match) => {
        const quote = quoteForVariant(quotes, match.variant)
        return quote && { ...match, quote, fit, heldDeals: quotes.heldDeals }
      })
      return (
        variantQuote && {
          ...variantQuote,
          quote: await extendHistory(
            variantQuote.quote,
            variantQuote.variant,
            { days: historyDays, now: options.now() },
            earlierObservations(variantQuote.device, scope),
          ),
        }
      )
    },
    marketOf,
    resaleIfLoaded(variantId) {
      const match = options.registry().findVariant(variantId)
      if (!match) return null
      const scope = commonScope()
      const quotes = quotesIfLoaded(match.device, scope)
      if (!quotes) {
        load(match.device.id, scope).then(notifyListeners, options.onFailure)
        return null
      }
      return resaleForVariant(quotes, match.variant)
    },
    prepare(deviceId) {
      const device = options.registry().findDevice(deviceId)
      return !device || quotesIfLoaded(device, commonScope()) ? undefined : load(deviceId, commonScope()).then(() => {})
    },
    invalidate: reloader.invalidate,
    forgetAll() {
      quoteCache.clear()
      loading.clear()
      ownLevels.clear()
      clearResponses()
      notifyListeners()
    },
    refresh: reloader.refresh,
    onPricesChanged: (listener) => void listeners.push(listener),
    close: reloader.close,
  }
}
