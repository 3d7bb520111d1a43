import { LRUCache } from 'lru-cache'
import type { z } from 'zod'
import { readAs } from '../read-as.ts'
import { ignoredParameters } from './ignored-parameters.ts'

/** A query as its schema reads it, and what in it was probably meant for a parameter and is none. */
export type ReadQuery = { readonly query: unknown; readonly ignored: readonly string[] | null }
export type QueryReader = (url: string) => ReadQuery

/** Callers repeat themselves: what a query text means is read once and kept. */
const MOST_KEPT = 4_000
const LONGEST_KEPT = 300

/** Reads the query of an address by its schema. The same text gives the same object, which nobody may change. */
export function queryReader(schema: z.ZodType, takes: (parameter: string) => boolean = () => false): QueryReader {
  const kept = new LRUCache<string, ReadQuery>({ max: MOST_KEPT })
  const known = parametersIn(schema)
  return (url) => {
    const text = queryText(url)
    const same = kept.get(text)
    if (same !== undefined) return same
    const sent = parametersOf(text)
    const query = Object.freeze(readAs(schema, sent, { whole: 'query' }))
    const read = { query, ignored: ignoredParameters(Object.keys(sent), known, takes) }
    if (text.length <= LONGEST_KEPT) kept.set(text, read)
    return read
  }
}

function parametersIn(schema: z.ZodType): readonly string[] {
  return 'shape' in schema ? Object.keys(schema.shape as object) : []
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
