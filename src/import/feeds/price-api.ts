/** Describes a price service that is asked over HTTP: requests, paging, budget and where its response holds what. */
import { z } from 'zod'
import { isTimeZone } from '../../contract/values.ts'
import { oauthSchema } from '../../lib/oauth-tokens.ts'
import { valuePath as path } from '../../lib/value-path.ts'

/** Paths within one item. Without a path, the option of the import with that name applies to all items. */
const fieldPaths = z.strictObject({
  id: path,
  title: path,
  price: path,
  currency: path.optional(),
  condition: path.optional(),
  /** Day of the price; without it the price is as of the request. */
  date: path.optional(),
  /** Day on which the item was listed. */
  listed_on: path.optional(),
  /** `ask`, `sold` or `quote`. */
  side: path.optional(),
  country: path.optional(),
})

export const priceApiSchema = z.strictObject({
  oauth: oauthSchema.optional(),
  /** Headers that are no secret, such as the marketplace. */
  headers: z.record(z.string().regex(/^[A-Za-z0-9-]{1,100}$/), z.string().max(500)).default({}),
  paging: z
    .strictObject({
      size: z.int().min(1).max(10_000).default(100),
      max_pages: z.int().min(1).max(1_000).default(1),
      /** Number of the first page, for `{page}`. */
      first_page: z.int().min(0).max(1).default(1),
      /** Path of the number of results. */
      total: path.optional(),
      /** Path of the cursor of the next page, for `{cursor}`. */
      next: path.optional(),
    })
    .prefault({}),
  /** Path of the list of items; absent if the response is the list. */
  items: path.optional(),
  fields: fieldPaths,
  price_unit: z.enum(['units', 'cents']).default('units'),
  /** Words for the values of the condition; values that are not in it are read as words. */
  conditions: z.record(z.string().min(1).max(60), z.string().min(1).max(60)).default({}),
  /** Items with one of these values are left out. */
  skip: z
    .array(z.strictObject({ path, values: z.array(z.string().max(100)).min(1).max(50) }))
    .max(20)
    .default([]),
  /** Value of `{category}` by the category of the device. */
  categories: z.record(z.string().min(1).max(60), z.string().min(1).max(60)).default({}),
  requests_per_second: z.number().min(0.01).max(50).default(2),
  requests_per_day: z.int().min(1).max(5_000_000).default(1_000),
  /** At most so many per run, so that prices come in portions over the day. */
  requests_per_run: z.int().min(1).max(5_000_000).optional(),
  /** Where the day of the budget begins at midnight. */
  time_zone: z.string().refine(isTimeZone, 'expected a time zone such as America/Los_Angeles').default('UTC'),
  request_timeout_ms: z.int().min(100).max(120_000).default(20_000),
  max_response_bytes: z
    .int()
    .min(1_024)
    .max(64 * 1024 ** 2)
    .default(8 * 1024 ** 2),
})

export type PriceApi = z.infer<typeof priceApiSchema>

/** What is asked: a device, or one page of everything if the address names no device. */
export type PriceQuery = {
  /** Device id; empty for everything. */
  readonly deviceId: string
  readonly text: string
  readonly category: string
}

export type PageRequest = { readonly page: number; readonly cursor: string }

/** One request per device if the address asks for one. */
export const asksPerDevice = (url: string) => url.includes('{query}')

/** Placeholders of the address. */
const PLACEHOLDER = /\{(query|category|limit|offset|page|cursor)\}/g

/** The address of one page. Parameters that stay empty are left out. */
export function pageUrl(template: string, api: PriceApi, query: PriceQuery, { page, cursor }: PageRequest): string {
  const { size, first_page: firstPage } = api.paging
  const values: Readonly<Record<string, string>> = {
    query: query.text,
    category: api.categories[query.category] ?? '',
    limit: String(size),
    offset: String(page * size),
    page: String(page + firstPage),
    cursor,
  }
  const filled = template.replace(PLACEHOLDER, (_, name: string) => encodeURIComponent(values[name] ?? ''))
  return filled
    .replace(/([?&])[^=&]+=(?=&|$)/g, '$1')
    .replace(/([?&])&+/g, '$1')
    .replace(/[?&]+$/, '')
}

/** Whether the address leads to further pages. */
export const hasPages = (template: string) => /\{(offset|page|cursor)\}/.test(template)

/**
 * Words of a device for a search: its name as people say it, because many titles leave out the make. Brackets and commas are
 * operators of some searches, and few titles repeat "5G".
 */
export const searchText = ({ name }: { readonly name: string }): string =>
  name
    .replace(/[(),"|*]/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/ 5G$/i, '')
    .trim()
