import { LRUCache } from 'lru-cache'
import { KEY_PREFIXES } from '../contract/tiers.ts'
import { MAX_KEY_LENGTH, parseKeyTier } from './api-key.ts'
import type { CachedKey } from './auth-store.ts'
import { hashSecret } from './secret-hash.ts'

/** How long an unknown hash is remembered as unknown, so that a caller who repeats it does not reach the store again. */
const MISS_CACHE_MS = 2_000
const MAX_CACHED_MISSES = 10_000

/** What the keyring needs of the store. */
export type KeySource = {
  heldKeysSince(revision: number): Promise<CachedKey[]>
  findHeldKey(hash: string): Promise<CachedKey | undefined>
}

export type KeyCache = ReturnType<typeof keyCache>

/**
 * All keys by the hash of their secret. A request costs one hash and one map look-up; only a key nobody has seen yet is
 * read from the store, once.
 */
export function keyCache(source: KeySource) {
  const cached = new Map<string, CachedKey>()
  /** Until when each unknown hash is taken for unknown. */
  const misses = new LRUCache<string, number>({ max: MAX_CACHED_MISSES })
  const pendingReads = new Map<string, Promise<CachedKey | undefined>>()
  let revision = 0

  function addToCache(key: CachedKey): void {
    const known = cached.get(key.hash)
    // An answer that was on its way while the key was revoked must not bring it back.
    if (!known || known.revision <= key.revision) cached.set(key.hash, key)
  }

  async function readKey(hash: string, now: number): Promise<CachedKey | undefined> {
    const found = await source.findHeldKey(hash)
    if (found) {
      addToCache(found)
      return cached.get(hash)
    }
    misses.set(hash, now + MISS_CACHE_MS)
    return undefined
  }

  return {
    /** Reads what changed since the last time. */
    async refresh(): Promise<void> {
      const changed = await source.heldKeysSince(revision)
      for (const key of changed) {
        addToCache(key)
        revision = Math.max(revision, key.revision)
      }
      misses.clear()
    },

    /**
     * The valid key behind a secret: at once where its hash is known, through the store where it is not, undefined when
     * it must be refused. `beforeReading` is called before the store is read, and throws to prevent that.
     */
    find(
      secret: string,
      now: number,
      beforeReading: () => void,
    ): CachedKey | undefined | Promise<CachedKey | undefined> {
      if (secret.length > MAX_KEY_LENGTH) return undefined
      const hash = hashSecret(secret)
      const known = cached.get(hash)
      // A hash that is held proves the checksum; only a stranger's has to be looked at.
      if (known) return isValid(known, secret, now) ? known : undefined
      if (!parseKeyTier(secret)) return undefined
      const unknownUntil = misses.get(hash)
      if (unknownUntil !== undefined && unknownUntil > now) return undefined
      beforeReading()
      let reading = pendingReads.get(hash)
      if (!reading) {
        reading = readKey(hash, now).finally(() => pendingReads.delete(hash))
        pendingReads.set(hash, reading)
      }
      return reading.then((found) => (found && isValid(found, secret, now) ? found : undefined))
    },

    /** The valid key behind a secret where it is known already; the store is not asked. */
    findCached(secret: string, now: number): CachedKey | undefined {
      if (secret.length > MAX_KEY_LENGTH) return undefined
      const known = cached.get(hashSecret(secret))
      return known && isValid(known, secret, now) ? known : undefined
    },

    size: () => cached.size,
  }
}

function isValid(key: CachedKey, secret: string, now: number): boolean {
  return (
    secret.startsWith(KEY_PREFIXES[key.tier]) &&
    (key.revokedAt === null || key.revokedAt > now) &&
    (key.expiresAt === null || key.expiresAt > now)
  )
}
