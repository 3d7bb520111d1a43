import { LRUCache } from 'lru-cache'
import { KEY_PREFIXES } from '../contract/tiers.ts'
import { claimedTier, LONGEST_KEY } from './key.ts'
import { secretHash } from './secret.ts'
import type { HeldKey } from './store.ts'

/** How long an unknown hash is remembered as unknown, so that a caller who repeats it does not reach the store again. */
const MISS_MS = 2_000
const MOST_MISSES = 10_000

/** What the keyring needs of the store. */
export type KeySource = {
  heldKeysSince(revision: number): Promise<HeldKey[]>
  findHeldKey(hash: string): Promise<HeldKey | undefined>
}

export type Keyring = ReturnType<typeof keyring>

/**
 * All keys by the hash of their secret. A request costs one hash and one map look-up; only a key nobody has seen yet is
 * read from the store, once.
 */
export function keyring(source: KeySource) {
  const held = new Map<string, HeldKey>()
  /** Until when each unknown hash is taken for unknown. */
  const misses = new LRUCache<string, number>({ max: MOST_MISSES })
  const reads = new Map<string, Promise<HeldKey | undefined>>()
  let revision = 0

  function hold(key: HeldKey): void {
    const known = held.get(key.hash)
    // An answer that was on its way while the key was revoked must not bring it back.
    if (!known || known.revision <= key.revision) held.set(key.hash, key)
  }

  async function readKey(hash: string, now: number): Promise<HeldKey | undefined> {
    const found = await source.findHeldKey(hash)
    if (found) {
      hold(found)
      return held.get(hash)
    }
    misses.set(hash, now + MISS_MS)
    return undefined
  }

  return {
    /** Reads what changed since the last time. */
    async refresh(): Promise<void> {
      const changed = await source.heldKeysSince(revision)
      for (const key of changed) {
        hold(key)
        revision = Math.max(revision, key.revision)
      }
      misses.clear()
    },

    /**
     * The valid key behind a secret: at once where its hash is known, through the store where it is not, undefined when
     * it must be refused. `beforeReading` is called before the store is read, and throws to prevent that.
     */
    find(secret: string, now: number, beforeReading: () => void): HeldKey | undefined | Promise<HeldKey | undefined> {
      if (secret.length > LONGEST_KEY) return undefined
      const hash = secretHash(secret)
      const known = held.get(hash)
      // A hash that is held proves the checksum; only a stranger's has to be looked at.
      if (known) return isValid(known, secret, now) ? known : undefined
      if (!claimedTier(secret)) return undefined
      const unknownUntil = misses.get(hash)
      if (unknownUntil !== undefined && unknownUntil > now) return undefined
      beforeReading()
      let reading = reads.get(hash)
      if (!reading) {
        reading = readKey(hash, now).finally(() => reads.delete(hash))
        reads.set(hash, reading)
      }
      return reading.then((found) => (found && isValid(found, secret, now) ? found : undefined))
    },

    /** The valid key behind a secret where it is known already; the store is not asked. */
    findHeld(secret: string, now: number): HeldKey | undefined {
      if (secret.length > LONGEST_KEY) return undefined
      const known = held.get(secretHash(secret))
      return known && isValid(known, secret, now) ? known : undefined
    },

    size: () => held.size,
  }
}

function isValid(key: HeldKey, secret: string, now: number): boolean {
  return (
    secret.startsWith(KEY_PREFIXES[key.tier]) &&
    (key.revokedAt === null || key.revokedAt > now) &&
    (key.expiresAt === null || key.expiresAt > now)
  )
}
