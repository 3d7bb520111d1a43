import type { Catalogue } from '../catalog/catalogue-service.ts'
import type { Config } from '../config.ts'
import type { ExchangeRateService } from '../currency/exchange-rate-service.ts'
import { type Database, openDatabase } from '../db/database.ts'
import type { ReloadOnTopic } from '../db/reload-on-change.ts'
import type { MetricRegistry } from '../http/metric-registry.ts'
import type { PreparedResponse } from '../http/prepared-response.ts'
import { prepareResponse } from '../http/prepared-response.ts'
import type { Scheduler } from '../jobs/scheduler-service.ts'
import type { Log } from '../lib/log.ts'
import { MINUTE_MS } from '../lib/time.ts'
import { createFirstPriceRanges, type FirstPriceRanges } from '../pricing/first-price-ranges.ts'
import { loadFittedMarkets } from '../pricing/markets/fitted-markets.ts'
import { marketFitState } from '../pricing/markets/market-fit-state.ts'
import { pricingStore } from '../pricing/markets/pricing-store.ts'
import { repriceIfDue } from '../pricing/markets/repricing-service.ts'
import { sampleObservations } from '../pricing/markets/sample-market.ts'
import { openMoveLimits } from '../pricing/observations/own-price-store.ts'
import type { MoveLimits } from '../pricing/price-move.ts'
import { openQuoteService, type QuoteService } from '../pricing/quotes/quote-service.ts'
import type { ServiceSettingsService } from './service-settings.ts'

export type OpenPricing = {
  readonly quotes: QuoteService<PreparedResponse>
  readonly firstPricesAt: (now: number) => FirstPriceRanges
  readonly moveLimits: MoveLimits
  /** Starts the fits of the leader; returns a function that stops them. */
  lead(): () => Promise<void>
  close(): void
}

const REPRICING_CHECK_MS = 10 * MINUTE_MS

/** Prices from the database, reloaded on change, with the nightly fit. */
export async function openPricing(options: {
  db: Database
  reloadOn: ReloadOnTopic
  catalogue: Catalogue
  config: Config
  settings: Pick<ServiceSettingsService, 'current' | 'onChange'>
  metrics: MetricRegistry
  jobs: Scheduler
  log: Log
  rates: Pick<ExchangeRateService, 'currencies' | 'exchangeFor'>
}): Promise<OpenPricing> {
  const { db, reloadOn, catalogue, config, settings, log, rates } = options
  const defaultMarket = () => settings.current().config.market
  const store = pricingStore(db, defaultMarket)
  const registry = () => catalogue.registry()
  let fittedAt = 0
  let observationsSince = 0
  const countObservations = throttledCount(store.countObservations, () => quotes.invalidate())
  options.metrics.gauges('market_fit_age_seconds', 'Time since the price markets were last fitted.', () =>
    fittedAt ? [[{}, (Date.now() - fittedAt) / 1000]] : [],
  )
  options.metrics.gauges(
    'market_fit_observations_since',
    'Observations that were added since the price markets were last fitted.',
    () => [[{}, observationsSince]],
  )
  const quotes: QuoteService<PreparedResponse> = await openQuoteService({
    registry,
    source: { ...store, observationsOf: store.pricesOf },
    async readMarkets() {
      const { fittedObservations, ...fittedMarkets } = await loadFittedMarkets(store, Date.now())
      fittedAt = fittedMarkets.fittedAt
      const lastFit = fittedAt > 0 ? { fittedAt, observations: fittedObservations } : undefined
      const fit = marketFitState(lastFit, await countObservations())
      observationsSince = fit.observationsSince
      return { ...fittedMarkets, fit }
    },
    sampleOf: (...facts) => (settings.current().config.sampleData ? sampleObservations(...facts) : []),
    defaultMarket,
    unitsPerUsd: (currency) => (rates.currencies().includes(currency) ? rates.exchangeFor(currency).unitsPerUsd : null),
    toResponse: prepareResponse,
    now: Date.now,
    reloadOnChange: reloadOn('prices', 'market'),
    onFailure: (error) => log.warn('reading prices failed', { cause: String(error) }),
  })
  let { sampleData, market } = settings.current().config
  settings.onChange(({ config: newConfig }) => {
    if (newConfig.sampleData !== sampleData || newConfig.market !== market) quotes.forgetAll()
    sampleData = newConfig.sampleData
    market = newConfig.market
  })
  /** Fits the markets when it is due; only the leader does so. */
  const lead = () =>
    options.jobs.add({
      name: 'repricing',
      everyMs: REPRICING_CHECK_MS,
      run: () =>
        onJobDatabase(db, config, async (jobDb) => {
          const result = await repriceIfDue(pricingStore(jobDb, defaultMarket), registry(), Date.now())
          if (result) log.info('price markets fitted', result)
        }),
    })
  const firstPricesAt = (now: number) => createFirstPriceRanges(registry(), now)
  return { quotes, firstPricesAt, moveLimits: openMoveLimits(db, firstPricesAt), lead, close: quotes.close }
}

/** Counting takes at most this share of the time while prices keep changing. */
const MAX_COUNTING_SHARE = 0.05

/** The last count while it is too early for another one, after which `onDue` is called. */
function throttledCount(count: () => Promise<number>, onDue: () => void): () => Promise<number> {
  let total = 0
  let nextAt = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  return async () => {
    const started = performance.now()
    if (started < nextAt) {
      timer ??= setTimeout(() => {
        timer = undefined
        onDue()
      }, nextAt - started)
      timer.unref()
      return total
    }
    total = await count()
    nextAt = started + (performance.now() - started) / MAX_COUNTING_SHARE
    return total
  }
}

/** A dedicated PostgreSQL connection: a fit over millions of rows exceeds the timeout of requests. */
async function onJobDatabase(db: Database, config: Config, work: (db: Database) => Promise<void>): Promise<void> {
  const jobDb = config.databaseUrl
    ? await openDatabase({ url: config.databaseUrl, dataDir: config.dataDir, workload: 'job', maxConnections: 2 })
    : db
  try {
    await work(jobDb)
  } finally {
    if (jobDb !== db) await jobDb.close()
  }
}
