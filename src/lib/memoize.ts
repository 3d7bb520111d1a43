/**
 * A function that keeps what it made of the last `most` things it was given. For loops over millions of rows that say the
 * same few things: a plain map is five times as fast as a cache that knows what was used last, and starts over when full.
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
