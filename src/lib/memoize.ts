/**
 * Memoizes a function for up to `most` arguments and starts over when full. For loops over millions of rows with few distinct
 * values, where a plain map is five times as fast as an LRU cache.
 */
export function memoize<Given, Made>(maxEntries: number, compute: (given: Given) => Made): (given: Given) => Made {
  const known = new Map<Given, Made>()
  return (given) => {
    const before = known.get(given)
    if (before !== undefined || known.has(given)) return before as Made
    const made = compute(given)
    if (known.size >= maxEntries) known.clear()
    known.set(given, made)
    return made
  }
}
