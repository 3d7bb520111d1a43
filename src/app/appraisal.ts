import { appraisalIdGenerator } from '../appraisal/appraisal-id.ts'
import { openAppraisalService } from '../appraisal/appraisal-service.ts'
import { appraisalStore } from '../appraisal/appraisal-store.ts'
import { dealReports } from '../appraisal/deal-reports.ts'
import { defectRules } from '../appraisal/defect.ts'
import { knownDealsStore } from '../appraisal/known-deals-store.ts'
import { openOutcomeService } from '../appraisal/outcome-service.ts'
import { outcomeStore } from '../appraisal/outcome-store.ts'
import { ownPolicies } from '../appraisal/own-policy-service.ts'
import { openPolicyService } from '../appraisal/policy-service.ts'
import { policyStore } from '../appraisal/policy-store.ts'
import { priceRuleRoutes } from '../appraisal/price-rule-routes.ts'
import { priceRuleStore } from '../appraisal/price-rule-store.ts'
import type { QuotesAtCounter } from '../appraisal/quoted-price.ts'
import { type AppraisalRouteDependencies, appraisalRoutes } from '../appraisal/routes.ts'
import { shareRoutes } from '../appraisal/share-routes.ts'
import { shareStore } from '../appraisal/share-store.ts'
import { createTextService } from '../appraisal/text-service.ts'
import { createValuation } from '../appraisal/valuation.ts'
import type { Catalogue } from '../catalog/catalogue-service.ts'
import type { MatchingService } from '../catalog/matching/matching-service.ts'
import type { Config } from '../config.ts'
import { CONDITIONS } from '../contract/condition-grades.ts'
import { BASE_CURRENCY } from '../contract/currency.ts'
import type { DefectCode } from '../contract/defects.ts'
import { convertBetween, US_DOLLARS } from '../currency/exchange.ts'
import type { ExchangeRateService } from '../currency/exchange-rate-service.ts'
import type { Database } from '../db/database.ts'
import type { ReloadOnTopic } from '../db/reload-on-change.ts'
import type { ApiRoute } from '../http/context.ts'
import { detectPart } from '../import/repairs/guide-phrases.ts'
import type { Encryption } from '../lib/encryption.ts'
import { createAskingPrices } from '../lists/asking-prices.ts'
import { createDeviceLists } from '../lists/device-list-service.ts'
import { deviceListStore } from '../lists/device-list-store.ts'
import { deviceListRoutes } from '../lists/routes.ts'
import { openTaughtWords } from '../lists/taught-word-service.ts'
import type { FirstPriceRanges } from '../pricing/first-price-ranges.ts'
import type { MoveLimits } from '../pricing/price-move.ts'
import type { QuoteService } from '../pricing/quotes/quote-service.ts'
import type { DurableResponses } from '../records/durable-response-service.ts'
import type { PartKind } from '../repairs/fault-kinds.ts'
import { openOwnPartCostService } from '../repairs/own-part-cost-service.ts'
import { labourRate } from '../repairs/repair-market.ts'
import type { RepairService } from '../repairs/repair-service.ts'
import type { LookupService } from '../risk/lookup-service.ts'
import { purchaseRoutes } from '../stock/purchase-routes.ts'
import { purchaseStore } from '../stock/purchase-store.ts'
import { stockRoutes } from '../stock/routes.ts'
import { sellerRoutes } from '../stock/seller-routes.ts'
import { nameHashes, sellerStore } from '../stock/seller-store.ts'
import type { StockItem, SuggestedPrice } from '../stock/stock-item.ts'
import { stockStore } from '../stock/stock-store.ts'

type AppraisalDependencies = {
  readonly db: Database
  readonly encryption: Encryption
  readonly reloadOn: ReloadOnTopic
  readonly config: Config
  readonly catalogue: Catalogue
  readonly matching: Pick<MatchingService, 'match'>
  readonly firstPricesAt: (now: number) => FirstPriceRanges
  readonly moveLimits: MoveLimits
  readonly quotes: Pick<QuoteService<unknown>, 'valueOf' | 'marketOf' | 'scopeOf'>
  readonly repairs: Pick<RepairService<unknown>, 'pricedRepairs' | 'learnOwnCosts'>
  readonly lookups: LookupService
  readonly rates: ExchangeRateService
  readonly responses: DurableResponses
  readonly authenticateApprover: AppraisalRouteDependencies['authenticateApprover']
  /** Current market of an organization, from the database. */
  readonly marketOf: (organizationId: string) => Promise<string>
  /** Address of the service on other devices. */
  readonly linkUrl: () => string
  /** Opened later, because quotes are calculated by appraisals. */
  readonly quotesAtCounter: () => QuotesAtCounter
}

/** Appraisals: identity, risk, prices and repairs combined, with durable records. */
export async function openAppraisal(dependencies: AppraisalDependencies) {
  const {
    db,
    encryption,
    reloadOn,
    config,
    catalogue,
    matching,
    firstPricesAt,
    moveLimits,
    quotes,
    repairs,
    lookups,
    rates,
    responses,
  } = dependencies
  const policies = await openPolicyService({
    store: policyStore(db),
    priceRules: priceRuleStore(db),
    labourOf: (organizationId) => labourRate(config, quotes.marketOf(organizationId)),
    rates,
    reloadOnChange: reloadOn('policies', 'access'),
  })
  const taughtWords = openTaughtWords({
    store: deviceListStore(db),
    reloadOnChange: reloadOn('taught words', 'access'),
  })
  const ownPartCosts = openOwnPartCostService({
    async readBooked(organizationId) {
      const booked = await stockStore(db).bookedParts(organizationId)
      return booked.flatMap(({ deviceId, note, defects, amount, currency }) => {
        const part = bookedPart(note, defects)
        if (!part || !rates.currencies().includes(currency)) return []
        return [{ deviceId, part, cents: convertBetween(amount, rates.exchangeFor(currency), US_DOLLARS) }]
      })
    },
    learn: repairs.learnOwnCosts,
    reloadOnChange: reloadOn('own part costs', 'access'),
  })
  const store = outcomeStore(db)
  const reports = dealReports({
    store,
    policies,
    rates,
    deviceName: (id) => catalogue.registry().findDevice(id)?.name ?? null,
  })
  const sellers = sellerStore(db, encryption)
  const purchases = purchaseStore(db, sellers)
  const randomBelow = (limit: number) => Math.floor(Math.random() * limit)
  const nextId = appraisalIdGenerator(randomBelow)
  const knownDeals = knownDealsStore(db)
  const outcomes = openOutcomeService({
    store,
    stock: stockStore(db),
    sellers,
    purchases,
    randomBelow,
    copies: { nextId, writes: appraisalStore(db).writes },
    knownDeals,
    records: responses,
    rates,
    findDevice: (id) => catalogue.registry().findDevice(id),
    policies,
    marketFor: quotes.marketOf,
    moveLimits,
  })
  const hashName = (organizationId: string, word: string) => nameHashes(encryption, organizationId, word)
  const texts = createTextService({ matching, taughtPhrases: taughtWords.phrasesOf })
  const appraisals = openAppraisalService({
    registry: () => catalogue.registry(),
    describeText: texts.describe,
    lookups,
    ownCostsOf: ownPartCosts.of,
    valuation: createValuation({ findValue: quotes.valueOf, repairsOf: repairs.pricedRepairs }),
    scopeFor: quotes.scopeOf,
    policies,
    rates,
    store: appraisalStore(db, { hashName }),
    knownDeals,
    purchases: outcomes,
    records: responses,
    quotes: dependencies.quotesAtCounter,
    nextId,
  })
  const convert = (amount: number, from: string, to: string) =>
    from === to ? amount : convertBetween(amount, rates.exchangeFor(from), rates.exchangeFor(to))
  const askingPrices = createAskingPrices({
    findDevice: (id) => catalogue.registry().findDevice(id),
    convert: (amount, from, to) => (rates.currencies().includes(from) ? convert(amount, from, to) : null),
  })
  const lists = createDeviceLists({
    store: deviceListStore(db),
    appraiseBatch: appraisals.appraiseBatch,
    findAppraisals: appraisalStore(db).findAll,
    removeDrafts: appraisalStore(db).removeDrafts,
    refreshWords: taughtWords.refresh,
    currencyOf: (organizationId) => policies.policyOf(organizationId).currency,
    askingPrices,
  })
  const routes: readonly ApiRoute[] = [
    ...appraisalRoutes({
      appraisals,
      outcomes,
      reports,
      records: appraisalStore(db, { hashName }),
      findLookup: lookups.find,
      registry: () => catalogue.registry(),
      authenticateApprover: dependencies.authenticateApprover,
    }),
    ...stockRoutes({
      stock: stockStore(db, { hashName }),
      suggestPrice: priceSuggestions(quotes, convert),
      convert,
      currencyOf: (organizationId) => policies.policyOf(organizationId).currency,
      labourPerHour(organizationId, currency) {
        const policy = policies.policyOf(organizationId)
        return convert(policy.labour_per_hour, policy.currency, currency)
      },
    }),
    ...deviceListRoutes(lists),
    ...purchaseRoutes({
      purchases,
      recordPurchase: outcomes.recordPurchase,
      authenticateApprover: dependencies.authenticateApprover,
    }),
    ...sellerRoutes({ sellers }),
    ...shareRoutes({ shares: shareStore(db, config.maxSharesPerOrganization), linkUrl: dependencies.linkUrl }),
    ...priceRuleRoutes({
      policies: policyStore(db),
      priceRules: priceRuleStore(db),
      findDevice: (id) => catalogue.registry().findDevice(id),
      firstPricesAt,
      rates,
    }),
  ]
  /** What an hour of labour costs the organization, in US cents. */
  const labourOf = (organizationId: string): number => {
    const { labour_per_hour, currency } = policies.policyOf(organizationId)
    return convertBetween(labour_per_hour, rates.exchangeFor(currency), US_DOLLARS)
  }
  return {
    appraisals,
    outcomes,
    ownPolicies: ownPolicies({
      policies: policyStore(db),
      deals: store,
      rates,
      labourOf: async (organizationId) => labourRate(config, await dependencies.marketOf(organizationId)),
    }),
    listWords: deviceListStore(db).words,
    askingPrices,
    matchText: texts.match,
    routes,
    labourOf,
    ownCostsOf: ownPartCosts.of,
    close() {
      ownPartCosts.close()
      policies.close()
      taughtWords.close()
    },
  }
}

/** The part that a booked cost was for: by its note, else by the only repair of the device's only defect. */
function bookedPart(note: string, defects: readonly DefectCode[]): PartKind | null {
  const part = detectPart(note)
  if (part !== 'other') return part
  const [rule, ...others] = defectRules(defects)
  return rule?.repairs.length === 1 && others.length === 0 ? (rule.repairs[0] ?? null) : null
}

/** The current resale price of the device in its grade, else the sale price that its appraisal expected. */
function priceSuggestions(
  quotes: Pick<QuoteService<unknown>, 'valueOf' | 'scopeOf'>,
  convert: (amount: number, from: string, to: string) => number,
) {
  return async (organizationId: string, item: StockItem): Promise<SuggestedPrice | null> => {
    const { variantId, market, expectedSale, bought } = item
    const grade = CONDITIONS.find((condition) => condition === item.pricedGrade)
    const value =
      variantId && market && grade ? await quotes.valueOf(variantId, quotes.scopeOf(organizationId, market)) : undefined
    const price = grade && value?.resale?.[grade]
    const inCurrency = (amount: number, currency: string) => Math.round(convert(amount, currency, bought.currency))
    if (price?.amount) {
      const [amount = 0, low = 0, high = 0] = [price.amount, price.low, price.high].map((cents) =>
        inCurrency(cents, BASE_CURRENCY),
      )
      return { amount, basis: 'current_price', market: { amount, low, high, liquidity: value?.liquidityScore ?? 0 } }
    }
    return (
      expectedSale && {
        amount: inCurrency(expectedSale.amount, expectedSale.currency),
        basis: 'appraisal',
        market: null,
      }
    )
  }
}
