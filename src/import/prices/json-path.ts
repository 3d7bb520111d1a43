/**
 * Columns of nested JSON. A path names a value within an object: `price.value`, `prices[].storageSize` (one row per element),
 * `priceValue.*.*` (one row per key). `*1` and `*2` are the keys that the first and second star stand for.
 */

import { DomainError } from '../../lib/errors.ts'
import { reason } from '../../lib/reasons.ts'

const MAX_DEPTH = 6
const MAX_PATHS = 500
/** Rows that one object may be expanded into. */
const MAX_ROWS = 100_000

/** An object with the array elements and keys that one row is made of. */
export type JsonRow = {
  /** Values by the path that leads to them, at every `[]` and `*` of the path; the object itself under the empty path. */
  readonly bound: ReadonlyMap<string, unknown>
  /** Keys that the stars stand for. */
  readonly keys: readonly string[]
}

/** `prices[].storageSize` → `prices`, `[]`, `storageSize`. */
const segmentsOf = (path: string) => path.replaceAll('[]', '.[]').split('.').filter(Boolean)
const isIterator = (segment: string) => segment === '[]' || segment === '*'
const pathOf = (segments: readonly string[]) => segments.join('.').replaceAll('.[]', '[]')
/** The part of a path up to its last `[]` or `*`, and the names after it. */
function splitPath(path: string): { iterated: readonly string[]; names: readonly string[] } {
  const segments = segmentsOf(path)
  const end = segments.findLastIndex(isIterator) + 1
  return { iterated: segments.slice(0, end), names: segments.slice(end) }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** The paths of all texts and numbers in some objects, in the order in which they appear. */
export function listJsonPaths(objects: readonly object[]): string[] {
  const paths = new Set<string>()
  function visit(value: unknown, path: string, depth: number): void {
    if (!isObject(value)) {
      if (value !== null && path !== '') paths.add(path)
      return
    }
    if (depth >= MAX_DEPTH || paths.size >= MAX_PATHS) return
    if (Array.isArray(value)) for (const element of value.slice(0, 3)) visit(element, `${path}[]`, depth + 1)
    else for (const [key, child] of Object.entries(value)) visit(child, path ? `${path}.${key}` : key, depth + 1)
  }
  for (const object of objects) visit(object, '', 0)
  return [...paths]
}

/** A path that the operator wrote, against the paths of the file: every `*` stands for one key. */
export function isPathPresent(path: string, paths: readonly string[]): boolean {
  if (/^\*\d$/.test(path)) return true
  const segments = segmentsOf(path)
  return paths.some((present) => {
    const presentSegments = segmentsOf(present)
    return (
      presentSegments.length === segments.length &&
      segments.every((name, at) => name === '*' || name === presentSegments[at])
    )
  })
}

/** Expands objects into rows: one per combination of the elements and keys that the used paths go through. */
export function createJsonExpander(usedPaths: readonly string[], name: string): (object: object) => Iterable<JsonRow> {
  const iteratedPrefixes = usedPaths.map((path) => splitPath(path).iterated)
  const chain = iteratedPrefixes.reduce((longest, prefix) => (prefix.length > longest.length ? prefix : longest), [])
  const conflicting = iteratedPrefixes.find((prefix) => prefix.some((segment, at) => segment !== chain[at]))
  if (conflicting) {
    throw new DomainError(
      'invalid',
      `${name}: ${pathOf(conflicting)} and ${pathOf(chain)} are different lists; a row cannot take columns from both.`,
      reason('technical'),
    )
  }
  if (chain.length === 0) return (object) => [{ bound: new Map([['', object]]), keys: [] }]
  return function* expand(object) {
    let count = 0
    function* walk(value: unknown, depth: number, row: JsonRow): Generator<JsonRow> {
      const segment = chain[depth]
      if (segment === undefined) {
        if (++count > MAX_ROWS)
          throw new DomainError('invalid', `${name}: one object has more than 100,000 prices.`, reason('technical'))
        yield row
        return
      }
      if (!isObject(value)) return
      const path = pathOf(chain.slice(0, depth + 1))
      const bind = (child: unknown) => new Map([...row.bound, [path, child]])
      if (segment === '*') {
        for (const [key, child] of Object.entries(value)) {
          yield* walk(child, depth + 1, { bound: bind(child), keys: [...row.keys, key] })
        }
      } else if (segment === '[]') {
        if (Array.isArray(value))
          for (const child of value) yield* walk(child, depth + 1, { ...row, bound: bind(child) })
      } else yield* walk(new Map(Object.entries(value)).get(segment), depth + 1, row)
    }
    yield* walk(object, 0, { bound: new Map([['', object]]), keys: [] })
  }
}

/**
 * Reads the text or number at a path of a row; empty where there is none. `true` and `false` are read only where they answer a
 * question: `"lock": false` names no lock.
 */
export function createJsonReader(path: string, readsBooleans = false): (row: JsonRow) => string {
  const star = /^\*(\d)$/.exec(path)
  if (star) return (row) => row.keys[Number(star[1]) - 1] ?? ''
  const { iterated, names } = splitPath(path)
  const start = pathOf(iterated)
  return ({ bound }) => {
    let value = bound.get(start)
    for (const name of names) {
      if (!isObject(value)) return ''
      value = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined
    }
    return readsBooleans && typeof value === 'boolean' ? String(value) : toCellText(value)
  }
}

const toCellText = (value: unknown) =>
  typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : ''
