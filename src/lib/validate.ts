import type { z } from 'zod'
import { invalid } from './errors.ts'

/** How a refusal names what was sent. */
type InputName = {
  /** The thing itself, when it is wrong as a whole. */
  readonly root: string
  /** What stands before the name of a field in it. */
  readonly prefix?: string
  /** What was sent is not repeated: it may be a password. */
  readonly isSecret?: boolean
}

/**
 * What was sent as its schema reads it. The schema's message says what is expected; what was sent instead is looked up
 * where the schema stumbled.
 */
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
  throw invalid(path.length === 0 ? whole : `${prefix}${path.join('.')}`, shown, message)
}
