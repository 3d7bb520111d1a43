import { z } from 'zod'
import {
  type CursorMeta,
  cursorMetaSchema,
  historyMetaSchema,
  isCursorPage,
  pageMetaSchema,
  type ResponseMeta,
  responseMetaSchema,
} from './paging.ts'
import { secondInstant } from './values.ts'

const success = z.literal(true).describe('Always true on success.')
const timestamp = secondInstant.describe('Time of the response, UTC.')

/** The envelope around one thing, or around a list that is always whole; `meta` is that of a list inside the thing. */
export function envelopeSchema<Data extends z.ZodType>(
  data: Data,
  meta: z.ZodType<ResponseMeta | CursorMeta | undefined> = responseMetaSchema.optional(),
) {
  return z.strictObject({ success, data, meta, timestamp })
}

type PagePosition = { readonly page: number; readonly limit: number; readonly total: number }

const expectedLength = ({ page, limit, total }: PagePosition) =>
  Math.max(0, Math.min(limit, total - (page - 1) * limit))
const LENGTH_ERROR = 'number of records contradicts meta'

/** The envelope around one page of a list. */
export function pageSchema<Item extends z.ZodType>(item: Item) {
  return z
    .strictObject({ success, data: z.array(item), meta: pageMetaSchema, timestamp })
    .refine(({ data, meta }) => data.length === expectedLength(meta), LENGTH_ERROR)
}

/** The envelope around one page of a history, by page number or by `after`. */
export function historySchema<Item extends z.ZodType>(item: Item) {
  return z
    .strictObject({ success, data: z.array(item), meta: historyMetaSchema, timestamp })
    .refine(({ data, meta }) => data.length <= meta.limit, 'more records than limit')
    .refine(
      ({ data, meta }) =>
        isCursorPage(meta) ? data.length === meta.limit || !meta.has_next : data.length === expectedLength(meta),
      LENGTH_ERROR,
    )
}

/** The envelope of a list with cursor pagination; it has no total. */
export function cursorPageSchema<Item extends z.ZodType>(item: Item) {
  return z
    .strictObject({ success, data: z.array(item), meta: cursorMetaSchema, timestamp })
    .refine((response) => response.data.length <= response.meta.limit, 'more records than limit')
}
