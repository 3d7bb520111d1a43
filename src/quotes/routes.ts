import { CURSOR_LIMIT } from '../contract/paging.ts'
import { changeQuote, createQuote, getQuote, listQuotes } from '../contract/quotes.ts'
import { type ApiRoute, route } from '../http/context.ts'
import { excerpt, notFound } from '../lib/errors.ts'
import { parseQuoteNumber } from './quote-number.ts'
import { contactOf, type Quotes, type Shop } from './quotes.ts'
import { customerPath } from './sell-paths.ts'
import { presentQuote, presentQuoteEntry } from './trade-in-quote.ts'

export type QuoteRouteDependencies = {
  readonly quotes: Pick<Quotes, 'create' | 'find' | 'list' | 'change'>
  readonly baseUrl: string
}

export function quoteRoutes({ quotes, baseUrl }: QuoteRouteDependencies): ApiRoute[] {
  const urlOf = ({ settings }: Shop, token: string) =>
    settings.enabled ? `${baseUrl}${customerPath(settings.slug, token)}` : null
  // Another organization's quote is NOT_FOUND, so that callers cannot probe for numbers.
  const notFoundError = (id: string) => notFound(`Quote ${excerpt(id)}`)

  return [
    route(listQuotes, async (c) => {
      const { organizationId } = c.get('principal')
      const { state, after, limit = CURSOR_LIMIT } = c.get('query')
      const { now } = c.get('facts')
      const found = await quotes.list(organizationId, { state, after: parsePosition(after), limit: limit + 1, now })
      const page = found.slice(0, limit)
      const last = page.at(-1)
      return {
        data: page.map((quote) => presentQuoteEntry(quote, now)),
        meta: {
          limit,
          has_next: found.length > limit,
          next_after: last ? `${last.createdAt}-${last.id}` : (after ?? null),
        },
      }
    }),

    route(createQuote, async (c) => {
      const { now } = c.get('facts')
      const { quote, token, shop } = await quotes.create(c.get('principal').organizationId, c.get('body'), now)
      return { data: { quote: presentQuote(quote, now), url: urlOf(shop, token) } }
    }),

    route(getQuote, async (c) => {
      const { id } = c.get('params')
      const quote = await quotes.find(c.get('principal').organizationId, parseQuoteNumber(id) ?? id)
      if (!quote) throw notFoundError(id)
      return { data: presentQuote(quote, c.get('facts').now) }
    }),

    route(changeQuote, async (c) => {
      const principal = c.get('principal')
      const { id } = c.get('params')
      const { now } = c.get('facts')
      const { state, note, contact } = c.get('body')
      const change = {
        ...(state ? { state } : {}),
        note,
        ...(contact === undefined ? {} : { contact: contact && contactOf(contact) }),
      }
      const quote = await quotes.change(principal.organizationId, parseQuoteNumber(id) ?? id, change, principal, now)
      if (!quote) throw notFoundError(id)
      return { data: presentQuote(quote, now) }
    }),
  ]
}

function parsePosition(after: string | undefined) {
  if (after === undefined) return undefined
  const at = after.indexOf('-')
  return { createdAt: Number(after.slice(0, at)), id: after.slice(at + 1) }
}
