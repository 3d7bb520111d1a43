import { LRUCache } from 'lru-cache'
import type { CachedSourceFacts, SourceCache } from './provider-service.ts'

const MAX_ENTRIES = 50_000

/** An in-memory LRU cache in front of the cache in the database. */
export function memorySourceCache(persistent: SourceCache, maxEntries = MAX_ENTRIES): SourceCache {
  const kept = new LRUCache<string, CachedSourceFacts>({ max: maxEntries })
  return {
    async read(source, key) {
      const id = `${source} ${key}`
      const found = kept.get(id) ?? (await persistent.read(source, key))
      // An entry written during the read is newer.
      if (found && !kept.has(id)) kept.set(id, found)
      return found
    },
    write(source, key, cached) {
      kept.set(`${source} ${key}`, cached)
      persistent.write(source, key, cached)
    },
  }
}
