import type { z } from 'zod'
import { invalid } from './errors.ts'

/** How an error names the input. */
type InputName = {
  /** Name of the whole input. */
  readonly root: string
  /** Prefix of field names. */
  readonly prefix?: string
  /** Do not repeat the value: it may be a password. */
  readonly isSecret?: boolean
}

/** Parses input by its schema. Errors state the schema's expectation and the value that was sent. */
export function parseOrThrow<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  { root: whole, prefix = '', isSecret = false }: InputName,
): z.output<Schema> {
  const read = schema.safeParse(input)
  if (read.success) return read.data
  const { path = [], message = 'something else' } = read.error.issues[0] ?? {}
  const at = path.reduce<unknown>((node, name) => (node as Record<PropertyKey, unknown> | undefined)?.[name], input)
  const shown = isSecret ? undefined : at
  // Zod's own texts repeat "expected": "Too big: expected number to be <=20".
  const expected = message.replace(/^[A-Z][A-Za-z ]+: expected /, '')
  throw invalid(path.length === 0 ? whole : `${prefix}${path.join('.')}`, shown, expected)
}
