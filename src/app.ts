import { keyring } from './access/keyring.ts'
import { type AccessStore, accessStore, type HeldKey } from './access/store.ts'
import { openAccount } from './account/open.ts'
import { type Catalogue, openCatalogue } from './catalog/catalogue.ts'
import { catalogueVersion, devicesOnBoard } from './catalog/onboard.ts'
import { catalogRoutes, thumbnailPage } from './catalog/routes.ts'
import { catalogueStore } from './catalog/store.ts'
import { baseUrlOf, type Config } from './config.ts'
import { CONDITION_GRADES } from './contract/conditions.ts'
import { endpoints } from './contract/endpoints.ts'
import { isStoreAway } from './db/failures.ts'
import { type Database, openDatabase } from './db/open.ts'
import { unavailable } from './errors.ts'
import { type Page, type RequestHandler, requestHandler } from './http/handler.ts'
import { documentPages, healthPages } from './http/pages.ts'
import { readyAnswer } from './http/ready.ts'
import type { Log } from './http/request-log.ts'
import type { ApiRoute } from './http/route.ts'
import { memoryLimiter } from './ratelimit/memory.ts'
import { readOnBoard } from './repair/board.ts'
import { openRepairBook } from './repair/book.ts'
import { repairRoutes } from './repair/routes.ts'
import { repairStore } from './repair/store.ts'
import { VERSION } from './version.ts'

const WRITE_LAST_USED_EVERY_MS = 30_000

export type App = {
  readonly handle: RequestHandler
  readonly access: AccessStore
  readonly db: Database
  readonly catalogue: Catalogue
  /** Writes what was only kept in memory and closes the store. */
  close(): Promise<void>
}

/** The whole service without a port: opens the store, reads what is served from memory, and wires the routes. */
export async function openApp(config: Config, log: Log): Promise<App> {
  const db = await openDatabase({ url: config.databaseUrl, dataDir: config.dataDir, patience: 'server' })
  const access = accessStore(db)
  const keys = keyring(access)
  await keys.refresh()
  db.onChange('access', () => {
    keys.refresh().catch((error) => log.warn('keys could not be refreshed', { cause: String(error) }))
  })
  const lastUsed = lastUsedNotes(access, log)

  const registry = catalogueStore(db)
  await registry.loadOnBoard(devicesOnBoard(), catalogueVersion())
  const catalogue = await openCatalogue({
    source: registry,
    baseUrl: baseUrlOf(config),
    onChange: (react) => db.onChange('catalogue', react),
    failed: (error) => log.warn('the registry could not be read again', { cause: String(error) }),
  })

  const repairs = await openRepairBook({
    onBoard: readOnBoard(),
    registry: () => catalogue.snapshot(),
    readImported: repairStore(db).readImported,
    resaleOf: () => null,
    ready: readyAnswer,
    failed: (error) => log.warn('repair answers could not be made anew', { cause: String(error) }),
  })
  db.onChange('repair', repairs.changed)
  catalogue.onSwap(repairs.changed)

  const routes: ApiRoute[] = [...catalogRoutes(catalogue), ...repairRoutes(repairs), conditionsRoute()]
  const account = openAccount(db, access, [...routes, ...notYet(routes)], config, log)
  const pages: Page[] = [
    ...healthPages(db),
    thumbnailPage(catalogue),
    ...documentPages({ baseUrl: baseUrlOf(config), version: VERSION, limits: config.limitsPerMinute }),
    ...account.pages,
  ]
  const handle = requestHandler({
    gate: {
      keyring: keys,
      limiter: memoryLimiter(),
      addressLimiter: memoryLimiter(),
      limitsPerMinute: config.limitsPerMinute,
      used: lastUsed.note,
      isStoreAway,
    },
    routes: account.routes,
    pages,
    corsOrigins: config.corsOrigins,
    trustProxy: config.trustProxy,
    log,
    finished: account.finished,
  })
  return {
    handle,
    access,
    db,
    catalogue,
    async close() {
      repairs.close()
      catalogue.close()
      await lastUsed.stop()
      await account.close()
      await db.close()
    },
  }
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

function conditionsRoute(): ApiRoute {
  const answer = readyAnswer(JSON.stringify(CONDITION_GRADES))
  return { method: 'GET', path: '/api/meta/conditions', tier: 'public', handle: () => answer }
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
