import { keyring } from '../access/keyring.ts'
import { keepLastUse } from '../access/last-use.ts'
import { accessStore, type HeldKey } from '../access/store.ts'
import type { Database } from '../db/open.ts'
import type { StoreFollower } from '../follow.ts'
import type { Log } from '../log.ts'

/** While the store cannot be read, revoked keys go on working: it is asked again sooner than by others. */
const LONGEST_RETRY_MS = 500

/** Organizations and keys: the store, the keyring that follows it, and the notes of when a key was last used. */
export async function openAccess(db: Database, follow: StoreFollower, log: Log) {
  const store = accessStore(db)
  const keys = keyring(store)
  const following = follow('keys', 'access')(keys.refresh, { longestRetryMs: LONGEST_RETRY_MS })
  await following.refresh()
  const lastUse = keepLastUse({
    write: store.recordUse,
    failed: (error) => log.warn('last use of keys could not be written', { cause: String(error) }),
  })
  return {
    store,
    keys,
    used: ({ id }: HeldKey, now: number) => lastUse.note(id, now),
    async close(): Promise<void> {
      following.close()
      await lastUse.close()
    },
  }
}
