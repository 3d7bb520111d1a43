import { LRUCache } from 'lru-cache'
import type { Device, DeviceRegistry, Variant } from '../../catalog/device.ts'
import type { PricingType } from '../../contract/pricing.ts'
import type { ReloadOnChange } from '../../db/reload-on-change.ts'
import { SLICE_MS, yieldToEventLoop } from '../../lib/event-loop.ts'
import { dayNumber } from '../../lib/time.ts'
import { toDeviceInput } from '../configuration.ts'
import { OBSERVATION_WINDOW_MS } from '../markets/market-fit-service.ts'
import type { FittedMarkets } from '../model/estimate.ts'
import type { DeviceInput, Observation } from '../model/observation.ts'
import {
  type DeviceQuotes,
  deviceQuotes,
  type GoodAndPoorResale,
  type PriceEvidence,
  quoteForVariant,
  resaleForVariant,
  type VariantObservation,
  type VariantValue,
  valueForVariant,
} from './device-quotes.ts'
import { type EarlierObservations, extendHistory } from './extended-history.ts'
import { type DefectiveObservation, isWorkingObservation } from './observed-defects.ts'
import { presentPricing } from './present.ts'
import type { Quote } from './quote.ts'

/** Where real observations come from; `store.ts` is one. */
export type ObservationReader = {
  observedSince(revision: number): Promise<{ deviceIds: readonly string[]; revision: number }>
  /** Of working and of defective devices, newest first. */
  observationsOf(
    deviceId: string,
    since: number,
    until?: number,
  ): Promise<readonly (VariantObservation | DefectiveObservation)[]>
  organizationMarkets(): Promise<ReadonlyMap<string, string>>
}

export type QuoteServiceOptions<Answer extends NonNullable<unknown>> = {
  readonly registry: () => DeviceRegistry
  readonly source: ObservationReader
  /** The markets learnt by the last full pass, or those of the prior alone. */
  readonly readMarkets: () => Promise<{ markets: FittedMarkets; fittedAt: number }>
  /** Simulated observations for a device nobody has observed; none where samples are off. */
  readonly sampleOf: (markets: FittedMarkets, facts: DeviceInput, now: number) => readonly Observation[]
  /** The market of organizations that set none. */
  readonly defaultMarket: string
  readonly toResponse: (json: string) => Answer
  readonly now: () => number
  /** Follows the observations and the learnt markets. */
  readonly reloadOnChange: ReloadOnChange
  /** Told when prices that a repair answer rests on could not be read in the background. */
  readonly onFailure: (error: unknown) => void
  readonly maxDevices?: number
}

export type VariantQuote = { readonly device: Device; readonly variant: Variant; readonly quote: Quote }

export type QuoteService<Answer> = {
  /** At once where the device is held or was never observed; undefined when there is no such variant. */
  findResponse(variantId: string, type: PricingType): Answer | undefined | Promise<Answer | undefined>
  /** The amounts of a variant for whoever reckons with them; as `find`, at once where that is possible. */
  valueOf(variantId: string): VariantValue | undefined | Promise<VariantValue | undefined>
  /** The whole quote with so many days of history, for an answer that is made per call. */
  quoteOf(variantId: string, historyDays: number): Promise<VariantQuote | undefined>
  /** Code of the market whose prices an organization gets unless it asks for another. */
  marketOf(organizationId: string): string
  /** What a variant resells for, if that is known without waiting. */
  resaleIfLoaded(variantId: string): GoodAndPoorResale | null
  /** Undefined when the prices of a device are known without waiting; otherwise resolves when they are. */
  prepare(deviceId: string): Promise<void> | undefined
  /** Observations or learnt markets changed: what is held is made anew, soon. */
  invalidate(): void
  refresh(): Promise<void>
  /** Called when prices that were asked for before may have changed. */
  onPricesChanged(react: () => void): void
  close(): void
}

const MAX_DEVICES = 2_000
/** Answers of one type, in their final bytes; the quotes of a device make them again in a fraction of a millisecond. */
const MAX_RESPONSES = 2_000
const MIN_RELOAD_INTERVAL_MS = 200

/**
 * Prices of the devices people ask about. A device nobody observed is priced on the spot from the sample market or the
 * prior; an observed one is read from the store once and held until its observations, the market or the day change.
 */
export async function openQuoteService<Answer extends NonNullable<unknown>>(
  options: QuoteServiceOptions<Answer>,
): Promise<QuoteService<Answer>> {
  const held = new LRUCache<string, DeviceQuotes>({ max: options.maxDevices ?? MAX_DEVICES })
  const loading = new Map<string, Promise<DeviceQuotes | undefined>>()
  const listeners: (() => void)[] = []
  let { markets, fittedAt } = await options.readMarkets()
  const first = await options.source.observedSince(-1)
  const observed = new Set(first.deviceIds)
  let revision = first.revision
  let organizationMarkets = await options.source.organizationMarkets()
  /** Answers by type and variant, for the common case that nothing changed since the last call. */
  const answers = {
    buyback: new LRUCache<string, Answer>({ max: MAX_RESPONSES }),
    resale: new LRUCache<string, Answer>({ max: MAX_RESPONSES }),
    both: new LRUCache<string, Answer>({ max: MAX_RESPONSES }),
  }
  let answersOf = options.registry()
  let answersOn = dayNumber(options.now())

  function forgetAnswers(): void {
    for (const kept of Object.values(answers)) kept.clear()
  }

  /** The answers kept of a type, none of them from yesterday or from an older registry. */
  function currentAnswers(type: PricingType): LRUCache<string, Answer> {
    const registry = options.registry()
    const day = dayNumber(options.now())
    if (registry !== answersOf || day !== answersOn) {
      forgetAnswers()
      answersOf = registry
      answersOn = day
    }
    return answers[type]
  }

  function make(device: Device, evidenceFor: (facts: DeviceInput) => PriceEvidence): DeviceQuotes {
    const facts = toDeviceInput(device, options.registry())
    return deviceQuotes(device, facts, markets, evidenceFor(facts), options.now())
  }

  /** The quotes of a device without waiting, where nothing has to be read for them. */
  function quotesAtOnce(device: Device): DeviceQuotes | undefined {
    const quotes = held.get(device.id)
    if (quotes && quotes.device === device && quotes.day === dayNumber(options.now())) return quotes
    if (observed.has(device.id)) return undefined
    const made = make(device, (facts) => ({ sample: options.sampleOf(markets, facts, options.now()) }))
    held.set(device.id, made)
    return made
  }

  function load(deviceId: string): Promise<DeviceQuotes | undefined> {
    const underWay = loading.get(deviceId)
    if (underWay) return underWay
    const reading = options.source
      .observationsOf(deviceId, options.now() - OBSERVATION_WINDOW_MS)
      .then((real) => {
        const device = options.registry().findDevice(deviceId)
        if (!device) return undefined
        const quotes = make(device, () => ({ real }))
        // A change that came during the read has taken it off the list: what it read may be older than the change.
        if (loading.get(deviceId) === reading) held.set(deviceId, quotes)
        return quotes
      })
      .finally(() => {
        if (loading.get(deviceId) === reading) loading.delete(deviceId)
      })
    loading.set(deviceId, reading)
    return reading
  }

  function answerOf(quotes: DeviceQuotes, variant: Variant, type: PricingType): Answer | undefined {
    const quote = quoteForVariant(quotes, variant)
    return quote && options.toResponse(JSON.stringify(presentPricing(quotes.device, variant, quote, type)))
  }

  async function renew(): Promise<void> {
    const learnt = await options.readMarkets()
    const changes = await options.source.observedSince(revision)
    organizationMarkets = await options.source.organizationMarkets()
    if (learnt.fittedAt !== fittedAt) {
      markets = learnt.markets
      fittedAt = learnt.fittedAt
      held.clear()
    }
    let until = performance.now() + SLICE_MS
    for (const id of changes.deviceIds) {
      observed.add(id)
      const wasHeld = held.delete(id)
      const wasAsked = loading.delete(id) || wasHeld
      if (wasAsked && !following.isClosed()) await load(id)
      // SQLite answers without leaving the turn, and thousands of devices may be held.
      if (performance.now() < until) continue
      await yieldToEventLoop()
      until = performance.now() + SLICE_MS
    }
    revision = changes.revision
    forgetAnswers()
    for (const react of listeners) react()
  }

  function pastOf(device: Device): EarlierObservations | null {
    if (!observed.has(device.id)) return null
    return {
      markets,
      facts: toDeviceInput(device, options.registry()),
      read: async (since, until) =>
        (await options.source.observationsOf(device.id, since, until)).filter(isWorkingObservation),
    }
  }

  function withQuotes<T>(
    variantId: string,
    read: (quotes: DeviceQuotes, found: { device: Device; variant: Variant }) => T | undefined,
  ): T | undefined | Promise<T | undefined> {
    const found = options.registry().findVariant(variantId)
    if (!found) return undefined
    const quotes = quotesAtOnce(found.device)
    if (quotes) return read(quotes, found)
    return load(found.device.id).then((loaded) => loaded && read(loaded, found))
  }

  const following = options.reloadOnChange(renew, { minIntervalMs: () => MIN_RELOAD_INTERVAL_MS })

  return {
    findResponse(variantId, type) {
      const kept = currentAnswers(type)
      const known = kept.get(variantId)
      if (known) return known
      const found = options.registry().findVariant(variantId)
      if (!found) return undefined
      const quotes = quotesAtOnce(found.device)
      if (quotes) {
        const answer = answerOf(quotes, found.variant, type)
        if (answer) kept.set(variantId, answer)
        return answer
      }
      return load(found.device.id).then((loaded) => loaded && answerOf(loaded, found.variant, type))
    },
    valueOf: (variantId) => withQuotes(variantId, (quotes, { variant }) => valueForVariant(quotes, variant)),
    async quoteOf(variantId, historyDays) {
      const held = await withQuotes(variantId, (quotes, found) => {
        const quote = quoteForVariant(quotes, found.variant)
        return quote && { ...found, quote }
      })
      return (
        held && {
          ...held,
          quote: await extendHistory(
            held.quote,
            held.variant,
            { days: historyDays, now: options.now() },
            pastOf(held.device),
          ),
        }
      )
    },
    marketOf: (organizationId) => organizationMarkets.get(organizationId) ?? options.defaultMarket,
    resaleIfLoaded(variantId) {
      const found = options.registry().findVariant(variantId)
      if (!found) return null
      const quotes = quotesAtOnce(found.device)
      if (!quotes) {
        load(found.device.id).then(() => {
          for (const react of listeners) react()
        }, options.onFailure)
        return null
      }
      return resaleForVariant(quotes, found.variant)
    },
    prepare(deviceId) {
      const device = options.registry().findDevice(deviceId)
      return !device || quotesAtOnce(device) ? undefined : load(deviceId).then(() => {})
    },
    invalidate: following.invalidate,
    refresh: following.refresh,
    onPricesChanged: (react) => void listeners.push(react),
    close: following.close,
  }
}
