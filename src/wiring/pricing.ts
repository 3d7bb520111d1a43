import type { Catalogue } from '../catalog/catalogue.ts'
import type { Database } from '../db/open.ts'
import type { StoreFollower } from '../follow.ts'
import type { ReadyAnswer } from '../http/ready.ts'
import { readyAnswer } from '../http/ready.ts'
import type { Log } from '../log.ts'
import { readMarkets } from '../pricing/market/learnt-markets.ts'
import { keepRepriced } from '../pricing/market/repricing.ts'
import { sampleObservations } from '../pricing/market/sample.ts'
import { pricingStore } from '../pricing/market/store.ts'
import { openQuotes, type Quotes } from '../pricing/serve/quotes.ts'

export type Pricing = {
  readonly quotes: Quotes<ReadyAnswer>
  close(): void
}

/** Prices on our store, kept fresh, with the nightly full pass. */
export async function openPricing(options: {
  db: Database
  follow: StoreFollower
  catalogue: Catalogue
  sampleData: boolean
  log: Log
}): Promise<Pricing> {
  const { db, follow, catalogue, log } = options
  const store = pricingStore(db)
  const registry = () => catalogue.snapshot()
  const quotes = await openQuotes({
    registry,
    source: store,
    readMarkets: () => readMarkets(store, Date.now()),
    sampleOf: options.sampleData ? sampleObservations : () => [],
    ready: readyAnswer,
    now: Date.now,
    follow: follow('prices', 'market'),
    failed: (error) => log.warn('prices could not be read', { cause: String(error) }),
  })
  const stopRepricing = keepRepriced({
    store,
    registry,
    now: Date.now,
    learnt: (pass) => log.info('market learnt anew', pass),
    failed: (error) => log.warn('the nightly pass failed', { cause: String(error) }),
  })
  return {
    quotes,
    close() {
      stopRepricing()
      quotes.close()
    },
  }
}
