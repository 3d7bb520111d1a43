import { openAppraisal } from './app/appraisal.ts'
import { openAuth } from './app/auth.ts'
import { openBackups } from './app/backups.ts'
import { businessMetrics } from './app/business-metrics.ts'
import { openServedCatalogue } from './app/catalogue.ts'
import { openClockCheck } from './app/clock.ts'
import { dashboardRoutes } from './app/dashboard.ts'
import { openServiceDatabase } from './app/database.ts'
import { openEvents } from './app/events.ts'
import { openFeeds } from './app/feeds.ts'
import { frequentDeviceIds } from './app/frequent-devices.ts'
import { endInterruptedJobs, runQueuedJobs } from './app/job-runner.ts'
import { openLaunchPrices } from './app/launch-prices.ts'
import { openMail } from './app/mail.ts'
import { openMatching } from './app/matching.ts'
import { type NetworkAccess, openNetworkAccess } from './app/network-access.ts'
import { operatorMetrics } from './app/operator-metrics.ts'
import { organizationManagement } from './app/organization-management.ts'
import { networkCertificateRoute, phoneRoutes } from './app/phone-access.ts'
import { openPricing } from './app/pricing.ts'
import { openQuotes, startQuoteJobs } from './app/quotes.ts'
import { openRateLimiter } from './app/rate-limits.ts'
import { startRetention } from './app/retention.ts'
import { openRisk } from './app/risk.ts'
import { serviceRoutes } from './app/service.ts'
import { openServiceSettings } from './app/service-settings.ts'
import { sessionAccounts } from './app/session-account.ts'
import { openTraceExporter } from './app/traces.ts'
import { openUsage } from './app/usage.ts'
import type { AppraisalService } from './appraisal/appraisal-service.ts'
import { appraisalStore } from './appraisal/appraisal-store.ts'
import type { OutcomeService } from './appraisal/outcome-service.ts'
import { policyStore } from './appraisal/policy-store.ts'
import type { QuotesAtCounter } from './appraisal/quoted-price.ts'
import { receiptDetailsStore } from './appraisal/receipt-details-store.ts'
import { accountDataStore } from './auth/accounts/account-data-store.ts'
import { accountsStore } from './auth/accounts/accounts-store.ts'
import { personActor } from './auth/actor.ts'
import type { AuthStore } from './auth/auth-store.ts'
import { createGuard } from './auth/guard.ts'
import { addressLimiterOn } from './auth/rate-limit/address-limiter.ts'
import { memoryLimiter } from './auth/rate-limit/memory-limiter-service.ts'
import type { WorkerChannel } from './auth/rate-limit/worker-limiter-service.ts'
import { isHttps } from './auth/sign-in/account-dependencies.ts'
import { authenticateApprover } from './auth/sign-in/authentication-service.ts'
import { readSessionToken } from './auth/sign-in/session-cookie.ts'
import { issuerName, type OidcSettings } from './auth/sso/oidc-mapping.ts'
import type { Catalogue } from './catalog/catalogue-service.ts'
import { suggestVariantIds } from './catalog/id-suggestions.ts'
import { createTitleSearch } from './catalog/matching/matching-service.ts'
import { matchRoutes } from './catalog/matching/routes.ts'
import { catalogRoutes, thumbnailRoute } from './catalog/routes.ts'
import { baseUrlOf, type Config, type Environment } from './config.ts'
import { endpoints } from './contract/endpoints.ts'
import { hasPathParameters } from './contract/path-template.ts'
import { openExchangeRateService } from './currency/exchange-rate-service.ts'
import { exchangeRateStore } from './currency/exchange-rate-store.ts'
import { rateRoutes } from './currency/routes.ts'
import type { Database } from './db/database.ts'
import { isDamaged, isDatabaseUnavailable, isDiskFull, isWriteConflict } from './db/database-errors.ts'
import { reloadOnTopic } from './db/reload-on-change.ts'
import { recordRoom } from './db/storage-ledger.ts'
import { databaseErrorRethrower } from './http/api-error.ts'
import type { ApiDependencies } from './http/api-pipeline.ts'
import { clientAddressReader } from './http/client-address.ts'
import type { ApiRoute } from './http/context.ts'
import { docsRoutes } from './http/docs-routes.ts'
import { healthRoutes } from './http/health-routes.ts'
import { loadShedding } from './http/load-shedding/load-shedding.ts'
import { watchLoopStretches } from './http/loop-stretches.ts'
import { type Metrics, openMetrics } from './http/metrics.ts'
import { prepareResponse } from './http/prepared-response.ts'
import { revocationFreshnessCheck } from './http/revocation-freshness.ts'
import { createRouter, type Router } from './http/router.ts'
import type { PostHandlers } from './http/server.ts'
import { importHistory } from './import/import-history-service.ts'
import { createContributionService } from './import/prices/contribution-service.ts'
import { forgetObservations, removeObservationsOfOrganization } from './import/prices/observation-removal-store.ts'
import { observationRoutes } from './import/prices/routes.ts'
import { importRoutes } from './import/routes.ts'
import { uploadRoutes } from './import/uploads/routes.ts'
import { openUploadService, type UploadService } from './import/uploads/upload-service.ts'
import { jobStore } from './jobs/job-store.ts'
import { LEADER_LOCK, runOnOneNode } from './jobs/leader-lock-service.ts'
import { openScheduler, type Scheduler } from './jobs/scheduler-service.ts'
import { excerpt } from './lib/errors.ts'
import type { Log } from './lib/log.ts'
import { HOUR_MS, MINUTE_MS } from './lib/time.ts'
import { setSpanRecorder } from './lib/trace.ts'
import { VERSION } from './lib/version.ts'
import type { AskingPrices } from './lists/asking-prices.ts'
import type { DeviceListStore } from './lists/device-list-store.ts'
import { mcpRoutes } from './mcp/routes.ts'
import { currencyOfMarket } from './pricing/country-market.ts'
import { lowestUsedPrice } from './pricing/quotes/lowest-used-price.ts'
import { pricingRoutes } from './pricing/routes.ts'
import { quoteRoutes } from './quotes/routes.ts'
import { openDurableResponses } from './records/durable-response-service.ts'
import { idempotentOperations } from './records/idempotent-operation.ts'
import { openOrganizationRemoval } from './records/organization-removal-service.ts'
import { organizationRemovalStore } from './records/organization-removal-store.ts'
import { recordStore } from './records/record-store.ts'
import { loadBundledRepairData } from './repairs/bundled-repair-data.ts'
import { repairMarketFor } from './repairs/repair-market.ts'
import { openRepairService } from './repairs/repair-service.ts'
import { repairStore } from './repairs/repair-store.ts'
import { repairRoutes } from './repairs/routes.ts'
import { referenceDataStore } from './risk/reference-data-store.ts'
import { riskRoutes, tacRoutes } from './risk/routes.ts'
import { lookupLevelCounter } from './usage/lookup-levels.ts'
import type { QuotaService } from './usage/quota-service.ts'
import { quotaStore } from './usage/quota-store.ts'
import { usageRoutes } from './usage/routes.ts'
import { usageStore } from './usage/usage-store.ts'

export type App = {
  readonly router: Router
  /** Handlers that reject POST requests under overload before the router sees them. */
  readonly postHandlers: PostHandlers
  readonly auth: AuthStore
  readonly db: Database
  readonly catalogue: Catalogue
  readonly metrics: Metrics
  readonly jobs: Scheduler
  readonly uploads: UploadService
  readonly appraisals: AppraisalService
  readonly network: Pick<NetworkAccess, 'start'>
  /** What words of device lists mean to an organization. */
  readonly listWords: DeviceListStore['words']
  readonly askingPrices: AskingPrices
  readonly outcomes: OutcomeService
  /**
   * Takes part in electing the leader, which sends webhooks, runs queued jobs and the jobs of the whole service. Returns how
   * to stop.
   */
  startLeading(): () => Promise<void>
  /** Reads the metrics that come from the database again. */
  refreshMetrics(): Promise<void>
  /** Starts to fit the launch prices, so that the first callers do not wait for them. */
  warmUp(): void
  /** From now on /readyz is 503, so that load balancers send no more requests. */
  startDraining(): void
  readonly quotas: Pick<QuotaService, 'refresh'>
  /** Writes the usage counts of this process. */
  readonly flushUsage: () => Promise<void>
  /** Resolves when the work that requests have started here is done; calls `onWait` if there is any. */
  finishBackgroundWork(onWait: () => void): Promise<void>
  /** Writes buffered data and closes the database. */
  close(): Promise<void>
}

const JOBS_POLL_MS = 100
const UPLOAD_CLEANUP_MS = 15_000

/** The whole service without a port: opens the database, loads what is served from memory, and wires the routes. */
export async function openApp(
  config: Config,
  log: Log,
  environment: Environment = process.env,
  workerChannel?: WorkerChannel,
): Promise<App> {
  const { db, encryption } = await openServiceDatabase(config, log)
  const metrics = openMetrics()
  const jobs = openScheduler({ registry: metrics.registry, log })
  const business = businessMetrics(metrics.registry, db, Date.now)
  const operations = operatorMetrics(metrics.registry, db, Date.now)
  jobs.add({ name: 'business_metrics', everyMs: MINUTE_MS, firstAfterMs: 0, run: business.refresh })
  jobs.add({ name: 'operator_metrics', everyMs: MINUTE_MS, firstAfterMs: 0, run: operations.refresh })
  const clock = openClockCheck(db, log)
  const reloadOn = reloadOnTopic(db, log)
  const auth = await openAuth({ db, reloadOn, jobs, log })

  const catalogue = await openServedCatalogue({ db, config, reloadOn, metrics: metrics.registry, log })
  const settings = await openServiceSettings(
    db,
    {
      config,
      environment,
      encryption,
      onInvalid: (name, reasons) => log.warn('skipping unreadable setting', { setting: name, reasons }),
    },
    reloadOn('settings', 'settings'),
  )
  const network = await openNetworkAccess({
    db,
    config,
    reloadOnChange: reloadOn('network access', 'settings'),
    encryption,
    log,
    now: Date.now,
  })
  const rates = await openExchangeRateService({
    store: exchangeRateStore(db),
    now: Date.now,
    reloadOnChange: reloadOn('exchange rates', 'rates'),
  })
  const pricing = await openPricing({
    db,
    reloadOn,
    catalogue,
    config,
    settings,
    jobs,
    log,
    metrics: metrics.registry,
    rates,
  })
  const repairs = await openRepairService({
    bundled: loadBundledRepairData(),
    registry: () => catalogue.registry(),
    readImported: repairStore(db).readImported,
    preparePrices: pricing.quotes.prepare,
    resaleOf: pricing.quotes.resaleIfLoaded,
    market: () => repairMarketFor(settings.current().config),
    now: Date.now,
    toResponse: prepareResponse,
    reloadOnChange: reloadOn('repairs', 'repair'),
  })
  catalogue.onChange(repairs.invalidate)
  pricing.quotes.onPricesChanged(repairs.invalidate)

  const usage = openUsage({ db, clock, jobs, log })
  const { recorder, quotas, recordRequest, recordRejection } = usage
  const responses = business.withProgressMetric(
    openDurableResponses(business.withCommitMetrics(recordStore(db)), {
      isDatabaseUnavailable,
      isWriteConflict,
      requireRoom: recordRoom(db),
    }),
  )
  const countLevels = lookupLevelCounter(recorder)
  const matching = openMatching(catalogue)
  const risk = await openRisk({
    db,
    responses,
    reloadOn,
    log,
    settings,
    onAssessed(caller, levels) {
      countLevels(caller, levels)
      business.countLookups(levels)
    },
    onSourceFailure: business.countSourceFailure,
    findDeviceId: async (model) =>
      (catalogue.registry().findDevice(model) ?? (await matching.match({ text: model })).device)?.id ?? null,
  })

  const baseUrl = baseUrlOf(config)
  /** For links and codes that people open on other devices: the address in the network while that is on. */
  const linkUrl = () => network.urls()[0] ?? baseUrl
  const addressOf = clientAddressReader(config.trustProxy)
  const accounts = accountsStore(db)
  const { take: takeFromAddressLimit } = addressLimiterOn(memoryLimiter({ maxKeys: 50_000 }))
  const credentials = { accounts, encryption, takeFromAddressLimit, addressOf, baseUrl: () => baseUrl }
  const quotesAtCounter = (): QuotesAtCounter => atCounter
  const appraisal = await openAppraisal({
    quotesAtCounter,
    linkUrl,
    db,
    encryption,
    reloadOn,
    config,
    catalogue,
    matching,
    firstPricesAt: pricing.firstPricesAt,
    moveLimits: pricing.moveLimits,
    quotes: pricing.quotes,
    repairs,
    lookups: risk.lookups,
    rates,
    responses,
    authenticateApprover: async (c, approval) => personActor(await authenticateApprover(credentials, c, approval)),
    marketOf: async (id) => (await auth.store.organizationMarket(id)) ?? settings.current().config.market,
  })

  const {
    quotes,
    store: quoteRecords,
    tradeIn,
    pageRoutes,
    atCounter,
  } = openQuotes({
    db,
    encryption,
    auth: auth.store,
    catalogue,
    matching,
    appraisals: appraisal.appraisals,
    rates,
  })
  const mail = openMail(config, metrics, log)
  const events = openEvents({
    db,
    mail,
    dashboardUrl: `${baseUrl}/dashboard`,
    catalogue,
    quotes: pricing.quotes,
    log,
    allowPrivate: config.webhookAllowPrivate,
    encryption,
    maxWatches: config.maxWatchesPerOrganization,
    mayDelete: clock.isTrusted,
    jobs,
    retentionDays: () => settings.current().config.lookupRetentionDays,
  })
  const contributions = createContributionService({
    db,
    moveLimits: pricing.moveLimits,
    priceOf: pricing.quotes.valueOf,
    marketOf: pricing.quotes.marketOf,
    titleIndex: matching.index,
  })
  const feeds = openFeeds({ db, settings, metrics, jobs, readRows: contributions.read, log })
  const imports = importHistory(db, config.dataDir)
  const uploads = openUploadService({ db, imports, maxBytes: config.uploadLimitBytes })
  const backups = openBackups({ config, environment, log })
  const apiRoutes: readonly ApiRoute[] = [
    ...catalogRoutes({
      catalogue,
      baseUrl: baseUrlOf(config),
      findByTitle: createTitleSearch(matching),
      frequentDeviceIds: frequentDeviceIds(appraisalStore(db), risk.lookups),
    }),
    ...matchRoutes(appraisal.matchText),
    ...pricingRoutes(
      pricing.quotes,
      rates,
      (id) => suggestVariantIds(catalogue.registry(), id),
      lowestUsedPrice({ registry: () => catalogue.registry(), quotes: pricing.quotes }),
    ),
    ...observationRoutes({
      contributions,
      removeSource: (source, actor, now) => forgetObservations(db, { source }, actor, now),
    }),
    ...repairRoutes(repairs, rates, appraisal.labourOf, appraisal.ownCostsOf),
    ...riskRoutes(risk.lookups),
    ...tacRoutes(risk.tacConfirmations),
    ...appraisal.routes,
    ...quoteRoutes({ quotes, linkUrl }),
    ...events.routes,
    ...rateRoutes({ rates, importRates: feeds.updateRates }),
    ...importRoutes({ imports, listFeeds: feeds.overview }),
    ...uploadRoutes({
      uploads,
      currencies: rates.currencies,
      defaultMarket: async (id) => (await auth.store.organizationMarket(id)) ?? settings.current().config.market,
    }),
    ...serviceRoutes({
      db,
      config,
      environment,
      encryption,
      settings,
      backups,
      mail,
      network,
      feeds,
      sourcesDown: risk.sourcesDown,
    }),
    ...phoneRoutes({ config, network }),
    ...usageRoutes({
      usage: usageStore(db),
      quotas: quotaStore(db),
      auth: auth.store,
      limitsPerMinute: config.limitsPerMinute,
      recorder,
    }),
  ]
  const launchPrices = openLaunchPrices(catalogue, log)
  metrics.registry.gauge('retention_suspended', '1 while nothing is deleted by age because the clock jumped.', () =>
    clock.isSuspended() ? 1 : 0,
  )
  const limits = openRateLimiter(config, metrics, log, workerChannel)
  const shedding = loadShedding()
  const stretches = watchLoopStretches({ log })
  const { gauge } = metrics.registry
  gauge('http_requests_in_progress', 'Requests with a body that are in progress.', shedding.running)
  const checkRevocationsFresh = revocationFreshnessCheck(db.admin.msSinceLastResponse, config.revocationGraceMs)
  const exporter = config.otlpEndpoint ? openTraceExporter(config, log) : undefined
  setSpanRecorder(exporter?.record)
  let isStopping = false
  const serviceMarket = () => settings.current().config.market
  const currencyOf = (market: string | null) => currencyOfMarket(market ?? serviceMarket(), rates.currencies())
  const sessions = sessionAccounts({
    accounts,
    auth: auth.store,
    policies: policyStore(db),
    rates,
    limitsPerMinute: config.limitsPerMinute,
    serviceMarket,
    baseUrl,
    sampleData: () => settings.current().config.sampleData,
    sendsMail: mail.isConfigured,
  })
  const guard = createGuard({
    keyCache: auth.keys,
    limiter: limits.limiter,
    addressLimiter: memoryLimiter({ maxKeys: 50_000 }),
    limitsPerMinute: config.limitsPerMinute,
    addressOf,
    onKeyUsed: auth.recordUse,
    readSessionToken: (c) => readSessionToken(c, isHttps({ baseUrl: () => baseUrl }, c)),
    findSession: sessions.findSession,
    ownOrigin: () => new URL(baseUrl).origin,
    findOrganizationTier: async (id) => (await auth.store.findOrganization(id))?.tier,
  })
  const api: ApiDependencies = {
    guard,
    runOnce: idempotentOperations(recordStore(db)),
    isQuotaExhausted: quotas.isExhausted,
    checkRevocationsFresh,
    loadShedding: shedding,
    rethrowDatabaseError: databaseErrorRethrower({ isDatabaseUnavailable, isDiskFull, isDamaged }),
  }
  const lead = (start: () => () => Promise<void>) =>
    runOnOneNode({
      withLock: (work, onWait) => db.withLock(LEADER_LOCK, work, onWait),
      onError: (error) => log.warn('jobs of the leader failed; retrying', { cause: String(error) }),
      start,
    })
  const openedAt = Date.now()
  const hasJobs = () => jobStore(db).hasQueuedSince(openedAt)
  const personalData = accountDataStore(db)
  const startLeading = () =>
    lead(() => {
      const stops = [
        events.lead(),
        usage.lead(),
        pricing.lead(),
        startRetention({ db, settings, clock, jobs, log }),
        startQuoteJobs({ jobs, quotes, store: quoteRecords, isClockTrusted: clock.isTrusted }),
        feeds.startSchedule(),
        runQueuedJobs({ db, config, environment, log }),
        endInterruptedJobs({ db, jobs, log }),
        jobs.add({ name: 'erasures', everyMs: HOUR_MS, firstAfterMs: 0, run: personalData.finishErasures }),
        jobs.add({ name: 'uploads', everyMs: UPLOAD_CLEANUP_MS, run: () => uploads.removeExpired(Date.now()) }),
      ]
      return async () => void (await Promise.all(stops.map((stop) => stop())))
    })
  const removal = openOrganizationRemoval({
    store: organizationRemovalStore(db),
    removeObservations: (id) => removeObservationsOfOrganization(db, id),
    removeFiles: imports.removeFilesOf,
    log,
    now: Date.now,
  })
  await removal.resume()
  const dashboard = dashboardRoutes({
    ...credentials,
    db,
    config,
    organizationName: auth.store.organizationName,
    describeSession: sessions.describeSession,
    serviceMarket,
    currencyOfMarket: currencyOf,
    oidc: config.oidc && {
      settings: config.oidc,
      client: await openOidcClient(config.oidc),
      onFailure: (message, cause) => log.warn(`single sign-on: ${message}`, { cause: excerpt(String(cause)) }),
    },
    mail,
  })
  const managementRoutes = organizationManagement({
    auth: auth.store,
    accounts,
    policies: appraisal.ownPolicies,
    receiptDetails: receiptDetailsStore(db),
    tradeIn,
    quotes,
    rates,
    serviceMarket,
    issuer: config.oidc ? issuerName(config.oidc) : null,
    receiptLanguage: async (id) => (await receiptDetailsStore(db).of(id)).language,
    mail,
    baseUrl: linkUrl,
    quotas: quotaStore(db),
    currencyOfMarket: currencyOf,
    removeOrganization: removal.remove,
    members: accounts.members,
    personalData,
    appraisedDevices: appraisalStore(db).deviceIds,
    deviceName: (id) => catalogue.registry().findDevice(id)?.name ?? null,
    newestImports: imports.listNewest,
    feeds: feeds.overview,
    lists: referenceDataStore(db).lists,
    sourcesDown: risk.sourcesDown,
    isClockSuspect: clock.isSuspended,
  })
  const servedRoutes = assertAllEndpointsServed([...apiRoutes, ...managementRoutes])
  const router: Router = createRouter({
    api,
    apiRoutes: servedRoutes,
    siteRoutes: [
      networkCertificateRoute(network),
      ...healthRoutes({
        checkWritable: db.admin.checkWritable,
        checkReadable: () => checkRevocationsFresh('read'),
        isStopping: () => isStopping,
        isIndexDamaged: catalogue.isDamaged,
      }),
      thumbnailRoute(catalogue),
      ...docsRoutes({ baseUrl, limits: config.limitsPerMinute }),
      ...mcpRoutes({
        api,
        version: VERSION,
        baseUrl,
        serve: (request, connection) => router.fetch(request, connection),
        allowedOrigins: [new URL(baseUrl).origin, ...config.corsOrigins],
        onError: (error) => log.warn('MCP message failed', { cause: excerpt(String(error)) }),
      }),
      ...pageRoutes({
        mail,
        addressOf,
        limiter: limits.limiter,
        pageLimiter: memoryLimiter({ maxKeys: 50_000 }),
        minFillMs: config.quoteMinFillMs,
        baseUrl,
        rethrowDatabaseError: databaseErrorRethrower({ isDatabaseUnavailable, isDiskFull, isDamaged }),
      }),
      ...dashboard,
    ],
    corsOrigins: config.corsOrigins,
    baseUrl,
    isSecure: baseUrl.startsWith('https:'),
    log,
    loadShedding: shedding,
    stretches,
    onFinished(facts) {
      metrics.countRequest(facts)
      recordRequest(facts)
    },
  })
  const postHandlers = shedding.rejectEarly(
    {
      findCachedKey: auth.keys.findCached,
      paths: servedRoutes.flatMap(({ endpoint: { method, path, body } }) =>
        method === 'POST' && body && !hasPathParameters(path) ? path : [],
      ),
      baseUrl,
      allowsCrossOrigin: config.corsOrigins.length > 0,
      log,
      onReject(rejected) {
        metrics.countRejected(rejected.route)
        recordRejection(rejected)
      },
    },
    router.fetch,
  )
  return {
    router,
    postHandlers,
    auth: auth.store,
    db,
    catalogue,
    metrics,
    jobs,
    uploads,
    startLeading,
    appraisals: appraisal.appraisals,
    listWords: appraisal.listWords,
    askingPrices: appraisal.askingPrices,
    network,
    outcomes: appraisal.outcomes,
    refreshMetrics: operations.refresh,
    warmUp: launchPrices.invalidate,
    startDraining() {
      isStopping = true
    },
    quotas,
    flushUsage: recorder.flush,
    async finishBackgroundWork(onWait) {
      const parts = [backups, removal]
      const hasQueuedJobs = await hasJobs()
      if (!hasQueuedJobs && !parts.some((part) => part.isBusy())) return
      onWait()
      // Without a running service this process is the leader.
      const stopJobs = hasQueuedJobs ? lead(() => runQueuedJobs({ db, config, environment, log })) : async () => {}
      while (await hasJobs()) await Bun.sleep(JOBS_POLL_MS)
      await Promise.all([stopJobs(), ...parts.map((part) => part.whenIdle())])
    },
    async close() {
      stretches.close()
      await network.close()
      await jobs.close()
      backups.close()
      settings.close()
      await removal.close()
      mail.close()
      metrics.close()
      shedding.close()
      setSpanRecorder(undefined)
      await exporter?.close()
      await responses.drain()
      appraisal.close()
      rates.close()
      await risk.close()
      limits.close()
      repairs.close()
      pricing.close()
      matching.close()
      launchPrices.close()
      catalogue.close()
      await auth.close()
      await recorder.close()
      await db.close()
    },
  }
}

/** Loaded only where single sign-on is used. */
async function openOidcClient(settings: OidcSettings) {
  const { createOidcClient } = await import('./auth/sso/oidc-service.ts')
  return createOidcClient(settings)
}

/** The service must not start if an endpoint of the contract has no handler. */
function assertAllEndpointsServed(routes: readonly ApiRoute[]): readonly ApiRoute[] {
  const served = new Set(routes.map(({ endpoint }) => endpoint))
  for (const endpoint of endpoints) {
    if (!served.has(endpoint)) throw new Error(`${endpoint.id} is in the contract but has no handler`)
  }
  return routes
}
