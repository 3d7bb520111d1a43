import type { z } from 'zod'
import { itemSchemaOf } from '../contract/batch.ts'

/** More and longer names are not reported. */
const MAX_REPORTED = 10
const MAX_REPORTED_LENGTH = 40

type Find = (input: unknown, path: string, found: Set<string>) => void

/**
 * Finds the fields of a body that its schema does not declare and that are therefore ignored; null if there are none. A
 * field inside another is named with its path, such as `costs[].currency`.
 */
export function unknownFields(schema: z.ZodType): (input: unknown) => readonly string[] | null {
  const find = finderOf(schema)
  return (input) => {
    const found = new Set<string>()
    find?.(input, '', found)
    return found.size > 0 ? [...found].slice(0, MAX_REPORTED) : null
  }
}

/** Undefined if a value of the schema has no fields to check. */
function finderOf(schema: z.ZodType): Find | undefined {
  const { type, shape, catchall, element, innerType, in: first, out } = schema._zod.def as unknown as Definition
  if (type === 'object' && shape) return objectFinder(shape, catchall !== undefined)
  if (type === 'array' && element) return arrayFinder(itemSchemaOf(schema) ?? element)
  // Of a pipe, the first part may only replace null.
  for (const inner of [innerType, first, out]) {
    const find = inner && finderOf(inner)
    if (find) return find
  }
  return undefined
}

/** What is read of a schema's definition. */
type Definition = {
  readonly type: string
  readonly shape?: Readonly<Record<string, z.ZodType>>
  /** Of an object that takes or rejects other fields itself. */
  readonly catchall?: z.ZodType
  readonly element?: z.ZodType
  readonly innerType?: z.ZodType
  readonly in?: z.ZodType
  readonly out?: z.ZodType
}

function objectFinder(shape: Readonly<Record<string, z.ZodType>>, isComplete: boolean): Find {
  const finders = new Map(Object.entries(shape).map(([name, field]) => [name, finderOf(field)]))
  return (input, path, found) => {
    if (typeof input !== 'object' || input === null || Array.isArray(input)) return
    for (const [name, value] of Object.entries(input)) {
      const isKnown = isComplete || finders.has(name)
      if (!isKnown && name.length <= MAX_REPORTED_LENGTH && found.size < MAX_REPORTED) found.add(path + name)
      finders.get(name)?.(value, `${path}${name}.`, found)
    }
  }
}

function arrayFinder(element: z.ZodType): Find | undefined {
  const find = finderOf(element)
  if (!find) return undefined
  return (input, path, found) => {
    if (Array.isArray(input)) for (const item of input) find(item, `${path.slice(0, -1)}[].`, found)
  }
}
