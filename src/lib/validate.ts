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
  { root, prefix = '', isSecret = false }: InputName,
): z.output<Schema> {
  const parsed = schema.safeParse(input)
  if (parsed.success) return parsed.data
  const { path = [], message = 'something else' } = parsed.error.issues[0] ?? {}
  const received = path.reduce<unknown>(
    (node, name) => (node as Record<PropertyKey, unknown> | undefined)?.[name],
    input,
  )
  const reported = isSecret ? undefined : received
  // Zod's own texts repeat "expected": "Too big: expected number to be <=20".
  const expected = message.replace(/^[A-Z][A-Za-z ]+: expected /, '')
  throw invalid(path.length === 0 ? root : `${prefix}${path.join('.')}`, reported, expected)
}
