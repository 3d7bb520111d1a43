/**
 * Memoizes a function for up to `maxEntries` arguments and starts over when full. For loops over millions of rows with few
 * distinct values, where a plain map is five times as fast as an LRU cache.
 */
export function memoize<Key, Value>(maxEntries: number, compute: (key: Key) => Value): (key: Key) => Value {
  const cache = new Map<Key, Value>()
  return (key) => {
    const cached = cache.get(key)
    if (cached !== undefined || cache.has(key)) return cached as Value
    const value = compute(key)
    if (cache.size >= maxEntries) cache.clear()
    cache.set(key, value)
    return value
  }
}
