import { randomInt } from 'node:crypto'
import type { AppraisalService } from '../appraisal/appraisal-service.ts'
import { policyStore } from '../appraisal/policy-store.ts'
import { possibleDefects } from '../appraisal/possible-defects.ts'
import { receiptDetailsStore } from '../appraisal/receipt-details-store.ts'
import { createShareToken } from '../appraisal/share-token.ts'
import type { AuthStore } from '../auth/auth-store.ts'
import type { Catalogue } from '../catalog/catalogue-service.ts'
import type { Device } from '../catalog/device.ts'
import { createTitleSearch, type MatchingService } from '../catalog/matching/matching-service.ts'
import { parseSearchTerm } from '../catalog/search/search-term.ts'
import { BASE_CURRENCY } from '../contract/currency.ts'
import { tierIncludes } from '../contract/tiers.ts'
import type { ExchangeRateService } from '../currency/exchange-rate-service.ts'
import type { Database } from '../db/database.ts'
import type { Scheduler } from '../jobs/scheduler-service.ts'
import type { Encryption } from '../lib/encryption.ts'
import { MINUTE_MS } from '../lib/time.ts'
import { quoteMail } from '../mail/mail.ts'
import type { openMailService } from '../mail/mail-service.ts'
import { newQuoteNumber } from '../quotes/quote-number.ts'
import { type QuoteStore, quoteStore } from '../quotes/quote-store.ts'
import { createQuotes, type Quotes, type Shop } from '../quotes/quotes.ts'
import { createQuotesAtCounter } from '../quotes/quotes-at-counter.ts'
import { type SellPageDependencies, sellPageRoutes } from '../quotes/sell-page-routes.ts'
import { buysDevice } from '../quotes/trade-in-settings.ts'
import { tradeInStore } from '../quotes/trade-in-store.ts'

type MailService = Pick<ReturnType<typeof openMailService>, 'send'>

type QuoteDependencies = {
  readonly db: Database
  readonly encryption: Encryption
  readonly auth: Pick<AuthStore, 'findOrganization'>
  readonly catalogue: Catalogue
  readonly matching: Pick<MatchingService, 'match'>
  readonly appraisals: Pick<AppraisalService, 'preview'>
  readonly rates: Pick<ExchangeRateService, 'exchangeFor'>
}

/** Enough to find some that the shop buys. */
const MAX_SEARCHED = 60

/** Calculates as a manager of the shop does, without being one. */
const PAGE = {
  kind: 'command',
  id: 'trade-in page',
  name: 'trade-in page',
  actor: { personId: null, who: 'trade-in page' },
} as const

/** The job of the leader that ends quotes and deletes customers by age; returns a function that stops it. */
export function startQuoteJobs({
  jobs,
  quotes,
  store,
  isClockTrusted,
}: {
  readonly jobs: Scheduler
  readonly quotes: Pick<Quotes, 'settingsOf'>
  readonly store: Pick<QuoteStore, 'followOutcomes' | 'expire' | 'enforceRetention'>
  /** After a jump of the clock nothing is deleted by age. */
  readonly isClockTrusted: () => Promise<boolean>
}): () => Promise<void> {
  return jobs.add({
    name: 'quotes',
    everyMs: MINUTE_MS,
    firstAfterMs: 0,
    async run() {
      if (!(await isClockTrusted())) return
      const now = Date.now()
      await store.followOutcomes(now)
      await store.expire(now)
      await store.enforceRetention(async (id) => (await quotes.settingsOf(id)).retention_days, now)
    },
  })
}

/** Quotes for customers at home. */
export function openQuotes(dependencies: QuoteDependencies) {
  const { db, encryption, auth, catalogue, appraisals, rates } = dependencies
  const store = quoteStore(db, encryption, () => newQuoteNumber(randomInt))
  const tradeIn = tradeInStore(db)
  const mayQuote = async (organizationId: string) => {
    const organization = await auth.findOrganization(organizationId)
    return organization !== undefined && tierIncludes(organization.tier, 'paid')
  }
  const quotes = createQuotes({
    store,
    tradeIn,
    registry: () => catalogue.registry(),
    preview: (organizationId, request, now) =>
      appraisals.preview(request, { principal: PAGE, organizationId, isClerk: false, now }, null),
    currencyOf: async (organizationId) => (await policyStore(db).of(organizationId)).currency ?? BASE_CURRENCY,
    rates,
    receiptOf: receiptDetailsStore(db).of,
    mayQuote,
    newToken: createShareToken,
  })
  /** Devices by name with typing errors forgiven, else by what a title in any script names. */
  const findByTitle = createTitleSearch(dependencies.matching)
  async function searchDevices({ settings }: Shop, text: string, limit: number): Promise<Device[]> {
    const registry = catalogue.registry()
    const term = parseSearchTerm(text)
    const numbers = term ? registry.searchDevices(term).matches.slice(0, MAX_SEARCHED) : []
    const devices = numbers.length > 0 ? numbers.map(registry.deviceAt) : (await findByTitle(text)).devices
    return devices.filter((device) => buysDevice(settings, device)).slice(0, limit)
  }
  const pageRoutes = (
    more: Pick<
      SellPageDependencies,
      'addressOf' | 'limiter' | 'pageLimiter' | 'minFillMs' | 'baseUrl' | 'rethrowDatabaseError'
    > & { readonly mail: MailService },
  ) =>
    sellPageRoutes({
      ...more,
      quotes,
      findDevice: (id) => catalogue.registry().findDevice(id),
      defectsOf: possibleDefects,
      searchDevices,
      mailQuote(shop, { contact, id, language }, url) {
        if (contact?.email) more.mail.send(quoteMail({ email: contact.email, language }, { shop: shop.name, id, url }))
      },
    })
  return { quotes, store, tradeIn, pageRoutes, atCounter: createQuotesAtCounter({ quotes, store }) }
}
