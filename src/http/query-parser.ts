import { LRUCache } from 'lru-cache'
import type { z } from 'zod'
import { parseOrThrow } from '../lib/validate.ts'

/** A parsed query and the parameters that the endpoint does not know; null if there are none. */
export type ParsedQuery = { readonly query: unknown; readonly ignored: readonly string[] | null }
export type QueryParser = (url: string) => ParsedQuery

/** Number of memoized query strings. */
const MAX_CACHED_QUERIES = 4_000
const MAX_CACHED_LENGTH = 300
/** More and longer names are not reported. */
const MAX_REPORTED = 10
const MAX_REPORTED_LENGTH = 40

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
    const isUnknown = (name: string) =>
      name.length <= MAX_REPORTED_LENGTH && !declared.includes(name) && !acceptsParameter(name)
    const ignored = Object.keys(parameters).filter(isUnknown).slice(0, MAX_REPORTED)
    const parsed = { query, ignored: ignored.length > 0 ? ignored : null }
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
