import type { AccessStore } from './access/store.ts'
import type { Appraisals } from './appraisal/appraisals.ts'
import { appraisalRoutes } from './appraisal/routes.ts'
import { type Catalogue, openCatalogue } from './catalog/catalogue.ts'
import { nearestVariants } from './catalog/nearest.ts'
import { catalogueVersion, devicesOnBoard, tacsOnBoard } from './catalog/onboard.ts'
import { catalogRoutes, thumbnailRoute } from './catalog/routes.ts'
import { catalogueStore } from './catalog/store.ts'
import { baseUrlOf, type Config, type Environment } from './config.ts'
import { CONDITION_GRADES } from './contract/conditions.ts'
import { endpoints, listConditions } from './contract/endpoints.ts'
import { hasPlaces } from './contract/path.ts'
import { exchangeStore } from './currency/exchange-store.ts'
import { openRates } from './currency/rates.ts'
import { isStoreAway } from './db/failures.ts'
import { type Database, openDatabase } from './db/open.ts'
import { openAnswers } from './durable/durable-answers.ts'
import { recordStore } from './durable/record-store.ts'
import { storeFollower } from './follow.ts'
import { admission } from './http/admission.ts'
import type { Gate } from './http/api.ts'
import { storeTrouble } from './http/api-error.ts'
import { clientAddress } from './http/client-address.ts'
import { type ApiRoute, route } from './http/context.ts'
import { documentRoutes } from './http/documents.ts'
import { healthRoutes } from './http/health.ts'
import { type Metrics, openMetrics } from './http/metrics.ts'
import { watchPressure } from './http/pressure.ts'
import { readyAnswer } from './http/ready.ts'
import { watchRoom } from './http/room.ts'
import { createRouter, type Router } from './http/router.ts'
import type { Posts } from './http/server.ts'
import { shedding } from './http/shedding.ts'
import { contactCheck } from './http/store-contact.ts'
import { bringOnBoard } from './import/catalogue/on-board.ts'
import { openContributions } from './import/market/contributions.ts'
import { observationRoutes } from './import/market/routes.ts'
import { yieldToRequests } from './in-slices.ts'
import type { Log } from './log.ts'
import { mcpRoutes } from './mcp/routes.ts'
import { pricingRoutes } from './pricing/serve/routes.ts'
import { usedFrom } from './pricing/serve/used-from.ts'
import { memoryLimiter } from './ratelimit/memory.ts'
import type { SiblingChannel } from './ratelimit/siblings.ts'
import { openRepairAnswers } from './repair/answers.ts'
import { readOnBoard } from './repair/facts-on-board.ts'
import { repairRoutes } from './repair/routes.ts'
import { repairStore } from './repair/store.ts'
import { openMatching, titleSearch } from './resolver/matching.ts'
import { matchRoutes } from './resolver/routes.ts'
import { riskRoutes } from './risk/routes.ts'
import { levelCounter } from './usage/lookup-levels.ts'
import { openUsageRecorder } from './usage/recorder.ts'
import { usageStore } from './usage/store.ts'
import { VERSION } from './version.ts'
import { openAccess } from './wiring/access.ts'
import { accountSite } from './wiring/account.ts'
import { openAppraisal } from './wiring/appraisal.ts'
import { businessMetrics } from './wiring/business-metrics.ts'
import { type Events, openEvents } from './wiring/events.ts'
import { type Feeds, openFeeds } from './wiring/feeds.ts'
import { openPricing } from './wiring/pricing.ts'
import { openLimits } from './wiring/rate-limits.ts'
import { openRisk } from './wiring/risk.ts'
import { readSettingsFiles } from './wiring/settings-files.ts'
import { openUploads, type Uploads } from './wiring/uploads.ts'

/** One core does some 5,000 lookups a second (`npm run bench risk`), so that so many are answered within a tenth of one. */
const MOST_IN_PROGRESS = { most: 300, mostOfOne: 200 }
/** Bodies that are waited for: a caller who sends them slowly can only keep itself from being served. */
const MOST_ARRIVING = { most: 1_000, mostOfOne: 300 }

export type App = {
  readonly router: Router
  /** What a server asks first where something is posted. */
  readonly posts: Posts
  readonly access: AccessStore
  readonly db: Database
  readonly catalogue: Catalogue
  readonly metrics: Metrics
  readonly feeds: Feeds
  readonly uploads: Uploads
  readonly events: Events
  readonly appraisals: Appraisals
  /** Does now, between requests, what the first callers would wait for. */
  prepare(): Promise<void>
  /** Writes what was only kept in memory and closes the store. */
  close(): Promise<void>
}

/** The whole service without a port: opens the store, reads what is served from memory, and wires the routes. */
export async function openApp(
  config: Config,
  log: Log,
  environment: Environment = process.env,
  siblings?: SiblingChannel,
): Promise<App> {
  // Before anything is opened: a mistake in a file must not leave an open store behind.
  const { providers, feeds: feedSettings } = await readSettingsFiles(config, environment)
  const db = await openDatabase({
    url: config.databaseUrl,
    replicaUrl: config.databaseReplicaUrl,
    connections: config.databasePool,
    dataDir: config.dataDir,
    patience: 'server',
    onWait: () => log.info('another process brings the schema of the store up to date and is waited for'),
  })
  const metrics = openMetrics()
  const business = businessMetrics(metrics.registry, db, Date.now)
  const follow = storeFollower(db, log)
  const access = await openAccess(db, follow, log)

  const registry = catalogueStore(db, (id, error) =>
    log.error('a device cannot be read and is left out', { device_id: id, cause: String(error) }),
  )
  const onBoard = { version: catalogueVersion(), devices: devicesOnBoard, tacs: tacsOnBoard }
  const contents = await bringOnBoard(db, onBoard, () =>
    log.info('another process brings the catalogue into the store and is waited for'),
  )
  const catalogue = await openCatalogue({
    source: registry,
    contents,
    baseUrl: baseUrlOf(config),
    follow: follow('registry', 'catalogue'),
  })

  const pricing = await openPricing({ db, follow, catalogue, sampleData: config.sampleData, log })
  const repairs = await openRepairAnswers({
    onBoard: readOnBoard(),
    registry: () => catalogue.snapshot(),
    readImported: repairStore(db).readImported,
    preparePrices: pricing.quotes.prepare,
    resaleOf: pricing.quotes.resaleOf,
    labourCentsPerHour: config.labourCentsPerHour,
    now: Date.now,
    ready: readyAnswer,
    follow: follow('repairs', 'repair'),
  })
  catalogue.onSwap(repairs.changed)
  pricing.quotes.onPrices(repairs.changed)

  const recorder = openUsageRecorder(usageStore(db), {
    complain: (message, error) => log.warn(message, { cause: String(error) }),
    writerId: crypto.randomUUID(),
  })
  const answers = business.counted(openAnswers(business.timed(recordStore(db)), isStoreAway))
  const countLevels = levelCounter(recorder)
  const risk = await openRisk({
    db,
    answers,
    follow,
    config,
    log,
    settings: providers,
    onAssessed(by, levels) {
      countLevels(by, levels)
      business.assessed(levels)
    },
    onSourceFailure: business.sourceFailed,
  })

  const matching = openMatching({
    devices: () => catalogue.snapshot().devices.all(),
    onSwap: catalogue.onSwap,
  })
  const rates = await openRates({ store: exchangeStore(db), now: Date.now, follow: follow('exchange rates', 'market') })
  const appraisal = await openAppraisal({
    db,
    follow,
    config,
    catalogue,
    matching,
    quotes: pricing.quotes,
    repairs,
    lookups: risk.lookups,
    rates,
    answers,
  })

  const events = openEvents({ db, catalogue, quotes: pricing.quotes, log, allowPrivate: config.webhookAllowPrivate })
  const apiRoutes = complete([
    ...catalogRoutes(catalogue, titleSearch(matching)),
    ...matchRoutes(matching),
    ...pricingRoutes(pricing.quotes, rates, (id) => nearestVariants(catalogue.snapshot(), id)),
    ...observationRoutes(
      openContributions({
        db,
        devices: () => [...catalogue.snapshot().devices.all()],
        resolver: matching.resolver,
      }),
    ),
    ...repairRoutes(repairs, rates),
    ...riskRoutes(risk.lookups),
    ...appraisalRoutes(appraisal.appraisals),
    ...events.routes,
    conditionsRoute(),
  ])
  watchSnapshot(metrics, catalogue)
  const feeds = openFeeds({ db, feeds: feedSettings, metrics, log })
  const uploads = openUploads({ db, config, environment, log })
  const limits = openLimits(config, metrics, log, siblings)
  const room = watchRoom()
  const admitted = admission({ ...MOST_IN_PROGRESS, share: room.share })
  const arriving = admission(MOST_ARRIVING)
  const { gauge } = metrics.registry
  gauge('http_requests_in_progress', 'Requests with a body that are being worked on.', admitted.inProgress)
  const pressure = watchPressure()
  const baseUrl = baseUrlOf(config)
  const addressOf = clientAddress(config.trustProxy)
  const gate: Gate = {
    keyring: access.keys,
    limiter: limits.limiter,
    addressLimiter: memoryLimiter({ maxKeys: 50_000 }),
    limitsPerMinute: config.limitsPerMinute,
    addressOf,
    used: access.used,
    checkContact: contactCheck(db.silentForMs, config.revocationGraceMs),
    admission: admitted,
    arriving,
    storeTrouble: storeTrouble(isStoreAway),
  }
  const documents = documentRoutes({ baseUrl, version: VERSION, limits: config.limitsPerMinute })
  const router: Router = createRouter({
    gate,
    apiRoutes,
    siteRoutes: [
      ...healthRoutes(db),
      thumbnailRoute(catalogue),
      ...documents,
      ...mcpRoutes({
        gate,
        version: VERSION,
        baseUrl,
        serve: (request, connection) => router.fetch(request, connection),
        failed: (error) => log.warn('a message to /mcp could not be answered', { cause: String(error) }),
      }),
      ...accountSite({
        db,
        access: access.store,
        apiRoutes,
        lookups: risk.lookups,
        appraisals: appraisal.appraisals,
        rates,
        deviceName: (id) => catalogue.snapshot().findDevice(id)?.name ?? null,
        recorder,
        addressOf,
        names: () => registryNames(catalogue),
        usedFrom: usedFrom({ registry: () => catalogue.snapshot(), quotes: pricing.quotes }),
        feeds: feeds.overview,
        uploads,
        sourcesDown: risk.sourcesDown,
        limiter: limits.limiter,
        config,
      }),
    ],
    corsOrigins: config.corsOrigins,
    baseUrl,
    isSecure: baseUrl.startsWith('https:'),
    log,
    pressure,
    finished(facts) {
      metrics.request(facts)
      const { key, route, status, now, durationMs } = facts
      if (key === null) return
      const { organizationId, id: keyId } = key
      recorder.add({ organizationId, keyId, route, status, durationMs }, now)
      const { method, loggedId: requestId } = facts
      recorder.log({ organizationId, keyId, at: now, method, route, status, durationMs, requestId })
    },
  })
  const posts = shedding(
    {
      admission: admitted,
      room,
      keyring: access.keys,
      paths: apiRoutes.flatMap(({ endpoint: { method, path, body } }) =>
        method === 'POST' && body && !hasPlaces(path) ? path : [],
      ),
      baseUrl,
      hasOrigins: config.corsOrigins.length > 0,
      log,
      shed({ route, key, now }) {
        metrics.shed(route)
        if (key === null) return
        const { organizationId, id: keyId } = key
        recorder.add({ organizationId, keyId, route, status: 503, durationMs: 0 }, now)
      },
    },
    router.fetch,
  )
  return {
    router,
    posts,
    access: access.store,
    db,
    catalogue,
    metrics,
    feeds,
    uploads,
    events,
    appraisals: appraisal.appraisals,
    async prepare() {
      await catalogue.makeIndex()
      for (const { draw } of documents) {
        await yieldToRequests()
        draw()
      }
    },
    async close() {
      await uploads.close()
      metrics.close()
      business.close()
      pressure.close()
      await answers.drained()
      appraisal.close()
      rates.close()
      await risk.close()
      limits.close()
      repairs.close()
      pricing.close()
      matching.close()
      catalogue.close()
      await access.close()
      await recorder.close()
      await db.close()
    },
  }
}

function watchSnapshot({ registry }: Metrics, catalogue: Catalogue): void {
  let swappedAt = performance.now()
  catalogue.onSwap(() => {
    swappedAt = performance.now()
  })
  registry.gauge(
    'catalogue_snapshot_age_seconds',
    'Time since the registry served from memory was last swapped.',
    () => (performance.now() - swappedAt) / 1000,
  )
}

/** An endpoint of the contract that nothing serves must not start, let alone answer 404. */
function complete(routes: readonly ApiRoute[]): readonly ApiRoute[] {
  const served = new Set(routes.map(({ endpoint }) => endpoint))
  for (const endpoint of endpoints) {
    if (!served.has(endpoint)) throw new Error(`${endpoint.id} is in the contract and nothing serves it`)
  }
  return routes
}

function conditionsRoute(): ApiRoute {
  const answer = readyAnswer(JSON.stringify(CONDITION_GRADES))
  return route(listConditions, () => answer)
}

function registryNames(catalogue: Catalogue): { makes: string[]; categories: string[] } {
  const { makes, categories } = catalogue.snapshot()
  return { makes: [...makes.values()].sort(), categories: [...categories.values()].sort() }
}
