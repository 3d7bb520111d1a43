import { z } from 'zod'
import { envelopeSchema } from './envelope.ts'

/** Items of a batch. They are parsed one by one, so that each is accepted or rejected for itself; `item` documents them. */
export const batchItems = (max: number, expected: string, description: string, item: Record<string, string>) =>
  z
    .array(z.unknown(), { error: expected })
    .min(1, expected)
    .max(max, expected)
    .meta({
      description,
      override: ({ jsonSchema }) => {
        jsonSchema.items = item
      },
    })

const itemSchemas = new WeakMap<z.ZodType, z.ZodType>()
/** Schema of the items of a batch, which that of their list does not have. */
export const itemSchemaOf = (list: z.ZodType): z.ZodType | undefined => itemSchemas.get(list)

/** A body whose list `field` has 1 to `max` items. Errors call them `kind`; `contents` describes them. */
export function batchRequest<Field extends string>(batch: {
  readonly id: string
  readonly description: string
  readonly field: Field
  readonly max: number
  readonly kind: string
  readonly contents: string
  /** Component of the document that describes an item. */
  readonly itemId: string
  readonly item: z.ZodType
}) {
  const error = `an array of 1 to ${batch.max} ${batch.kind}`
  const item = { $ref: `#/components/schemas/${batch.itemId}` }
  const items = batchItems(batch.max, error, `1 to ${batch.max} ${batch.contents}`, item)
  itemSchemas.set(items, batch.item)
  return z
    .object({ [batch.field]: items } as Record<Field, typeof items>, { error })
    .meta({ id: batch.id, description: batch.description })
}

/** The list in a body that is not validated yet. */
export function listInBody(body: unknown, field: string): readonly unknown[] | undefined {
  const list = typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[field] : undefined
  return Array.isArray(list) ? list : undefined
}

/** A batch counts as one request per item, whether items are accepted or rejected. */
export const batchCost = (field: string, max: number) => (body: unknown) =>
  Math.min(max, Math.max(1, listInBody(body, field)?.length ?? 1))

/** The response to a batch: one result or error per item, in the order of the request. */
export const batchResponse = <Item extends z.ZodType<{ readonly index: number }>>(item: Item, max: number) =>
  envelopeSchema(
    z
      .array(item)
      .min(1)
      .max(max)
      .refine((items) => items.every(({ index }, i) => index === i), 'items are not in the order of the request'),
  )
