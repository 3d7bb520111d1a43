/** Reads the listings of one response of a price service. What is not a listing of it is left out and counted. */
import { valueAtPath } from '../../lib/value-path.ts'
import type { PriceApi } from './price-api.ts'

/** A listing as it is written for the import. Nothing else of the response is kept: no seller, picture or link. */
export type PriceListing = {
  readonly listing_id: string
  readonly title: string
  readonly price: string
  readonly price_cents: string
  readonly currency: string
  readonly condition: string
  readonly date: string
  readonly listed_on: string
  readonly side: string
  readonly country: string
}

export type PricePage = {
  readonly listings: readonly PriceListing[]
  /** Items of the response, including those that were left out. */
  readonly items: number
  /** Number of results that the service states; null if it does not. */
  readonly total: number | null
  readonly cursor: string
}

/** Why a response is rejected. It never contains parts of the response. */
export class InvalidPriceResponse extends Error {}

const MAX_TITLE_CHARS = 300
const MAX_CHARS = 100

/** `day`: the day on which the price is asked, for services that do not date their prices. */
export function readPricePage(api: PriceApi, body: unknown, day: string): PricePage {
  if (typeof body !== 'object' || body === null) throw new InvalidPriceResponse('the response is not a list')
  const total = api.paging.total === undefined ? null : toCount(valueAtPath(body, api.paging.total))
  const cursor = api.paging.next === undefined ? '' : toText(valueAtPath(body, api.paging.next), 2_000)
  const items = api.items === undefined ? body : valueAtPath(body, api.items)
  // Services leave the list out if there is nothing in it.
  if ((items === undefined || items === null) && total === 0) return { listings: [], items: 0, total, cursor: '' }
  if (!Array.isArray(items)) throw new InvalidPriceResponse(`the response has no list ${api.items ?? ''}`.trimEnd())
  const kept = items.filter((item) => !isSkipped(api, item))
  const listings = kept.flatMap((item) => toListing(api, item, day))
  if (kept.length > 0 && listings.length === 0) throw new InvalidPriceResponse(describeMissing(api, kept))
  return { listings, items: items.length, total, cursor }
}

function toListing({ fields, price_unit: unit, conditions }: PriceApi, item: unknown, day: string): PriceListing[] {
  const read = (path: string | undefined, maxChars = MAX_CHARS) =>
    path === undefined ? '' : toText(valueAtPath(item, path), maxChars)
  const [id, title, price] = [read(fields.id), read(fields.title, MAX_TITLE_CHARS), read(fields.price)]
  if (id === '' || title === '' || price === '') return []
  const condition = read(fields.condition)
  return [
    {
      listing_id: id,
      title,
      price: unit === 'units' ? price : '',
      price_cents: unit === 'cents' ? price : '',
      currency: read(fields.currency).toUpperCase(),
      condition: Object.hasOwn(conditions, condition) ? (conditions[condition] ?? '') : condition,
      date: toDay(read(fields.date)) || day,
      listed_on: toDay(read(fields.listed_on)),
      side: read(fields.side).toLowerCase(),
      country: read(fields.country),
    },
  ]
}

const isSkipped = ({ skip }: PriceApi, item: unknown) =>
  skip.some(({ path, values }) => {
    const value = valueAtPath(item, path)
    return (Array.isArray(value) ? value : [value]).some((each) => values.includes(toText(each, MAX_CHARS)))
  })

/** The service changed its response: names the first field that no item has. */
function describeMissing({ fields }: PriceApi, items: readonly unknown[]): string {
  const missing = [fields.id, fields.title, fields.price].find((path) =>
    items.every((item) => toText(valueAtPath(item, path), MAX_CHARS) === ''),
  )
  return missing === undefined ? 'no item has an id, a title and a price' : `no item of the response has ${missing}`
}

function toText(value: unknown, maxChars: number): string {
  const text = typeof value === 'number' && Number.isFinite(value) ? String(value) : value
  if (typeof text !== 'string') return ''
  return text
    .slice(0, maxChars * 2)
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, maxChars)
    .toWellFormed()
}

const toCount = (value: unknown) => {
  const count = typeof value === 'string' && value !== '' ? Number(value) : value
  return typeof count === 'number' && Number.isFinite(count) && count >= 0 ? Math.floor(count) : null
}

/** The day of an instant or of a date; empty if it is neither. */
const toDay = (text: string) => /^(\d{4}-\d\d-\d\d)(?:$|T)/.exec(text)?.[1] ?? ''
