import { LRUCache } from 'lru-cache'
import type { CachedSourceFacts, SourceCache } from './provider-service.ts'

const MAX_ENTRIES = 50_000

/** An in-memory LRU cache in front of the cache in the database. */
export function memorySourceCache(persistent: SourceCache): SourceCache {
  const memory = new LRUCache<string, CachedSourceFacts>({ max: MAX_ENTRIES })
  return {
    async read(source, key) {
      const id = `${source} ${key}`
      const cached = memory.get(id) ?? (await persistent.read(source, key))
      // An entry written during the read is newer.
      if (cached && !memory.has(id)) memory.set(id, cached)
      return cached
    },
    write(source, key, cached) {
      memory.set(`${source} ${key}`, cached)
      persistent.write(source, key, cached)
    },
  }
}
