import { LRUCache } from 'lru-cache'
import type { z } from 'zod'
import { readAs } from '../read-as.ts'

export type QueryReader = (url: string) => unknown

/** Callers repeat themselves: what a query text means is read once and kept. */
const MOST_KEPT = 4_000
const LONGEST_KEPT = 300

/** Reads the query of an address by its schema. The same text gives the same object, which nobody may change. */
export function queryReader(schema: z.ZodType): QueryReader {
  const kept = new LRUCache<string, object>({ max: MOST_KEPT })
  return (url) => {
    const text = queryText(url)
    const known = kept.get(text)
    if (known !== undefined) return known
    const read = Object.freeze(readAs(schema, parametersOf(text), { whole: 'query' })) as object
    if (text.length <= LONGEST_KEPT) kept.set(text, read)
    return read
  }
}

function queryText(url: string): string {
  const start = url.indexOf('?')
  if (start < 0) return ''
  const hash = url.indexOf('#', start)
  return hash < 0 ? url.slice(start + 1) : url.slice(start + 1, hash)
}

/** The first of each name counts, and an empty one counts as absent. */
function parametersOf(text: string): Record<string, string> {
  const seen = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(text)) if (name && !seen.has(name)) seen.set(name, value)
  for (const [name, value] of seen) if (value === '') seen.delete(name)
  return Object.fromEntries(seen)
}
