import { z } from 'zod'

/** Where a value is in a JSON response: names joined by dots. */
export const valuePath = z
  .string()
  .max(200)
  .regex(/^[A-Za-z0-9_$-]+(\.[A-Za-z0-9_$-]+)*$/, 'a path of names joined by dots, such as result.status')

/** Own properties only, so that a response cannot refer to the prototype. */
export function valueAtPath(body: unknown, path: string): unknown {
  let value = body
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Record<string, unknown>)[name]
  }
  return value
}
