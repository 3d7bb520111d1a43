import { keyring } from '../access/keyring.ts'
import { type AccessStore, accessStore, type HeldKey } from '../access/store.ts'
import type { Database } from '../db/open.ts'
import type { Log } from '../http/request-log.ts'

const WRITE_LAST_USED_EVERY_MS = 30_000
const REFRESH_AGAIN_MS = 500

/** Organizations and keys: the store, the keyring that follows it, and the notes of when a key was last used. */
export async function openAccess(db: Database, log: Log) {
  const store = accessStore(db)
  const keys = keyring(store)
  await keys.refresh()
  const stopFollowing = followChanges(db, keys, log)
  const lastUsed = lastUsedNotes(store, log)
  return {
    store,
    keys,
    used: lastUsed.note,
    async close(): Promise<void> {
      stopFollowing()
      await lastUsed.stop()
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
