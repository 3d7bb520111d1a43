import { z } from 'zod'

const PAGE_DEFAULT = 1
export const PAGE_LIMIT = { default: 20, maximum: 100 } as const
export const HISTORY_LIMIT = { default: 50, maximum: 100 } as const

const ignoredParameters = z
  .array(z.string().min(1))
  .min(1)
  .describe(
    'Parameters that were ignored although they look like ones there are, such as `serach`. Absent when there are none.',
  )

/** The `meta` of an answer that is no page: there only when it has something to say. */
export const responseMetaSchema = z
  .strictObject({ ignored_parameters: ignoredParameters })
  .meta({ id: 'ResponseMeta', description: 'What the caller should know about the request itself.' })

export type ResponseMeta = z.infer<typeof responseMetaSchema>

export const pageMetaSchema = z
  .strictObject({
    page: z.int().min(1).describe('The page that was served.'),
    limit: z.int().min(1).max(100).describe('The page size that was applied.'),
    total: z.int().min(0).describe('Number of all matching records.'),
    total_pages: z.int().min(0).describe('`ceil(total / limit)`; 0 when nothing matches.'),
    has_next: z.boolean().describe('Whether a later page has records.'),
    has_prev: z.boolean().describe('Whether an earlier page has records.'),
    ignored_parameters: ignoredParameters.optional(),
  })
  .refine((meta) => meta.total_pages === Math.ceil(meta.total / meta.limit), 'total_pages is not ceil(total / limit)')
  .refine((meta) => meta.has_next === meta.page < meta.total_pages, 'has_next contradicts page and total_pages')
  .refine((meta) => meta.has_prev === (meta.page > 1 && meta.total > 0), 'has_prev contradicts page and total')
  .meta({ id: 'PaginationMeta', description: 'What was applied, and where in the list this page stands.' })

export const cursorMetaSchema = z
  .strictObject({
    limit: z.int().min(1).max(100).describe('The size of an answer that was applied.'),
    has_next: z.boolean().describe('Whether there is more already.'),
    next_after: z
      .string()
      .nullable()
      .describe('What to send as `after` to read on: the last id of this answer, or what was sent when it is empty.'),
    ignored_parameters: ignoredParameters.optional(),
  })
  .meta({ id: 'CursorMeta', description: 'Where to read on.' })

export type CursorMeta = z.infer<typeof cursorMetaSchema>

export const CURSOR_LIMIT = 50

/** How many to a list that is read on after its last record. */
export const cursorLimitParameter = (what: string) =>
  z
    .string()
    .regex(/^0*(?:[1-9]|[1-9]\d|100)$/, 'a whole number from 1 to 100')
    .transform(Number)
    .optional()
    .meta({
      description: `${what} per answer; ${CURSOR_LIMIT} unless given.`,
      override: { type: 'integer', minimum: 1, maximum: 100, default: CURSOR_LIMIT },
    })

export type PageMeta = z.infer<typeof pageMetaSchema>

export function pageMeta(page: number, limit: number, total: number): PageMeta {
  const totalPages = Math.ceil(total / limit)
  return {
    page,
    limit,
    total,
    total_pages: totalPages,
    has_next: page < totalPages,
    has_prev: page > 1 && total > 0,
  }
}

/** `page` and `limit` as a query sends them, and as a list is cut by them. */
export function pageParameters(limit: { readonly default: number; readonly maximum: number }) {
  return {
    page: z
      .string()
      .optional()
      .transform((text) => parseCount(text, PAGE_DEFAULT))
      .meta({
        description: 'Page number. Anything that is not a whole number of at least 1 counts as 1; never refused.',
        override: { type: 'integer', minimum: 1, default: PAGE_DEFAULT },
      }),
    limit: z
      .string()
      .optional()
      .transform((text) => parseCount(text, limit.default, limit.maximum))
      .meta({
        description: `Records per page. Above ${limit.maximum} it is taken as ${limit.maximum}; anything that is not a whole number of at least 1 counts as ${limit.default}; never refused.`,
        override: { type: 'integer', minimum: 1, maximum: limit.maximum, default: limit.default },
      }),
  }
}

/** Never a refusal: what is not a whole number of at least 1 means the default, and more than the maximum the maximum. */
export function parseCount(text: string | undefined, fallback: number, maximum = Number.MAX_SAFE_INTEGER): number {
  if (text === undefined || !/^[0-9]+$/.test(text)) return fallback
  const count = Number(text)
  if (count < 1) return fallback
  if (count <= maximum) return count
  // A limit has a largest value to fall back to; a page number beyond counting is no page number.
  return maximum === Number.MAX_SAFE_INTEGER ? fallback : maximum
}
