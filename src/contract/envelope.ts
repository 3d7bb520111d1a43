import { z } from 'zod'
import { cursorMetaSchema, pageMetaSchema, responseMetaSchema } from './paging.ts'
import { instant } from './values.ts'

const success = z.literal(true).describe('Always true on success.')
const timestamp = instant.describe('Time of the response, UTC.')

/** The envelope around one thing, or around a list that is always whole. */
export function envelopeSchema<Data extends z.ZodType>(data: Data) {
  return z.strictObject({ success, data, meta: responseMetaSchema.optional(), timestamp })
}

/** The envelope around one page of a list. */
export function pageSchema<Item extends z.ZodType>(item: Item) {
  return z
    .strictObject({ success, data: z.array(item), meta: pageMetaSchema, timestamp })
    .refine((answer) => answer.data.length <= answer.meta.limit, 'more records than limit')
    .refine(
      ({ data, meta }) => data.length === Math.max(0, Math.min(meta.limit, meta.total - (meta.page - 1) * meta.limit)),
      'number of records contradicts meta',
    )
}

/** The envelope of a list with cursor pagination; it has no total. */
export function cursorPageSchema<Item extends z.ZodType>(item: Item) {
  return z
    .strictObject({ success, data: z.array(item), meta: cursorMetaSchema, timestamp })
    .refine((answer) => answer.data.length <= answer.meta.limit, 'more records than limit')
}
