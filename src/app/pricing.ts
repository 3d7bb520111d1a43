import type { Catalogue } from '../catalog/catalogue-service.ts'
import type { Database } from '../db/database.ts'
import type { ReloadOnTopic } from '../db/reload-on-change.ts'
import type { PreparedResponse } from '../http/prepared-response.ts'
import { prepareResponse } from '../http/prepared-response.ts'
import type { Log } from '../lib/log.ts'
import { loadFittedMarkets } from '../pricing/markets/fitted-markets.ts'
import { pricingStore } from '../pricing/markets/pricing-store.ts'
import { startRepricing } from '../pricing/markets/repricing-service.ts'
import { sampleObservations } from '../pricing/markets/sample-market.ts'
import { openQuoteService, type QuoteService } from '../pricing/quotes/quote-service.ts'

export type OpenPricing = {
  readonly quotes: QuoteService<PreparedResponse>
  close(): void
}

/** Prices on our store, kept fresh, with the nightly full pass. */
export async function openPricing(options: {
  db: Database
  follow: ReloadOnTopic
  catalogue: Catalogue
  sampleData: boolean
  log: Log
}): Promise<OpenPricing> {
  const { db, follow, catalogue, log } = options
  const store = pricingStore(db)
  const registry = () => catalogue.snapshot()
  const quotes = await openQuoteService({
    registry,
    source: store,
    readMarkets: () => loadFittedMarkets(store, Date.now()),
    sampleOf: options.sampleData ? sampleObservations : () => [],
    toResponse: prepareResponse,
    now: Date.now,
    reloadOnChange: follow('prices', 'market'),
    onFailure: (error) => log.warn('prices could not be read', { cause: String(error) }),
  })
  const stopRepricing = startRepricing({
    store,
    registry,
    now: Date.now,
    onRepriced: (pass) => log.info('market learnt anew', pass),
    onFailure: (error) => log.warn('the nightly pass failed', { cause: String(error) }),
  })
  return {
    quotes,
    close() {
      stopRepricing()
      quotes.close()
    },
  }
}
