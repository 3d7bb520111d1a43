import { authStore, type CachedKey } from '../auth/auth-store.ts'
import { keyCache } from '../auth/key-cache.ts'
import { openLastUseRecorder } from '../auth/last-use.ts'
import type { Database } from '../db/database.ts'
import type { ReloadOnTopic } from '../db/reload-on-change.ts'
import type { Scheduler } from '../jobs/scheduler-service.ts'
import type { Log } from '../lib/log.ts'

/** While the database cannot be read, revoked keys keep working, so retries are frequent. */
const MAX_RETRY_MS = 500
const FLUSH_EVERY_MS = 30_000

type AuthDependencies = {
  readonly db: Database
  readonly reloadOn: ReloadOnTopic
  readonly jobs: Scheduler
  readonly log: Log
}

/** Organizations and keys: the store, the key cache and the record of last use. */
export async function openAuth({ db, reloadOn, jobs, log }: AuthDependencies) {
  const store = authStore(db)
  const keys = keyCache(store)
  const reloader = reloadOn('keys', 'access')(keys.refresh, { maxRetryMs: MAX_RETRY_MS })
  await reloader.refresh()
  const lastUse = openLastUseRecorder(store.recordUse)
  jobs.add({ name: 'last_use', everyMs: FLUSH_EVERY_MS, run: lastUse.flush })
  return {
    store,
    keys,
    recordUse: ({ id }: CachedKey, now: number) => lastUse.record(id, now),
    async close(): Promise<void> {
      reloader.close()
      await lastUse.flush().catch((error) => log.warn('cannot write last use of keys', { cause: String(error) }))
    },
  }
}
