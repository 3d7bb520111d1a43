import { z } from 'zod'
import { currencyCode, currencyField } from './currency.ts'
import { component } from './values.ts'

const TERMS_MAX_LENGTH = 1_000
const MAX_NAMES = 50
const MAX_DOMAINS = 20
const MAX_AMOUNT = 100_000_000_000

const AMOUNT = 'a whole number of minor units of the currency (cents), 1 or more'
const SLUG = '3 to 40 lower-case letters, digits and single dashes, such as `corner-shop`'
const ORIGIN = 'an origin such as https://www.shop.example'
const COLOUR = 'a colour such as #0a6b62'

const name = z.string().trim().min(1).max(100)
const names = z.array(name).max(MAX_NAMES, `at most ${MAX_NAMES} names`)

/** Scheme, host and port, as `frame-ancestors` takes it. */
const isOrigin = (text: string) => {
  try {
    const url = new URL(text)
    return /^https?:$/.test(url.protocol) && url.origin === text && !/[;,\s*]/.test(text)
  } catch {
    return false
  }
}

const count = (min: number, max: number) => {
  const expected = `a whole number from ${min} to ${max}`
  return z.int({ error: expected }).min(min, expected).max(max, expected)
}

const fields = {
  enabled: z.boolean().describe('Whether the page is served.'),
  slug: z
    .string({ error: SLUG })
    .min(3, SLUG)
    .max(40, SLUG)
    .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, SLUG)
    .describe('The page is at `/sell/SLUG`.'),
  share_percent: count(1, 100).describe("Share of the counter's offer that is quoted, in percent."),
  rounding: z
    .int({ error: AMOUNT })
    .min(1, AMOUNT)
    .max(MAX_AMOUNT, AMOUNT)
    .describe('Prices are rounded down to a multiple of this, in minor units of `currency`.'),
  max_price: z
    .int({ error: AMOUNT })
    .min(1, AMOUNT)
    .max(MAX_AMOUNT, AMOUNT)
    .describe('Above this no price is quoted: the customer brings the device. In minor units of `currency`.'),
  valid_days: count(1, 90).describe('Days that a quote is valid.'),
  categories: names.describe('Categories of devices that are bought; empty for all.'),
  makes: names.describe('Makes that are bought; empty for all.'),
  terms: z
    .string()
    .trim()
    .max(TERMS_MAX_LENGTH, `at most ${TERMS_MAX_LENGTH} characters`)
    .regex(/^[^\p{Cs}]*$/u, 'text')
    .describe('Further terms that the customer reads below the price; empty for none.'),
  daily_prices: count(1, 100_000).describe('Prices that the page calculates per day (UTC), for all visitors together.'),
  domains: z
    .array(z.string({ error: ORIGIN }).max(200, ORIGIN).refine(isOrigin, ORIGIN))
    .max(MAX_DOMAINS, `at most ${MAX_DOMAINS} origins`)
    .describe('Websites that may show the page in a frame.'),
  colour: z
    .string({ error: COLOUR })
    .regex(/^#[0-9a-f]{6}$/i, COLOUR)
    .describe('Colour of buttons and headings.'),
  retention_days: count(1, 3_650).describe('Days after the end of a quote until name and contact are deleted.'),
}

export const tradeInSchema = component('TradeInSettings', 'The public trade-in page of an organization.', {
  ...fields,
  currency: currencyCode.describe('Currency of `rounding` and `max_price`: that of the buying policy.'),
})
export type TradeInWire = z.infer<typeof tradeInSchema>

export const tradeInChangeSchema = z
  .strictObject({
    ...(Object.fromEntries(Object.entries(fields).map(([field, schema]) => [field, schema.optional()])) as {
      [Field in keyof typeof fields]: z.ZodOptional<(typeof fields)[Field]>
    }),
    currency: currencyField.describe(
      'Currency of `rounding` and `max_price`. Default: the currency of the buying policy.',
    ),
  })
  .meta({ id: 'TradeInChange', description: 'What to change of the trade-in page; other fields stay.' })
export type TradeInChangeWire = z.output<typeof tradeInChangeSchema>

export const exampleTradeIn: TradeInWire = {
  enabled: true,
  slug: 'corner-shop',
  share_percent: 95,
  rounding: 100,
  max_price: 60_000,
  valid_days: 14,
  categories: ['Smartphone', 'Tablet'],
  makes: [],
  terms: '',
  daily_prices: 200,
  domains: ['https://www.shop.example'],
  colour: '#0a6b62',
  retention_days: 90,
  currency: 'EUR',
}
