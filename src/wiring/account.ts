import { loadBundle } from '../../dashboard/bundle.ts'
import type { AccessStore } from '../access/store.ts'
import { accountPage } from '../account/routes.ts'
import { dashboardPages } from '../account/site/routes.ts'
import { accountStore } from '../account/store.ts'
import { baseUrlOf, type Config } from '../config.ts'
import type { NamesWire } from '../contract/account.ts'
import { isStoreAway } from '../db/failures.ts'
import type { Database } from '../db/open.ts'
import type { Page } from '../http/reception.ts'
import type { Finished, Log } from '../http/request-log.ts'
import type { ApiRoute } from '../http/route.ts'
import { newestRuns } from '../import/run-store.ts'
import { memoryLimiter } from '../ratelimit/memory.ts'
import { lookupStore } from '../risk/lookup-store.ts'
import { countingLevels } from '../usage/lookup-levels.ts'
import { openUsageRecorder } from '../usage/recorder.ts'
import { usageStore } from '../usage/store.ts'

export type Account = {
  /** The API's own routes, which now also count what their lookups came to. */
  readonly routes: readonly ApiRoute[]
  readonly pages: readonly Page[]
  readonly finished: (finished: Finished, now: number) => void
  close(): Promise<void>
}

type Opening = {
  readonly db: Database
  readonly access: AccessStore
  readonly apiRoutes: readonly ApiRoute[]
  readonly names: () => NamesWire
  readonly config: Config
  readonly log: Log
}

/** The dashboard, its API, and the count of what every key does. */
export function openAccount({ db, access, apiRoutes, names, config, log }: Opening): Account {
  const usage = usageStore(db)
  const recorder = openUsageRecorder(usage, {
    complain: (message, error) => log.warn(message, { cause: String(error) }),
    writerId: crypto.randomUUID(),
  })
  const routes = apiRoutes.map((route) => countingLevels(route, recorder))
  const knocks = memoryLimiter({ maxKeys: 50_000 })
  const account = accountPage({
    accounts: accountStore(db),
    access,
    usage,
    recorder,
    apiRoutes: routes,
    findLookup: lookupStore(db).find,
    imports: (limit) => newestRuns(db, limit),
    names,
    limitsPerMinute: config.limitsPerMinute,
    baseUrl: () => baseUrlOf(config),
    sampleData: config.sampleData,
    isStoreAway,
    mayKnock: (name, perMinute, now) => knocks.take(name, perMinute, 1, now),
  })
  return {
    routes,
    pages: [account, ...dashboardPages(loadBundle)],
    finished({ key, route, status }, now) {
      if (key !== null) recorder.add({ organizationId: key.organizationId, keyId: key.id, route, status }, now)
    },
    close: recorder.close,
  }
}
