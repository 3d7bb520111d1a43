import { z } from 'zod'
import type { Tier } from '../contract/tiers.ts'
import type { ApiCall } from './api-client.ts'

/** A tool for language models: one API call with a shortened result. */
export type Tool = {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly tier: Tier
  /** Arguments, built from the contract's own fields. */
  readonly input: z.ZodObject
  /** The fields of the result. They are not listed: results explain themselves, and their schemas would double the list. */
  readonly output: z.ZodObject
  /** Whether a call leaves a record in the organization's history. */
  readonly createsRecord: boolean
  /** Whether a repeated call has no further effect; default: if it creates no record. */
  readonly isIdempotent?: boolean
  readonly isDestructive?: boolean
  /** What to do when an id is not found, instead of the general advice. */
  readonly notFoundAdvice?: string
  /** The API call of arguments that `input` has parsed. */
  readonly toApiCall: (args: never) => ApiCall
  /** The result; fields that `output` does not declare are dropped. */
  readonly summarize: (data: never, meta: never, args: never) => Readonly<Record<string, unknown>>
}

type ToolDefinition<Input extends z.ZodObject, Output extends z.ZodObject, Data, Meta> = Omit<
  Tool,
  'input' | 'output' | 'toApiCall' | 'summarize'
> & {
  readonly input: Input
  readonly output: Output
  readonly toApiCall: (args: z.output<Input>) => ApiCall
  readonly summarize: (data: Data, meta: Meta, args: z.output<Input>) => z.input<Output>
}

/** Infers the types of arguments and result for `toApiCall` and `summarize`. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject, Data, Meta = undefined>(
  definition: ToolDefinition<Input, Output, Data, Meta>,
): Tool {
  return definition
}

/** The fields that a schema declares, also of nested objects and lists. */
export function pickDeclared(schema: z.ZodType, value: unknown): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return pickDeclared(schema.unwrap() as z.ZodType, value)
  }
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    return value.map((item) => pickDeclared(schema.element as z.ZodType, item))
  }
  if (!(schema instanceof z.ZodObject) || typeof value !== 'object' || value === null) return value
  const fields = value as Readonly<Record<string, unknown>>
  const declared = Object.entries(schema.shape as Readonly<Record<string, z.ZodType>>)
  return Object.fromEntries(
    declared.flatMap(([name, field]) => (name in fields ? [[name, pickDeclared(field, fields[name])]] : [])),
  )
}

/** Some fields of a schema of the contract. */
export function pickFields<Shape extends z.ZodRawShape, Name extends keyof Shape>(shape: Shape, ...names: Name[]) {
  return Object.fromEntries(names.map((name) => [name, shape[name]])) as Pick<Shape, Name>
}

/** An optional count with an error message for models. */
export function count(description: string, max: number) {
  const expected = `a whole number from 1 to ${max}`
  return z.int({ error: expected }).min(1, expected).max(max, expected).optional().describe(description)
}

/** Keywords that a model does not need: the API checks them and explains what is wrong. */
const OMITTED_KEYWORDS = [
  'override',
  'id',
  'pattern',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'propertyNames',
  'examples',
  'minimum',
  'maximum',
  'default',
] as const

/**
 * A JSON Schema of the arguments for the tool list, as short as possible: a model reads all of them before it does anything.
 * Each field keeps the first sentence of its description; an error message explains the rest.
 */
export function compactJsonSchema(schema: z.ZodObject): Record<string, unknown> {
  const { $schema: _, ...compactSchema } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override({ jsonSchema: node }) {
      Object.assign(node, node.override)
      if (node.description) node.description = withToolNames(firstSentence(node.description))
      for (const name of OMITTED_KEYWORDS) delete node[name]
      if (node.additionalProperties === false) delete node.additionalProperties
      const [value, none, ...others] = node.anyOf ?? []
      if (typeof value?.type !== 'string' || none?.type !== 'null' || others.length > 0) return
      delete node.anyOf
      const { description = value.description } = node
      Object.assign(node, value, { type: [value.type, 'null'] }, description && { description })
      if (value.enum) node.enum = [...value.enum, null]
    },
  })
  return compactSchema
}

export const firstSentence = (text: string) => text.replace(/(?<=[^.][.?]) [A-Z].*$/s, '')

/** Replacements for endpoints that API texts mention. */
const TOOL_NAMES: readonly (readonly [RegExp, string])[] = [
  [/`?(?:GET )?\/api\/variants`?/g, 'match_device and get_device'],
  [/`?(?:GET )?\/api\/devices`?/g, 'search_devices'],
  [/`?(?:GET )?\/api\/match`?/g, 'match_device'],
  [/`?(?:GET )?\/api\/meta\/defects(?:\?category=)?`?/g, 'the resource defects'],
  [/`?(?:GET )?\/api\/meta\/conditions(?:\?category=)?`?/g, 'the resource grades'],
  [/ ?Add rates of other currencies with "import rates"\./g, ' Use another currency, or none for US dollars.'],
]

/** Replaces mentions of endpoints, which a model cannot call, by tools and resources. */
export function withToolNames(text: string): string {
  return TOOL_NAMES.reduce((replaced, [endpoint, tool]) => replaced.replace(endpoint, tool), text)
}
