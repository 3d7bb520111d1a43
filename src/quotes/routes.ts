import { CURSOR_LIMIT } from '../contract/paging.ts'
import { getQuoteReport } from '../contract/quote-report.ts'
import { changeQuote, createQuote, getQuote, listQuotes } from '../contract/quotes.ts'
import { type ApiRoute, route } from '../http/context.ts'
import { requireMargins } from '../http/principal.ts'
import { excerpt, notFound } from '../lib/errors.ts'
import { yieldToEventLoop } from '../lib/event-loop.ts'
import { addDays, dayOf, startOfDay } from '../lib/time.ts'
import { parseQuoteNumber } from './quote-number.ts'
import { createQuoteReport } from './quote-report.ts'
import { contactOf, type Quotes, type Shop } from './quotes.ts'
import { customerPath } from './sell-paths.ts'
import { presentQuote, presentQuoteEntry } from './trade-in-quote.ts'

/** Days of a report that names none. */
const REPORT_DAYS = 30

export type QuoteRouteDependencies = {
  readonly quotes: Pick<Quotes, 'create' | 'find' | 'list' | 'change' | 'keptBetween'>
  /** Address of the service on other devices. */
  readonly linkUrl: () => string
}

export function quoteRoutes({ quotes, linkUrl }: QuoteRouteDependencies): ApiRoute[] {
  const urlOf = ({ settings }: Shop, token: string) =>
    settings.enabled ? `${linkUrl()}${customerPath(settings.slug, token)}` : null
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

    route(getQuoteReport, async (c) => {
      const organizationId = requireMargins(c.get('principal'))
      const { now } = c.get('facts')
      const { to = dayOf(now), from = addDays(to, -REPORT_DAYS) } = c.get('query')
      const report = createQuoteReport(now)
      for await (const kept of quotes.keptBetween(organizationId, startOfDay(from), startOfDay(addDays(to, 1)))) {
        for (const quote of kept) report.add(quote)
        await yieldToEventLoop()
      }
      return { data: report.result(from, to) }
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
