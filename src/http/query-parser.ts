import { LRUCache } from 'lru-cache'
import type { z } from 'zod'
import { parseOrThrow } from '../lib/validate.ts'
import { findMisspelledParameters } from './misspelled-parameters.ts'

/** A parsed query and the parameters that look misspelled. */
export type ParsedQuery = { readonly query: unknown; readonly ignored: readonly string[] | null }
export type QueryParser = (url: string) => ParsedQuery

/** Number of memoized query strings. */
const MAX_CACHED_QUERIES = 4_000
const MAX_CACHED_LENGTH = 300

/** Parses the query of a URL by its schema. Memoized: treat the result as immutable. */
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
    const parameters = parseParameters(text)
    const query = Object.freeze(parseOrThrow(schema, parameters, { root: 'query' }))
    const parsed = { query, ignored: findMisspelledParameters(Object.keys(parameters), declared, acceptsParameter) }
    if (text.length <= MAX_CACHED_LENGTH) cache.set(text, parsed)
    return parsed
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

/** The first of repeated parameters counts; an empty one counts as absent. */
function parseParameters(text: string): Record<string, string> {
  const parameters = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(text)) if (name && !parameters.has(name)) parameters.set(name, value)
  for (const [name, value] of parameters) if (value === '') parameters.delete(name)
  return Object.fromEntries(parameters)
}
