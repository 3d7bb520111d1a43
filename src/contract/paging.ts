import { z } from 'zod'
import { component } from './component.ts'

export const PAGE_DEFAULT = 1
export const LIST_LIMIT = { default: 20, maximum: 100 } as const
export const HISTORY_LIMIT = { default: 50, maximum: 100 } as const

export const pageMetaSchema = component(
  'PaginationMeta',
  z
    .strictObject({
      page: z.int().min(1).describe('The page that was served.'),
      limit: z.int().min(1).max(100).describe('The page size that was applied.'),
      total: z.int().min(0).describe('Number of all matching records.'),
      total_pages: z.int().min(0).describe('`ceil(total / limit)`; 0 when nothing matches.'),
      has_next: z.boolean().describe('Whether a later page has records.'),
      has_prev: z.boolean().describe('Whether an earlier page has records.'),
    })
    .describe('What was applied, and where in the list this page stands.')
    .refine((meta) => meta.total_pages === Math.ceil(meta.total / meta.limit), 'total_pages is not ceil(total / limit)')
    .refine((meta) => meta.has_next === meta.page < meta.total_pages, 'has_next contradicts page and total_pages')
    .refine((meta) => meta.has_prev === (meta.page > 1 && meta.total > 0), 'has_prev contradicts page and total'),
)

export type PageMetaWire = z.infer<typeof pageMetaSchema>

/** `page` and `limit` are never refused: what is not a whole number of at least 1 becomes the default. */
export function pageParameters(limit: { readonly default: number; readonly maximum: number }) {
  return {
    page: z
      .int()
      .min(1)
      .default(PAGE_DEFAULT)
      .describe('Page number. Anything that is not a whole number of at least 1 counts as 1; never refused.'),
    limit: z
      .int()
      .min(1)
      .max(limit.maximum)
      .default(limit.default)
      .describe(
        `Records per page. Above ${limit.maximum} it is taken as ${limit.maximum}; anything that is not a whole number of at least 1 counts as ${limit.default}; never refused.`,
      ),
  }
}
