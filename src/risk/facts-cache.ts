import { LRUCache } from 'lru-cache'
import type { CachedFacts, FactsCache } from './sources/provider.ts'

const MOST_ENTRIES = 50_000

/** The answers used last, in memory, in front of those in the store. */
export function factsCache(behind: FactsCache, mostEntries = MOST_ENTRIES): FactsCache {
  const kept = new LRUCache<string, CachedFacts>({ max: mostEntries })
  return {
    async read(source, key) {
      const id = `${source} ${key}`
      const found = kept.get(id) ?? (await behind.read(source, key))
      // What was written while the store was read is newer.
      if (found && !kept.has(id)) kept.set(id, found)
      return found
    },
    write(source, key, cached) {
      kept.set(`${source} ${key}`, cached)
      behind.write(source, key, cached)
    },
  }
}
