import type { Device, Variant } from '../../catalog/device.ts'
import type { PricingType } from '../../contract/pricing.ts'
import { renewal } from '../../renewal.ts'
import type { Markets } from '../engine/estimate.ts'
import type { DeviceFacts, Observation } from '../engine/observation.ts'
import { configurationOf, deviceFacts } from '../market/configuration.ts'
import { MEMORY_MS } from '../market/repricing.ts'
import { presentPricing, unobserved } from './present.ts'
import { type Quote, quoteDevice } from './quote.ts'

/** The registry at one moment; the catalogue's snapshot is one. */
export type Registry = {
  findDevice(id: string): Device | undefined
  findVariant(id: string): { readonly device: Device; readonly variant: Variant } | undefined
}

/** An observation that may tell which variant of its configuration it was of. */
export type BookObservation = Observation & { readonly exactVariantId: string | null }

/** Where real observations come from; `store.ts` is one. */
export type ObservationSource = {
  observedSince(revision: number): Promise<{ deviceIds: readonly string[]; revision: number }>
  observationsOf(deviceId: string, since: number): Promise<readonly BookObservation[]>
}

export type BookOptions<Answer> = {
  readonly registry: () => Registry
  readonly source: ObservationSource
  /** The markets learnt by the last full pass, or those of the prior alone. */
  readonly readMarkets: () => Promise<{ markets: Markets; fittedAt: number }>
  /** Simulated observations for a device nobody has observed; none where samples are off. */
  readonly sampleOf: (facts: DeviceFacts, now: number) => readonly Observation[]
  readonly ready: (json: string) => Answer
  readonly now: () => number
  readonly failed: (error: unknown) => void
  readonly mostDevices?: number
}

export type Resale = { readonly goodCents: number; readonly poorCents: number }

export type PricingBook<Answer> = {
  /** At once where the device is held or was never observed; undefined when there is no such variant. */
  find(variantId: string, type: PricingType): Answer | undefined | Promise<Answer | undefined>
  /** What a variant resells for, if that is known without waiting. */
  resaleOf(variantId: string): Resale | null
  /** Undefined when the prices of a device are known without waiting; otherwise resolves when they are. */
  prepare(deviceId: string): Promise<void> | undefined
  /** Observations or learnt markets changed: what is held is made anew, soon. */
  changed(): void
  refresh(): Promise<void>
  /** Called when prices that were asked for before may have changed. */
  onPrices(react: () => void): void
  close(): void
}

const MOST_DEVICES = 2_000
/** Answers of one type, in their final bytes; a page makes them again in a fraction of a millisecond. */
const MOST_HOT = 2_000
const REST_MS = 200
const DAY_MS = 86_400_000

type HotAnswers<Answer> = {
  get(variantId: string): Answer | undefined
  set(variantId: string, answer: Answer): void
  clear(): void
}

/** The answers asked for last: at most `MOST_HOT`, and at least half as many, without a list of who came when. */
function hotAnswers<Answer>(): HotAnswers<Answer> {
  let young = new Map<string, Answer>()
  let old = new Map<string, Answer>()
  function set(variantId: string, answer: Answer): void {
    if (young.size >= MOST_HOT / 2) {
      old = young
      young = new Map()
    }
    young.set(variantId, answer)
  }
  return {
    set,
    get(variantId) {
      const answer = young.get(variantId)
      if (answer) return answer
      const left = old.get(variantId)
      if (left) set(variantId, left)
      return left
    },
    clear() {
      young.clear()
      old.clear()
    },
  }
}

/**
 * A quote is some hundred small objects, and thousands of them live for hours among the garbage of each request: as one text
 * each they leave no holes in memory that cannot be given back. What is asked for often is made into an answer and kept as that.
 */
type PackedQuote = { readonly text: string; readonly resale: Resale | null }

function pack(quote: Quote): PackedQuote {
  const { cents } = quote.resale
  return { text: JSON.stringify(quote), resale: cents && { goodCents: cents.Good, poorCents: cents.Poor } }
}

/** All that is known of the prices of one device, until something about it changes. */
type Page = {
  readonly device: Device
  readonly day: number
  readonly quotes: ReadonlyMap<string, PackedQuote>
  /** Observations of each variant itself; under '' those whose colour nobody told, by configuration. */
  readonly own: ReadonlyMap<string, number>
  readonly isReal: boolean
  used: boolean
}

/**
 * Prices of the devices people ask about. A device nobody observed is priced on the spot from the sample market or the
 * prior; an observed one is read from the store once and held until its observations, the market or the day change.
 */
export async function openPricingBook<Answer>(options: BookOptions<Answer>): Promise<PricingBook<Answer>> {
  const most = options.mostDevices ?? MOST_DEVICES
  const pages = new Map<string, Page>()
  const loading = new Map<string, Promise<Page | undefined>>()
  const listeners: (() => void)[] = []
  let { markets, fittedAt } = await options.readMarkets()
  const first = await options.source.observedSince(-1)
  const observed = new Set(first.deviceIds)
  let revision = first.revision
  /** Answers by type and variant, for the common case that nothing changed since the last call. */
  const hot = { buyback: hotAnswers<Answer>(), resale: hotAnswers<Answer>(), both: hotAnswers<Answer>() }
  let hotRegistry = options.registry()
  let hotDay = Math.floor(options.now() / DAY_MS)

  function coolDown(): void {
    for (const answers of Object.values(hot)) answers.clear()
  }

  /** The hot answers of a type, none of them from yesterday or from another edition of the registry. */
  function hotOf(type: PricingType): HotAnswers<Answer> {
    const registry = options.registry()
    const day = Math.floor(options.now() / DAY_MS)
    if (registry !== hotRegistry || day !== hotDay) {
      coolDown()
      hotRegistry = registry
      hotDay = day
    }
    return hot[type]
  }

  function makePage(device: Device, real: readonly BookObservation[] | undefined): Page {
    const now = options.now()
    const facts = deviceFacts(device)
    const rows = real ?? options.sampleOf(facts, now)
    const isSample = real === undefined && rows.length > 0
    const quotes = quoteDevice(markets, facts, rows, now, isSample)
    const own = new Map<string, number>()
    for (const row of real ?? []) {
      const name = row.exactVariantId ?? `\t${row.variantId}`
      own.set(name, (own.get(name) ?? 0) + 1)
    }
    return {
      device,
      day: Math.floor(now / DAY_MS),
      quotes: new Map(quotes.map((quote) => [quote.variantId, pack(quote)])),
      own,
      isReal: real !== undefined,
      used: false,
    }
  }

  function hold(page: Page): Page {
    pages.delete(page.device.id)
    pages.set(page.device.id, page)
    // Second chance: what was asked for since it was last looked at moves to the end instead of out.
    for (const [id, held] of pages) {
      if (pages.size <= most) break
      pages.delete(id)
      if (!held.used || held === page) continue
      held.used = false
      pages.set(id, held)
    }
    return page
  }

  function heldPage(device: Device): Page | undefined {
    const page = pages.get(device.id)
    if (!page || page.device !== device || page.day !== Math.floor(options.now() / DAY_MS)) return undefined
    page.used = true
    return page
  }

  /** A page without waiting, where nothing has to be read for it. */
  function pageAtOnce(device: Device): Page | undefined {
    return heldPage(device) ?? (observed.has(device.id) ? undefined : hold(makePage(device, undefined)))
  }

  function load(deviceId: string): Promise<Page | undefined> {
    let under = loading.get(deviceId)
    if (!under) {
      under = options.source
        .observationsOf(deviceId, options.now() - MEMORY_MS)
        .then((rows) => {
          const device = options.registry().findDevice(deviceId)
          return device && hold(makePage(device, rows))
        })
        .finally(() => loading.delete(deviceId))
      loading.set(deviceId, under)
    }
    return under
  }

  /** The quote of a variant: its configuration's, said to be derived where the variant itself was not observed. */
  function quoteOf(page: Page, variant: Variant): Quote | undefined {
    const configuration = configurationOf(variant)
    const packed = page.quotes.get(configuration)
    const quote: Quote | undefined = packed && JSON.parse(packed.text)
    if (!quote || !page.isReal) return quote
    const own = (page.own.get(variant.id) ?? 0) + (page.own.get(`\t${configuration}`) ?? 0)
    return own === 0 ? unobserved(quote) : { ...quote, dataPoints: Math.min(quote.dataPoints, own) }
  }

  function answerOf(page: Page, variant: Variant, type: PricingType): Answer | undefined {
    const quote = quoteOf(page, variant)
    return quote && options.ready(JSON.stringify(presentPricing(page.device, variant, quote, type)))
  }

  async function renew(): Promise<void> {
    const learnt = await options.readMarkets()
    const changes = await options.source.observedSince(revision)
    if (learnt.fittedAt !== fittedAt) {
      markets = learnt.markets
      fittedAt = learnt.fittedAt
      pages.clear()
    }
    for (const id of changes.deviceIds) {
      observed.add(id)
      const wasAsked = pages.delete(id)
      if (wasAsked && !following.isClosed()) await load(id)
    }
    revision = changes.revision
    coolDown()
    for (const react of listeners) react()
  }

  const following = renewal({ renew, failed: options.failed, restMs: () => REST_MS })

  return {
    find(variantId, type) {
      const answers = hotOf(type)
      const kept = answers.get(variantId)
      if (kept) return kept
      const found = options.registry().findVariant(variantId)
      if (!found) return undefined
      const page = pageAtOnce(found.device)
      if (page) {
        const answer = answerOf(page, found.variant, type)
        if (answer) answers.set(variantId, answer)
        return answer
      }
      return load(found.device.id).then((loaded) => loaded && answerOf(loaded, found.variant, type))
    },
    resaleOf(variantId) {
      const found = options.registry().findVariant(variantId)
      if (!found) return null
      const page = pageAtOnce(found.device)
      if (!page) {
        load(found.device.id).then(() => {
          for (const react of listeners) react()
        }, options.failed)
        return null
      }
      return page.quotes.get(configurationOf(found.variant))?.resale ?? null
    },
    prepare(deviceId) {
      const device = options.registry().findDevice(deviceId)
      return !device || pageAtOnce(device) ? undefined : load(deviceId).then(() => {})
    },
    changed: following.changed,
    refresh: following.refresh,
    onPrices: (react) => void listeners.push(react),
    close: following.close,
  }
}
