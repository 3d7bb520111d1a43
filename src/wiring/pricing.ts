import type { Catalogue } from '../catalog/catalogue.ts'
import type { Database } from '../db/open.ts'
import type { ReadyAnswer } from '../http/ready.ts'
import { readyAnswer } from '../http/ready.ts'
import type { Log } from '../http/request-log.ts'
import type { Markets } from '../pricing/engine/estimate.ts'
import { unobservedMarket } from '../pricing/engine/market-fit.ts'
import type { DeviceFacts, Observation } from '../pricing/engine/observation.ts'
import { PRIOR_COEFFICIENTS } from '../pricing/engine/prior-coefficients.ts'
import { deviceFacts } from '../pricing/market/configuration.ts'
import { readFit, writeFit } from '../pricing/market/fit-record.ts'
import { learnMarkets } from '../pricing/market/repricing.ts'
import { sampleObservations } from '../pricing/market/sample.ts'
import { type PricingStore, pricingStore } from '../pricing/market/store.ts'
import { METHOD } from '../pricing/serve/quote.ts'
import { openPricingBook, type PricingBook, type Registry } from '../pricing/serve/quotes.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** A fit is renewed at night, when this much has come in since, or when it is a day old and anything has. */
const NIGHT_HOUR = 3
const LOOK_EVERY_MS = 10 * 60_000

export type Pricing = {
  readonly book: PricingBook<ReadyAnswer>
  close(): void
}

/** The pricing book on our store, kept fresh, with the nightly full pass. */
export async function openPricing(options: {
  db: Database
  catalogue: Catalogue
  sampleData: boolean
  log: Log
}): Promise<Pricing> {
  const { db, catalogue, log } = options
  const store = pricingStore(db)
  const book = await openPricingBook({
    registry: () => catalogue.snapshot(),
    source: store,
    readMarkets: () => readMarkets(store),
    sampleOf: options.sampleData ? sampleMarket(Date.now()) : () => [],
    ready: readyAnswer,
    now: Date.now,
    failed: (error) => log.warn('prices could not be made anew', { cause: String(error) }),
  })
  const stopListening = db.onChange('market', book.changed)
  const timer = setInterval(() => {
    reprice(store, catalogue.snapshot(), Date.now(), { onlyWhenDue: true }).then(
      (pass) => pass && log.info('market learnt anew', pass),
      (error) => log.warn('the nightly pass failed', { cause: String(error) }),
    )
  }, LOOK_EVERY_MS)
  return {
    book,
    close() {
      clearInterval(timer)
      stopListening()
      book.close()
    },
  }
}

/** The simulation rests on the prior alone: what real markets taught has no part in it. */
function sampleMarket(now: number): (facts: DeviceFacts, now: number) => Observation[] {
  const markets = unobservedMarkets(now)
  return (facts, at) => sampleObservations(markets, facts, at)
}

function unobservedMarkets(now: number): Markets {
  return {
    resale: unobservedMarket('resale', PRIOR_COEFFICIENTS, now),
    buyback: unobservedMarket('buyback', PRIOR_COEFFICIENTS, now),
  }
}

async function readMarkets(store: PricingStore): Promise<{ markets: Markets; fittedAt: number }> {
  const fits = (await store.fits()).filter(({ method }) => method === METHOD)
  const read = (trade: 'resale' | 'buyback') => {
    const fit = fits.find((each) => each.trade === trade)
    return fit && readFit(fit.document, trade, PRIOR_COEFFICIENTS)
  }
  const resale = read('resale')
  const buyback = read('buyback')
  if (resale && buyback) return { markets: { resale, buyback }, fittedAt: resale.fittedAt }
  return { markets: unobservedMarkets(Date.now()), fittedAt: 0 }
}

export type PassResult = { readonly devices: number; readonly observations: number; readonly milliseconds: number }

/**
 * The full pass: learns both markets from everything observed and tells every process. Every process looks now and then
 * whether one is due; the first to finish settles it, and two at once only do the same work twice.
 */
export async function reprice(
  store: PricingStore,
  registry: Registry,
  now: number,
  options: { onlyWhenDue?: boolean; progress?: (done: number, of: number) => void } = {},
): Promise<PassResult | undefined> {
  const total = await store.countObservations()
  if (options.onlyWhenDue && !isDue(await store.fits(), total, now)) return undefined
  const started = performance.now()
  const observed = await store.observedDevices()
  const { markets, observations } = await learnMarkets(store, {
    factsOf(deviceId) {
      const device = registry.findDevice(deviceId)
      return device && deviceFacts(device)
    },
    prior: PRIOR_COEFFICIENTS,
    now,
    ...(options.progress ? { progress: options.progress } : {}),
  })
  await store.saveFits(
    [markets.resale, markets.buyback].map((market) => ({
      trade: market.trade,
      method: METHOD,
      fittedAt: now,
      observations: total,
      document: writeFit(market),
    })),
  )
  return { devices: observed.length, observations, milliseconds: Math.round(performance.now() - started) }
}

function isDue(
  fits: readonly { method: string; fittedAt: number; observations: number }[],
  total: number,
  now: number,
): boolean {
  if (total === 0) return false
  const [fit] = fits.filter(({ method }) => method === METHOD)
  if (!fit) return true
  if (total > fit.observations * 1.25) return true
  const isNight = new Date(now).getUTCHours() === NIGHT_HOUR
  return now - fit.fittedAt > (isNight ? DAY_MS / 2 : DAY_MS)
}
