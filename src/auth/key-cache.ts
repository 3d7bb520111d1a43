import { LRUCache } from 'lru-cache'
import { KEY_PREFIXES } from '../contract/tiers.ts'
import { MAX_KEY_LENGTH, parseKeyTier } from './api-key.ts'
import type { CachedKey } from './auth-store.ts'
import { hashSecret } from './secret-hash.ts'

/** How long an unknown hash is cached as unknown, so that repeated requests do not query the database. */
const MISS_CACHE_MS = 2_000
const MAX_CACHED_MISSES = 10_000

export type KeySource = {
  cachedKeysSince(revision: number): Promise<CachedKey[]>
  /** Number of keys in the database. */
  countKeys(): Promise<number>
  findCachedKey(hash: string): Promise<CachedKey | undefined>
}

export type KeyCache = ReturnType<typeof keyCache>

/**
 * All keys by the hash of their secret. A request costs one hash and one map lookup; an unknown key is read once from the
 * database.
 */
export function keyCache(source: KeySource) {
  const cached = new Map<string, CachedKey>()
  /** Unknown hashes and until when they count as unknown. */
  const misses = new LRUCache<string, number>({ max: MAX_CACHED_MISSES })
  const pendingReads = new Map<string, Promise<CachedKey | undefined>>()
  let revision = 0

  function addToCache(key: CachedKey): void {
    const current = cached.get(key.hash)
    // A read that was in flight while the key was revoked must not bring it back.
    if (!current || current.revision <= key.revision) cached.set(key.hash, key)
  }

  async function readKey(hash: string, now: number): Promise<CachedKey | undefined> {
    const key = await source.findCachedKey(hash)
    if (key) {
      addToCache(key)
      return cached.get(hash)
    }
    misses.set(hash, now + MISS_CACHE_MS)
    return undefined
  }

  /** Keys of a removed organization have no revision that announces it: their rows are gone. */
  async function dropDeleted(): Promise<void> {
    const stored = new Set((await source.cachedKeysSince(-1)).map(({ hash }) => hash))
    for (const hash of cached.keys()) if (!stored.has(hash)) cached.delete(hash)
  }

  return {
    /** Loads the keys that changed since the last call and drops those that were deleted. */
    async refresh(): Promise<void> {
      const changed = await source.cachedKeysSince(revision)
      for (const key of changed) {
        addToCache(key)
        revision = Math.max(revision, key.revision)
      }
      if ((await source.countKeys()) < cached.size) await dropDeleted()
      misses.clear()
    },

    /**
     * The valid key of a secret, or undefined: synchronously if its hash is cached, otherwise from the database.
     * `beforeReading` is called before the database is read and may throw to prevent it.
     */
    find(
      secret: string,
      now: number,
      beforeReading: () => void,
    ): CachedKey | undefined | Promise<CachedKey | undefined> {
      if (secret.length > MAX_KEY_LENGTH) return undefined
      const hash = hashSecret(secret)
      const key = cached.get(hash)
      // A cached hash proves the checksum.
      if (key) return isValid(key, secret, now) ? key : undefined
      if (!parseKeyTier(secret)) return undefined
      const unknownUntil = misses.get(hash)
      if (unknownUntil !== undefined && unknownUntil > now) return undefined
      beforeReading()
      let pendingRead = pendingReads.get(hash)
      if (!pendingRead) {
        pendingRead = readKey(hash, now).finally(() => pendingReads.delete(hash))
        pendingReads.set(hash, pendingRead)
      }
      return pendingRead.then((stored) => (stored && isValid(stored, secret, now) ? stored : undefined))
    },

    /** The valid key of a secret if it is cached; never reads the database. */
    findCached(secret: string, now: number): CachedKey | undefined {
      if (secret.length > MAX_KEY_LENGTH) return undefined
      const key = cached.get(hashSecret(secret))
      return key && isValid(key, secret, now) ? key : undefined
    },

    size: () => cached.size,
  }
}

function isValid(key: CachedKey, secret: string, now: number): boolean {
  return (
    secret.startsWith(KEY_PREFIXES[key.tier]) &&
    key.revokedAt === null &&
    (key.expiresAt === null || key.expiresAt > now)
  )
}
