import type { z } from 'zod'
import { memoize } from '../lib/memoize.ts'
import { parseOrThrow } from '../lib/validate.ts'

/** A parsed query and the parameters that the endpoint does not know; null if there are none. */
export type ParsedQuery = { readonly query: unknown; readonly ignored: readonly string[] | null }
export type QueryParser = (url: string) => ParsedQuery

/** Number of memoized query strings per endpoint. */
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
  const findUnknown = unknownNames(schema, acceptsParameter)
  function parse(text: string): ParsedQuery {
    const parameters = parseParameters(text)
    const query = Object.freeze(parseOrThrow(schema, parameters, { root: 'query' }))
    return { query, ignored: findUnknown(parameters) }
  }
  const parseOnce = memoize(MAX_CACHED_QUERIES, parse)
  return (url) => {
    const text = queryText(url)
    return text.length <= MAX_CACHED_LENGTH ? parseOnce(text) : parse(text)
  }
}

/** Finds the names of an input that the schema of an object does not declare; null if there are none. */
function unknownNames(
  schema: z.ZodType,
  acceptsName: (name: string) => boolean = () => false,
): (input: object) => readonly string[] | null {
  const declared = new Set('shape' in schema ? Object.keys(schema.shape as object) : [])
  const isUnknown = (name: string) => name.length <= MAX_REPORTED_LENGTH && !declared.has(name) && !acceptsName(name)
  return (input) => {
    const unknown = Object.keys(input).filter(isUnknown)
    return unknown.length > 0 ? unknown.slice(0, MAX_REPORTED) : null
  }
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
