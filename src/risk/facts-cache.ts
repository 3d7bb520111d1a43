import type { CachedFacts, FactsCache } from './sources/provider.ts'

const MOST_ENTRIES = 50_000

/** The newest answers in memory in front of those in the store; a bounded map whose oldest entries fall out. */
export function factsCache(behind: FactsCache, mostEntries = MOST_ENTRIES): FactsCache {
  const kept = new Map<string, CachedFacts>()

  function keep(id: string, cached: CachedFacts): void {
    kept.delete(id)
    kept.set(id, cached)
    if (kept.size <= mostEntries) return
    const [oldest] = kept.keys()
    if (oldest !== undefined) kept.delete(oldest)
  }

  return {
    async read(source, key) {
      const id = `${source} ${key}`
      const found = kept.get(id) ?? (await behind.read(source, key))
      if (found) keep(id, found)
      return found ?? null
    },
    write(source, key, cached) {
      keep(`${source} ${key}`, cached)
      behind.write(source, key, cached)
    },
  }
}
