import { readFileSync } from 'node:fs'
import { keyring } from './access/keyring.ts'
import { type AccessStore, accessStore, type HeldKey } from './access/store.ts'
import { openAccount } from './account/open.ts'
import { type Catalogue, openCatalogue } from './catalog/catalogue.ts'
import { catalogueVersion, devicesOnBoard, tacsOnBoard } from './catalog/onboard.ts'
import { catalogRoutes, thumbnailPage } from './catalog/routes.ts'
import { catalogueStore } from './catalog/store.ts'
import { baseUrlOf, type Config, ConfigError, type Environment } from './config.ts'
import { CONDITION_GRADES } from './contract/conditions.ts'
import { endpoints } from './contract/endpoints.ts'
import { isStoreAway } from './db/failures.ts'
import { type Database, openDatabase } from './db/open.ts'
import { unavailable } from './errors.ts'
import { type Page, type RequestHandler, requestHandler } from './http/handler.ts'
import { type Metrics, openMetrics } from './http/metrics.ts'
import { documentPages, healthPages } from './http/pages.ts'
import { readyAnswer } from './http/ready.ts'
import type { Log } from './http/request-log.ts'
import type { ApiRoute } from './http/route.ts'
import { pricingRoutes } from './pricing/routes.ts'
import { memoryLimiter } from './ratelimit/memory.ts'
import { redisLimiter } from './ratelimit/redis.ts'
import { readOnBoard } from './repair/board.ts'
import { openRepairBook } from './repair/book.ts'
import { repairRoutes } from './repair/routes.ts'
import { repairStore } from './repair/store.ts'
import { assessor } from './risk/assess.ts'
import { factsCache } from './risk/facts-cache.ts'
import { groupCommit } from './risk/group-commit.ts'
import { openKnowledge } from './risk/knowledge.ts'
import { type FactsEntry, knowledgeStore } from './risk/knowledge-store.ts'
import { lookupIds } from './risk/lookup-id.ts'
import { lookupStore } from './risk/lookup-store.ts'
import { openLookups } from './risk/lookups.ts'
import { keepRetention } from './risk/retention.ts'
import { riskRoutes } from './risk/routes.ts'
import { providerSource } from './risk/sources/provider.ts'
import { type ProviderSettings, readProviders } from './risk/sources/provider-settings.ts'
import { VERSION } from './version.ts'
import { openPricing } from './wiring/pricing.ts'

const WRITE_LAST_USED_EVERY_MS = 30_000
const REFRESH_AGAIN_MS = 500

export type App = {
  readonly handle: RequestHandler
  readonly access: AccessStore
  readonly db: Database
  readonly catalogue: Catalogue
  readonly metrics: Metrics
  /** Writes what was only kept in memory and closes the store. */
  close(): Promise<void>
}

/** The whole service without a port: opens the store, reads what is served from memory, and wires the routes. */
export async function openApp(config: Config, log: Log, environment: Environment = process.env): Promise<App> {
  // Before anything is opened: a mistake in the file must not leave an open store behind.
  const providers = providersIn(config.sourcesFile, environment)
  const db = await openDatabase({ url: config.databaseUrl, dataDir: config.dataDir, patience: 'server' })
  const access = accessStore(db)
  const keys = keyring(access)
  await keys.refresh()
  const stopFollowing = followChanges(db, keys, log)
  const lastUsed = lastUsedNotes(access, log)

  const registry = catalogueStore(db, (id, error) =>
    log.error('a device cannot be read and is left out', { device_id: id, cause: String(error) }),
  )
  await registry.loadOnBoard({ version: catalogueVersion(), devices: devicesOnBoard, tacs: tacsOnBoard })
  const catalogue = await openCatalogue({
    source: registry,
    baseUrl: baseUrlOf(config),
    onChange: (react) => db.onChange('catalogue', react),
    failed: (error) => log.warn('the registry could not be read again', { cause: String(error) }),
  })

  const pricing = await openPricing({ db, catalogue, sampleData: config.sampleData, log })
  const repairs = await openRepairBook({
    onBoard: readOnBoard(),
    registry: () => catalogue.snapshot(),
    readImported: repairStore(db).readImported,
    preparePrices: pricing.book.prepare,
    resaleOf: pricing.book.resaleOf,
    now: Date.now,
    ready: readyAnswer,
    failed: (error) => log.warn('repair answers could not be made anew', { cause: String(error) }),
  })
  db.onChange('repair', repairs.changed)
  catalogue.onSwap(repairs.changed)
  pricing.book.onPrices(repairs.changed)

  const risk = await openRisk(db, config, log, providers)

  const routes: ApiRoute[] = [
    ...catalogRoutes(catalogue),
    ...pricingRoutes(pricing.book),
    ...repairRoutes(repairs),
    ...riskRoutes(risk.lookups),
    conditionsRoute(),
  ]
  const account = openAccount({
    db,
    access,
    apiRoutes: [...routes, ...notYet(routes)],
    names: () => registryNames(catalogue),
    config,
    log,
  })
  const pages: Page[] = [
    ...healthPages(db),
    thumbnailPage(catalogue),
    ...documentPages({ baseUrl: baseUrlOf(config), version: VERSION, limits: config.limitsPerMinute }),
    ...account.pages,
  ]
  const metrics = openMetrics()
  watchSnapshot(metrics, catalogue)
  const limits = openLimits(config, metrics, log)
  const handle = requestHandler({
    gate: {
      keyring: keys,
      limiter: limits.limiter,
      addressLimiter: memoryLimiter({ maxKeys: 50_000 }),
      limitsPerMinute: config.limitsPerMinute,
      used: lastUsed.note,
      isStoreAway,
    },
    routes: account.routes,
    pages,
    corsOrigins: config.corsOrigins,
    trustProxy: config.trustProxy,
    log,
    finished: (finished, now) => {
      metrics.request(finished)
      account.finished(finished, now)
    },
  })
  return {
    handle,
    access,
    db,
    catalogue,
    metrics,
    async close() {
      stopFollowing()
      metrics.close()
      await risk.close()
      limits.close()
      repairs.close()
      pricing.close()
      catalogue.close()
      await lastUsed.stop()
      await account.close()
      await db.close()
    },
  }
}

/** Keeps the keyring up to date. A change is announced once, so a refresh that fails is tried until it succeeds. */
function followChanges(db: Database, keys: ReturnType<typeof keyring>, log: Log): () => void {
  let retry: ReturnType<typeof setTimeout> | undefined
  async function refresh(): Promise<void> {
    clearTimeout(retry)
    try {
      await keys.refresh()
    } catch (error) {
      log.warn('keys could not be refreshed', { cause: String(error) })
      clearTimeout(retry)
      retry = setTimeout(refresh, REFRESH_AGAIN_MS)
    }
  }
  const unsubscribe = db.onChange('access', refresh)
  return () => {
    unsubscribe()
    clearTimeout(retry)
  }
}

/** Limits per key: in this process, or shared through Redis when one is named. */
function openLimits(config: Config, { registry }: Metrics, log: Log) {
  const own = memoryLimiter()
  registry.gauge('rate_limit_keys', 'Keys whose spent requests this process remembers.', own.size)
  if (!config.redisUrl) return { limiter: own, close() {} }
  const shared = redisLimiter({ url: config.redisUrl, local: own, warn: log.warn })
  registry.gauge(
    'rate_limit_shared',
    'Whether limits are shared through Redis (1) or, while it is away, kept in this process (0).',
    () => Number(shared.shared()),
  )
  return { limiter: shared, close: shared.close }
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

/** Endpoints of the contract whose engine is not there yet say so, behind the same key and tier checks. */
function notYet(routes: readonly ApiRoute[]): ApiRoute[] {
  const served = new Set(routes.map(({ method, path }) => `${method} ${path}`))
  return endpoints
    .filter(({ method, path }) => !served.has(`${method} ${path}`))
    .map(({ method, path, tier }) => ({
      method,
      path,
      tier,
      handle: () => {
        throw unavailable('This endpoint is not available yet.', 3_600)
      },
    }))
}

/** Identifier lookups: what the store and the outside sources know, and the records that are written of every answer. */
async function openRisk(db: Database, config: Config, log: Log, settings: readonly ProviderSettings[]) {
  const knows = knowledgeStore(db)
  const records = lookupStore(db)
  const tacs = tacsOnBoard()
  await knows.loadOnBoard(tacs, Bun.hash(JSON.stringify(tacs)).toString(36))
  const knowledge = await openKnowledge(knows, (error) => log.warn('lists could not be read', { cause: String(error) }))
  const kept = groupCommit(
    async (entries: readonly FactsEntry[]) => {
      await knows.keepFacts(entries)
      return entries
    },
    { rowsOf: () => 1, mostRows: 256, isStoreAway },
  )
  const cache = factsCache({
    read: knows.cachedFacts,
    write: (source, key, cached) => {
      kept.write({ source, key, cached }).catch(() => log.warn('an answer could not be cached', { source }))
    },
  })
  const providers = settings.map((provider) =>
    providerSource(provider, {
      cache,
      now: Date.now,
      onFailure: (source, reason) => log.warn('a source failed', { source, reason }),
    }),
  )
  const lookups = openLookups({
    assess: assessor(knowledge, providers),
    store: records,
    nextId: lookupIds((limit) => Math.floor(Math.random() * limit)),
    isStoreAway,
  })
  const stopRetention = keepRetention({
    lookups: records,
    knowledge: knows,
    retentionDays: config.lookupRetentionDays,
    cacheMs: Math.max(0, ...settings.map((each) => Math.max(each.cache_minutes, each.stale_minutes))) * 60_000,
    now: Date.now,
    failed: (error) => log.warn('old lookups could not be deleted', { cause: String(error) }),
    deleted: (count) => log.info('old lookups deleted', { count }),
  })
  return {
    lookups,
    async close() {
      stopRetention()
      knowledge.close()
      await lookups.drained()
      await kept.drained()
    },
  }
}

function providersIn(file: string, environment: Environment): readonly ProviderSettings[] {
  if (file === '') return []
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    throw new ConfigError([`SOURCES_FILE: "${file}" cannot be read`])
  }
  const { providers, mistakes } = readProviders(text, environment)
  if (mistakes.length > 0) throw new ConfigError(mistakes.map((mistake) => `SOURCES_FILE: ${mistake}`))
  return providers
}

function conditionsRoute(): ApiRoute {
  const answer = readyAnswer(JSON.stringify(CONDITION_GRADES))
  return { method: 'GET', path: '/api/meta/conditions', tier: 'public', handle: () => answer }
}

function registryNames(catalogue: Catalogue): { makes: string[]; categories: string[] } {
  const { makes, categories } = catalogue.snapshot()
  return { makes: [...makes.values()].sort(), categories: [...categories.values()].sort() }
}

/** When a key was last used is kept in memory and written now and then: never on the request path. */
function lastUsedNotes(access: AccessStore, log: Log) {
  let notes = new Map<string, number>()
  async function write(): Promise<void> {
    if (notes.size === 0) return
    const writing = notes
    notes = new Map()
    try {
      await access.recordUse(writing)
    } catch (error) {
      // The store is away: keep the notes for the next time, newer ones first.
      notes = new Map([...writing, ...notes])
      log.warn('last use of keys could not be written', { cause: String(error) })
    }
  }
  const timer = setInterval(write, WRITE_LAST_USED_EVERY_MS)
  return {
    note(key: HeldKey, now: number): void {
      notes.set(key.id, now)
    },
    async stop(): Promise<void> {
      clearInterval(timer)
      await write()
    },
  }
}
