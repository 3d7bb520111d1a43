import { z } from 'zod'
import type { Tier } from '../contract/tiers.ts'
import type { ApiCall } from './api-client.ts'

/** One thing a model can do: it is one call of the API, with what comes back made short. */
export type Tool = {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly tier: Tier
  /** What a model may send, and what it gets. Both are put together of the contract's own fields. */
  readonly input: z.ZodObject
  readonly output: z.ZodObject
  /** Whether a call leaves a record in the organization's history. */
  readonly createsRecord: boolean
  /** The call that the arguments mean; they are read by `input` before. */
  readonly toApiCall: (given: never) => ApiCall
  /** What of the answer is worth a model's attention. */
  readonly summarize: (data: never, meta: never, given: never) => Readonly<Record<string, unknown>>
}

type ToolOutput<Output extends z.ZodObject> = z.input<Output>

type ToolDefinition<Input extends z.ZodObject, Output extends z.ZodObject, Data, Meta> = Omit<
  Tool,
  'input' | 'output' | 'toApiCall' | 'summarize'
> & {
  readonly input: Input
  readonly output: Output
  readonly toApiCall: (given: z.output<Input>) => ApiCall
  readonly summarize: (data: Data, meta: Meta, given: z.output<Input>) => ToolOutput<Output>
}

/** Keeps the types of a tool's arguments and result while it is written. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject, Data, Meta = undefined>(
  definition: ToolDefinition<Input, Output, Data, Meta>,
): Tool {
  return definition
}

/** What a model needs nothing of: whatever these forbid is refused by the API with a sentence. */
const OMITTED_KEYWORDS = [
  'override',
  'id',
  'pattern',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'propertyNames',
] as const

/** A JSON Schema as tools are listed with, as short as it can be: a model reads all of them. */
export function compactJsonSchema(schema: z.ZodObject, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _, ...listed } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override({ jsonSchema: one }) {
      Object.assign(one, one.override)
      for (const name of OMITTED_KEYWORDS) delete one[name]
      // What a result means is said by the tool's own description; what may be sent has to be said field by field.
      if (io === 'output') delete one.description
      if (one.additionalProperties === false) delete one.additionalProperties
      if (one.maximum === Number.MAX_SAFE_INTEGER) delete one.maximum
      if (one.minimum === Number.MIN_SAFE_INTEGER) delete one.minimum
      const [value, none, ...others] = one.anyOf ?? []
      if (typeof value?.type !== 'string' || none?.type !== 'null' || others.length > 0) return
      delete one.anyOf
      const { description = value.description } = one
      Object.assign(one, value, { type: [value.type, 'null'] }, description && io === 'input' && { description })
      if (value.enum) one.enum = [...value.enum, null]
    },
  })
  return listed
}
