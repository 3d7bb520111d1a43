import { z } from 'zod'
import { currencyCode } from './currency.ts'
import { defineEndpoint } from './endpoint.ts'
import { envelopeSchema } from './envelope.ts'
import { QUOTE_DIFFERENCES } from './quotes.ts'
import { component, dateValue, dayParameter } from './values.ts'

const count = z.int().min(0)

const quoteReportSchema = component('QuoteReport', 'What became of the quotes of a period.', {
  from: dateValue.describe('First day.'),
  to: dateValue.describe('Last day.'),
  kept: count.describe('Quotes that customers kept.'),
  arrived: count.describe('Those whose customer came to the counter.'),
  price_held: count.describe('Those whose device was as described, so that the quoted price held.'),
  requoted: count.describe('Those that got a new price at the counter because the device differed.'),
  requotes_bought: count.describe('New prices that the customer accepted.'),
  states: z
    .strictObject({
      open: count.describe('Still open.'),
      arrived: count.describe('At the counter, not decided.'),
      bought: count.describe('Bought.'),
      declined: count.describe('Declined at the counter.'),
      expired: count.describe('Expired.'),
      cancelled: count.describe('Cancelled.'),
    })
    .describe('Quotes by their state now; together `kept`.'),
  reasons: z
    .array(
      z.strictObject({
        kind: z.enum(QUOTE_DIFFERENCES).describe('What differed.'),
        said: z.string().nullable().describe('What the customers stated; null if nothing.'),
        is: z.string().nullable().describe('What the counter found; for `fault` the code of the defect.'),
        count: count.describe('Quotes with this difference.'),
        bought: count.describe('Those that were bought nevertheless.'),
      }),
    )
    .describe('Why prices changed at the counter, most frequent first, at most 50.'),
  money: z
    .array(
      z.strictObject({
        currency: currencyCode.describe('Currency of the quotes.'),
        bought: count.describe('Quotes that were bought.'),
        quoted: z.int().describe('Sum of their quoted prices, in minor units.'),
        paid: z.int().describe('Sum of the prices paid.'),
        held_cost: z.int().describe('What it cost to hold prices after the market fell.'),
      }),
    )
    .describe('Amounts of bought quotes, by currency.'),
})
export type QuoteReportWire = z.infer<typeof quoteReportSchema>

const exampleReport: QuoteReportWire = {
  from: '2026-03-01',
  to: '2026-03-31',
  kept: 40,
  arrived: 22,
  price_held: 15,
  requoted: 7,
  requotes_bought: 5,
  states: { open: 6, arrived: 0, bought: 20, declined: 2, expired: 9, cancelled: 3 },
  reasons: [{ kind: 'fault', said: null, is: 'cracked_back', count: 4, bought: 3 }],
  money: [{ currency: 'EUR', bought: 20, quoted: 310_000, paid: 291_500, held_cost: 4_200 }],
}

export const getQuoteReport = defineEndpoint('GET /api/reports/quotes', {
  id: 'getQuoteReport',
  permission: 'reports:read',
  tag: 'Appraisals',
  summary: 'Report on your trade-in quotes',
  description:
    'Quotes that were kept in the period: how many arrived and were bought, which got a new price at the counter and why, and what it cost to hold prices after the market fell. Clerks need an organization that shows them margins.',
  query: z.object({
    from: dayParameter.optional().describe('First day. Default: 30 days before `to`.'),
    to: dayParameter.optional().describe('Last day. Default: today (UTC).'),
  }),
  response: envelopeSchema(quoteReportSchema),
  errors: ['VALIDATION_ERROR'],
  examples: [{ summary: 'A month', query: { from: '2026-03-01', to: '2026-03-31' }, data: exampleReport }],
})
