import { LRUCache } from 'lru-cache'
import type { z } from 'zod'
import { parseOrThrow } from '../lib/validate.ts'
import { findMisspelledParameters } from './misspelled-parameters.ts'

/** A query as its schema reads it, and what in it was probably meant for a parameter and is none. */
export type ParsedQuery = { readonly query: unknown; readonly ignored: readonly string[] | null }
export type QueryParser = (url: string) => ParsedQuery

/** Callers repeat themselves: what a query text means is read once and kept. */
const MAX_CACHED_QUERIES = 4_000
const MAX_CACHED_LENGTH = 300

/** Reads the query of an address by its schema. The same text gives the same object, which nobody may change. */
export function queryParser(
  schema: z.ZodType,
  acceptsParameter: (parameter: string) => boolean = () => false,
): QueryParser {
  const cache = new LRUCache<string, ParsedQuery>({ max: MAX_CACHED_QUERIES })
  const declared = declaredParameters(schema)
  return (url) => {
    const text = queryText(url)
    const cached = cache.get(text)
    if (cached !== undefined) return cached
    const sent = parseParameters(text)
    const query = Object.freeze(parseOrThrow(schema, sent, { root: 'query' }))
    const read = { query, ignored: findMisspelledParameters(Object.keys(sent), declared, acceptsParameter) }
    if (text.length <= MAX_CACHED_LENGTH) cache.set(text, read)
    return read
  }
}

function declaredParameters(schema: z.ZodType): readonly string[] {
  return 'shape' in schema ? Object.keys(schema.shape as object) : []
}

function queryText(url: string): string {
  const start = url.indexOf('?')
  if (start < 0) return ''
  const hash = url.indexOf('#', start)
  return hash < 0 ? url.slice(start + 1) : url.slice(start + 1, hash)
}

/** The first of each name counts, and an empty one counts as absent. */
function parseParameters(text: string): Record<string, string> {
  const seen = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(text)) if (name && !seen.has(name)) seen.set(name, value)
  for (const [name, value] of seen) if (value === '') seen.delete(name)
  return Object.fromEntries(seen)
}
