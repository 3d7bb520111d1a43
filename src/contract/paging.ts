import { z } from 'zod'
import { MAX_NUMBERED_ROWS } from './account-limits.ts'

const PAGE_DEFAULT = 1
export const PAGE_LIMIT = { default: 20, maximum: 100 } as const
const HISTORY_LIMIT = { default: 50, maximum: 100 } as const

const ignoredParameters = z
  .array(z.string().min(1))
  .min(1)
  .describe(
    'Parameters and fields of the body that the endpoint does not know and ignored, such as `serach`. Absent if there are none.',
  )

/** The `meta` of a response that is not a list; present only if there is a remark. */
export const responseMetaSchema = z
  .strictObject({ ignored_parameters: ignoredParameters })
  .meta({ id: 'ResponseMeta', description: 'Remarks on the request.' })

export type ResponseMeta = z.infer<typeof responseMetaSchema>

const pageMetaFields = {
  page: z.int().min(1).describe('Page number.'),
  limit: z.int().min(1).max(100).describe('Page size.'),
  total: z.int().min(0).describe('Total number of matching records.'),
  total_pages: z.int().min(0).describe('`ceil(total / limit)`; 0 when nothing matches.'),
  has_next: z.boolean().describe('Whether a later page has records.'),
  has_prev: z.boolean().describe('Whether an earlier page has records.'),
  ignored_parameters: ignoredParameters.optional(),
}
type PageMetaFields = z.infer<z.ZodObject<typeof pageMetaFields>>

const hasTotalPages = (meta: PageMetaFields) => meta.total_pages === Math.ceil(meta.total / meta.limit)
const TOTAL_PAGES_ERROR = 'total_pages is not ceil(total / limit)'
const hasFittingNext = (meta: PageMetaFields) => meta.has_next === meta.page < meta.total_pages
const NEXT_ERROR = 'has_next contradicts page and total_pages'
const hasFittingPrev = (meta: PageMetaFields) => meta.has_prev === (meta.page > 1 && meta.total > 0)
const PREV_ERROR = 'has_prev contradicts page and total'

const totalIsCapped = z.literal(true).optional()

export const pageMetaSchema = z
  .strictObject({
    ...pageMetaFields,
    total_is_capped: totalIsCapped.describe(
      'Present if more records match than `total` says, which pages reach no further than. A search counts 10,000 records at most, a list of variants with one filter 100,000, a list with several filters 10,000. Narrow the request to reach the others.',
    ),
  })
  .refine(hasTotalPages, TOTAL_PAGES_ERROR)
  .refine(hasFittingNext, NEXT_ERROR)
  .refine(hasFittingPrev, PREV_ERROR)
  .meta({ id: 'PaginationMeta', description: 'Pagination of the response.' })

/** Whether the page was requested with `after`: it counts as page 1 and has records before it. */
export const isCursorPage = (meta: PageMetaFields) => meta.page === 1 && meta.has_prev

export const historyMetaSchema = z
  .strictObject({
    ...pageMetaFields,
    page: pageMetaFields.page.describe('Page number; 1 with `after`.'),
    next_after: z.string().nullable().describe('Value of `after` for the next page; null on the last page.'),
    total_is_capped: totalIsCapped.describe(
      'Present if more records match than `total` says: a search, or a list with several filters, counts 10,000 at most. `after` reaches the others.',
    ),
  })
  .refine(hasTotalPages, TOTAL_PAGES_ERROR)
  .refine((meta) => isCursorPage(meta) || hasFittingNext(meta), NEXT_ERROR)
  .refine((meta) => (isCursorPage(meta) ? meta.total > 0 : hasFittingPrev(meta)), PREV_ERROR)
  .refine((meta) => meta.has_next === (meta.next_after !== null), 'next_after contradicts has_next')
  .meta({ id: 'HistoryMeta', description: 'Pagination of the response, by page number or by `after`.' })

export type HistoryMeta = z.infer<typeof historyMetaSchema>

export const cursorMetaSchema = z
  .strictObject({
    limit: z.int().min(1).max(100).describe('Maximum number of records per response.'),
    has_next: z.boolean().describe('Whether more records exist.'),
    next_after: z
      .string()
      .nullable()
      .describe(
        'Value of `after` for the next request: the last id of this response, or the sent value if the response is empty.',
      ),
    ignored_parameters: ignoredParameters.optional(),
  })
  .meta({ id: 'CursorMeta', description: 'Cursor pagination of the response.' })

export type CursorMeta = z.infer<typeof cursorMetaSchema>

export const CURSOR_LIMIT = 50

/** The `limit` parameter of lists with cursor pagination. */
export const cursorLimitParameter = (what: string) =>
  z
    .string()
    .regex(/^0*(?:[1-9]|[1-9]\d|100)$/, 'a whole number from 1 to 100')
    .transform(Number)
    .optional()
    .meta({
      description: `${what} per response; default ${CURSOR_LIMIT}.`,
      override: { type: 'integer', minimum: 1, maximum: 100, default: CURSOR_LIMIT },
    })

export type PageMeta = z.infer<typeof pageMetaSchema>

export function pageMeta(page: number, limit: number, total: number, isTotalCapped = false): PageMeta {
  const totalPages = Math.ceil(total / limit)
  return {
    page,
    limit,
    total,
    total_pages: totalPages,
    has_next: page < totalPages,
    has_prev: page > 1 && total > 0,
    ...(isTotalCapped ? { total_is_capped: true } : {}),
  }
}

/** The `meta` of a page of a history; `lastId` is the id of its last record. */
export function historyMeta(meta: PageMeta, lastId: string | undefined): HistoryMeta {
  const hasNext = meta.has_next && lastId !== undefined
  return { ...meta, has_next: hasNext, next_after: hasNext ? lastId : null }
}

/** The `page`, `limit` and `after` parameters of a history; `idPrefix` is that of its records. */
export function historyParameters(idPrefix: string) {
  const { page, limit } = pageParameters(HISTORY_LIMIT)
  return {
    page,
    limit,
    after: z
      .string()
      .regex(new RegExp(`^${idPrefix}_[0-9a-zA-Z]{1,60}$`), 'the `meta.next_after` of the previous page')
      .optional()
      .describe(
        `Only records older than this one: the \`meta.next_after\` of the previous page. Replaces \`page\`, which reaches the newest ${MAX_NUMBERED_ROWS.toLocaleString('en-US')} records.`,
      ),
  }
}

/** The `page` and `limit` parameters of numbered pages. */
export function pageParameters(limit: { readonly default: number; readonly maximum: number }) {
  return {
    page: z
      .string()
      .optional()
      .transform((text) => parseCount(text, PAGE_DEFAULT))
      .meta({
        description: 'Page number. Invalid values count as 1.',
        override: { type: 'integer', default: PAGE_DEFAULT },
      }),
    limit: z
      .string()
      .optional()
      .transform((text) => parseCount(text, limit.default, limit.maximum))
      .meta({
        description: `Records per page, at most ${limit.maximum}. Larger values count as ${limit.maximum}, invalid values as ${limit.default}.`,
        // No bounds: values outside them are not rejected.
        override: { type: 'integer', default: limit.default },
      }),
  }
}

/** Never rejects: invalid values mean the default, too large ones the maximum. */
export function parseCount(text: string | undefined, fallback: number, maximum = Number.MAX_SAFE_INTEGER): number {
  if (text === undefined || !/^[0-9]+$/.test(text)) return fallback
  const count = Number(text)
  if (count < 1) return fallback
  if (count <= maximum) return count
  // A page number has no maximum: beyond the safe integers it is invalid.
  return maximum === Number.MAX_SAFE_INTEGER ? fallback : maximum
}
