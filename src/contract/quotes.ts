import { z } from 'zod'
import { CONDITIONS, conditionSchema } from './conditions.ts'
import { currencyCode } from './currency.ts'
import { DEFECT_CODES } from './defects.ts'
import { DEVICE_KINDS } from './device-kinds.ts'
import { defineEndpoint } from './endpoint.ts'
import { cursorPageSchema, envelopeSchema } from './envelope.ts'
import { EXAMPLE_TIME } from './examples.ts'
import { LANGUAGES } from './languages.ts'
import { bodyOf } from './management-shared.ts'
import { cursorLimitParameter } from './paging.ts'
import { authorSchema, component, emailValue, instant, optionalField, slugValue } from './values.ts'

/** `open` → `arrived` (at the counter) → `bought` or `declined`; `expired` and `cancelled` end an open quote. */
export const QUOTE_STATES = ['open', 'arrived', 'bought', 'declined', 'expired', 'cancelled'] as const
export type QuoteState = (typeof QUOTE_STATES)[number]
export const QUOTE_OFFERS = ['price', 'range', 'in_person', 'not_bought'] as const
/** Why a quote is no firm price. */
const QUOTE_REASONS = [
  'above_limit',
  'account_locked',
  'device_not_bought',
  'no_offer',
  'price_uncertain',
  'to_inspect',
] as const
export type QuoteReason = (typeof QUOTE_REASONS)[number]
export const QUOTE_CHANNELS = ['page', 'api'] as const
/** What can differ between the answers of the customer and the device at the counter. */
export const QUOTE_DIFFERENCES = ['device', 'storage', 'grade', 'fault', 'fault_absent', 'lock', 'check'] as const
const QUOTE_MAX_BYTES = 16 * 1024
const MAX_ATTRIBUTES = 10
const NOTE_MAX_LENGTH = 200

const amount = z.int().min(0)
const line = (min: number, max: number) => {
  const expected = `text of ${min} to ${max} characters without control characters`
  return z
    .string({ error: expected })
    .trim()
    .min(min, expected)
    .max(max, expected)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, expected)
}

const PHONE = 'a phone number of 6 to 20 digits'
export const phoneValue = z
  .string({ error: PHONE })
  .trim()
  .max(40, PHONE)
  .regex(/^\+?[\d\s()./-]+$/, PHONE)
  .refine((text) => /^\d{6,20}$/.test(text.replace(/\D/g, '')), PHONE)

const contactSchema = component('QuoteContact', 'How to reach the customer.', {
  name: z.string().describe('Name.'),
  email: z.string().nullable().describe('E-mail address; null if a phone number was given.'),
  phone: z.string().nullable().describe('Phone number; null if an e-mail address was given.'),
})
export type QuoteContactWire = z.infer<typeof contactSchema>

const contactInputSchema = z
  .strictObject({
    name: line(1, 100).describe('Name.'),
    email: optionalField(emailValue).describe('E-mail address.'),
    phone: optionalField(phoneValue).describe('Phone number.'),
    consent: z
      .literal(true, { error: 'true: the customer agreed that name and contact are stored' })
      .describe('That the customer agreed to this.'),
  })
  .refine(({ email, phone }) => (email === undefined) !== (phone === undefined), {
    path: ['email'],
    error: 'either email or phone',
  })
  .meta({ id: 'QuoteContactInput', description: 'Name and either e-mail address or phone number of the customer.' })
export type QuoteContactInputWire = z.output<typeof contactInputSchema>

const DEFECT = `an array of defects, each one of ${DEFECT_CODES.join(', ')}`
const ATTRIBUTES = `an object of at most ${MAX_ATTRIBUTES} attribute names and their values as text`

const answerFields = {
  variant_id: optionalField(slugValue).describe('The variant, if known.'),
  device_id: optionalField(slugValue).describe('The device, if the variant is unknown.'),
  attributes: optionalField(
    z
      .record(z.string().max(100, ATTRIBUTES), z.string({ error: ATTRIBUTES }).max(100, ATTRIBUTES), {
        error: ATTRIBUTES,
      })
      .refine((attributes) => Object.keys(attributes).length <= MAX_ATTRIBUTES, ATTRIBUTES),
  ).describe('Attributes that select the variant, such as `storage`.'),
  condition: z
    .enum(CONDITIONS, { error: `one of ${CONDITIONS.join(', ')}` })
    .describe('Look of the device, without the listed defects.'),
  defects: optionalField(
    z
      .array(z.enum(DEFECT_CODES, { error: DEFECT }), { error: DEFECT })
      .max(2 * DEFECT_CODES.length, DEFECT)
      .overwrite((codes) => [...new Set(codes)]),
  ).meta({
    description: 'Defect codes of `/api/meta/defects`. Default: none.',
    override: { type: 'array', items: { type: 'string', enum: [...DEFECT_CODES] } },
  }),
}

/** What a customer states about a device. No identifier: it is asked at the counter. */
const quoteAnswersSchema = z
  .object(answerFields)
  .refine(({ variant_id: variant, device_id: device }) => variant !== undefined || device !== undefined, {
    path: ['variant_id'],
    error: 'variant_id or device_id',
  })
export type QuoteAnswersWire = z.output<typeof quoteAnswersSchema>

const newQuoteSchema = z
  .object({
    ...answerFields,
    contact: optionalField(contactInputSchema).describe('The customer. It can be added later.'),
    language: optionalField(z.enum(LANGUAGES, { error: `one of ${LANGUAGES.join(', ')}` })).describe(
      "Language of the customer's page and mail. Default: that of the organization's receipts.",
    ),
  })
  .refine(({ variant_id: variant, device_id: device }) => variant !== undefined || device !== undefined, {
    path: ['variant_id'],
    error: 'variant_id or device_id',
  })
  .meta({ id: 'NewQuote', description: 'What the customer states about the device. Unknown fields are ignored.' })

const offerSchema = component('QuoteOffer', 'The offer of a quote.', {
  kind: z
    .enum(QUOTE_OFFERS)
    .describe(
      '`price`: binds until `valid_until` for a device as described. `range`: the price is decided at the counter, probably in this range. `in_person`: no price without seeing the device. `not_bought`: such a device is not bought.',
    ),
  price: amount.nullable().describe('The price in minor units of `currency`; null unless `kind` is `price`.'),
  low: amount.nullable().describe('Lower end; null unless `kind` is `range`.'),
  high: amount.nullable().describe('Upper end.'),
  reason: z.enum(QUOTE_REASONS).nullable().describe('Why it is no firm price; null with a price.'),
})
export type QuoteOfferWire = z.infer<typeof offerSchema>

const differenceSchema = component('QuoteDifference', 'A difference between the answers and the device.', {
  kind: z.enum(QUOTE_DIFFERENCES).describe('What differs.'),
  said: z.string().nullable().describe('What the customer stated: a grade, a value or a name; null if nothing.'),
  is: z.string().nullable().describe('What the counter found; for `fault` the code of the defect.'),
  before: amount.nullable().describe('Price before this difference, in minor units of the currency of the quote.'),
  after: amount.nullable().describe('Price with it; null if the device is then not bought.'),
})
export type QuoteDifferenceWire = z.infer<typeof differenceSchema>

/** Who saw the device and what for; on a quote that arrived at the counter. */
const settlementSchema = component('QuoteSettlement', 'What became of a quote at the counter.', {
  appraisal_id: z.string().describe('The appraisal of the device.'),
  price_held: z.boolean().describe('Whether the device was as described, so that the quoted price held.'),
  differences: z.array(differenceSchema).describe('What differed.'),
  requote: amount.nullable().describe('Price with the differences; null without one, or if the quoted price held.'),
  paid: amount.nullable().describe('Price paid; null if it was not bought.'),
  current_price: amount.nullable().describe('What the answers would have been quoted on that day.'),
  held_cost: amount.describe('What holding the price cost: the quoted price minus `current_price`, 0 or more.'),
})
export type QuoteSettlementWire = z.infer<typeof settlementSchema>

/** The quote of a device in hand, on the preview of its appraisal. */
export const quoteAtCounterSchema = component(
  'QuoteAtCounter',
  'The quote of a customer beside what the counter found.',
  {
    quote_id: z.string().describe('The quote.'),
    state: z.enum(QUOTE_STATES).describe('Its state; only an `open` or `arrived` quote has a price.'),
    valid_until: instant.describe('Until when the price binds.'),
    answers: z
      .strictObject({
        condition: conditionSchema.describe('Grade as stated.'),
        defects: z.array(z.enum(DEFECT_CODES)).describe('Defects as stated.'),
      })
      .describe('What the customer stated.'),
    quoted_price: amount.nullable().describe('The quoted price; null without a firm one.'),
    currency: currencyCode.describe('Currency of these amounts.'),
    differences: z.array(differenceSchema).describe('What differs from the answers, each with its money.'),
    price_held: z.boolean().describe('Whether nothing differs, so that the quoted price holds.'),
    price: amount
      .nullable()
      .describe('The quoted price, or with differences the new one; null if there is none or the quote is over.'),
    current_price: amount.nullable().describe('What the answers would be quoted today; null without a price.'),
  },
)
export type QuoteAtCounterWire = z.infer<typeof quoteAtCounterSchema>

const quoteFields = {
  quote_id: z.string().describe('Number of the quote, such as `Q-7K4P-2M`.'),
  state: z
    .enum(QUOTE_STATES)
    .describe(
      '`open` until the customer comes (`arrived`), cancels (`cancelled`) or `valid_until` passes (`expired`). `bought` and `declined` are its end at the counter.',
    ),
  channel: z.enum(QUOTE_CHANNELS).describe('`page`: the public page. `api`: this API.'),
  created_at: instant.describe('When it was created.'),
  valid_until: instant.describe('Until when the price binds.'),
  device_id: slugValue.describe('Device.'),
  device_name: z.string().describe('Its name with the stated attributes.'),
  device_kind: z.enum(DEVICE_KINDS).nullable().describe('Kind of the device; null if it has none.'),
  variant_id: slugValue.nullable().describe('Variant, if stated.'),
  attributes: z.record(z.string(), z.string()).describe('Attributes as stated.'),
  condition: conditionSchema.describe('Grade as stated.'),
  defects: z.array(z.enum(DEFECT_CODES)).describe('Defects as stated.'),
  offer: offerSchema,
  currency: currencyCode.describe('Currency of all amounts.'),
  sample: z.boolean().describe('Whether the price rests on sample data.'),
  share_percent: z.int().describe("Share of the counter's offer of that day."),
  language: z.enum(LANGUAGES).describe('Language of the customer.'),
  arrived_at: instant.nullable().describe('When it was opened at the counter; null before.'),
  arrived_by: authorSchema.nullable().describe('Who opened it at the counter.'),
  ended_at: instant.nullable().describe('When it was bought, declined, cancelled or expired.'),
  note: z.string().nullable().describe('Why it was declined or cancelled; null if not said.'),
  settlement: settlementSchema.nullable().describe('What became of it at the counter; null before.'),
}

const quoteEntrySchema = component('QuoteEntry', 'A quote without the customer.', quoteFields)
export type QuoteEntryWire = z.infer<typeof quoteEntrySchema>

const quoteSchema = component('Quote', 'An offer to a customer at home, which binds at the counter.', {
  ...quoteFields,
  contact: contactSchema.nullable().describe('The customer; null if not stated, or deleted.'),
})
export type QuoteWire = z.infer<typeof quoteSchema>

const createdQuoteSchema = component('CreatedQuote', "A new quote with the address of the customer's page.", {
  quote: quoteSchema,
  url: z
    .url()
    .nullable()
    .optional()
    .describe("Address of the customer's page; null while the trade-in page is off. Absent in a repeated response."),
})
export type CreatedQuoteWire = z.infer<typeof createdQuoteSchema>

/** In any letter case, with or without dashes; letters that look like digits count as digits. */
export const QUOTE_ID = /^[Qq]-?[0-9A-Za-z]{4}-?[0-9A-Za-z]{2}$/
export const quoteId = z
  .string()
  .trim()
  .regex(QUOTE_ID, 'a number such as Q-7K4P-2M')
  .describe('Number of the quote, in any letter case, with or without dashes.')
const params = z.object({ id: quoteId })

const exampleQuote: QuoteWire = {
  quote_id: 'Q-7K4P-2M',
  state: 'open',
  channel: 'page',
  created_at: EXAMPLE_TIME,
  valid_until: '2026-03-16T09:30:00.000Z',
  device_id: 'apple-iphone-13',
  device_name: 'iPhone 13 128GB',
  device_kind: 'phone',
  variant_id: null,
  attributes: { storage: '128GB' },
  condition: 'Good',
  defects: [],
  offer: { kind: 'price', price: 14_200, low: null, high: null, reason: null },
  currency: 'EUR',
  sample: false,
  share_percent: 95,
  language: 'en',
  arrived_at: null,
  arrived_by: null,
  ended_at: null,
  note: null,
  settlement: null,
  contact: { name: 'Ada', email: 'ada@example.com', phone: null },
}
const { contact: _contact, ...exampleEntry } = exampleQuote

export const listQuotes = defineEndpoint('GET /api/quotes', {
  id: 'listQuotes',
  permission: 'quotes:read',
  tag: 'Appraisals',
  summary: 'List quotes',
  description:
    'Quotes of your organization, newest first, without the customers. Continue with `after` = `meta.next_after`.',
  query: z.object({
    state: z
      .enum(QUOTE_STATES, { error: `one of ${QUOTE_STATES.join(', ')}` })
      .optional()
      .describe('Only quotes in this state.'),
    after: z
      .string()
      .regex(/^\d{1,15}-[0-9A-Z-]{1,20}$/, 'the `meta.next_after` of the previous page')
      .optional()
      .describe('Only older quotes.'),
    limit: cursorLimitParameter('Quotes'),
  }),
  response: cursorPageSchema(quoteEntrySchema),
  errors: ['VALIDATION_ERROR'],
  examples: [
    {
      summary: 'Open quotes',
      query: { state: 'open' },
      data: [exampleEntry],
      meta: { limit: 50, has_next: false, next_after: '1772443800000-Q-7K4P-2M' },
    },
  ],
})

export const getQuote = defineEndpoint('GET /api/quotes/{id}', {
  id: 'getQuote',
  permission: 'quotes:read',
  tag: 'Appraisals',
  summary: 'Get a quote',
  description: 'One quote with the customer, by the number on it.',
  params,
  response: envelopeSchema(quoteSchema),
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
  examples: [{ summary: 'A quote', params: { id: exampleQuote.quote_id }, data: exampleQuote }],
})

export const createQuote = defineEndpoint('POST /api/quotes', {
  id: 'createQuote',
  permission: 'quotes:write',
  tag: 'Appraisals',
  summary: 'Create a quote',
  description:
    "A price for a device as its owner describes it: the share of the counter's offer that the settings of the trade-in page name. It binds for their number of days. For shops that build a page of their own; the page of the service does the same.",
  secretFields: ['url'],
  body: bodyOf(newQuoteSchema, QUOTE_MAX_BYTES),
  response: envelopeSchema(createdQuoteSchema),
  errors: ['NOT_FOUND', 'LIMIT_REACHED'],
  examples: [
    {
      summary: 'An iPhone in good condition',
      body: {
        device_id: 'apple-iphone-13',
        attributes: { storage: '128GB' },
        condition: 'Good',
        contact: { name: 'Ada', email: 'ada@example.com', consent: true },
      },
      data: { quote: exampleQuote, url: '{base_url}/sell/corner-shop/q/AbCdEfGhIjKlMnOpQrStUv' },
    },
  ],
})

const CHANGED_STATES = ['arrived', 'declined', 'cancelled'] as const

export const changeQuote = defineEndpoint('PATCH /api/quotes/{id}', {
  id: 'changeQuote',
  permission: 'quotes:write',
  tag: 'Appraisals',
  isMetered: false,
  summary: 'Change a quote',
  description:
    '`arrived`: the customer is at the counter; repeating it changes nothing. `declined`, `cancelled`: its end. It becomes `bought` by the purchase of an appraisal that names it (`quote_id`). Each change is an event.',
  params,
  body: bodyOf(
    z
      .strictObject({
        state: z
          .enum(CHANGED_STATES, { error: `one of ${CHANGED_STATES.join(', ')}` })
          .optional()
          .describe('The new state.'),
        note: optionalField(line(0, NOTE_MAX_LENGTH)).describe('Why it was declined or cancelled.'),
        contact: contactInputSchema
          .nullish()
          .describe('Replaces the customer; null deletes name and contact, also from backups made later.'),
      })
      .refine(({ state, contact }) => state !== undefined || contact !== undefined, {
        path: ['state'],
        error: 'state or contact',
      })
      .meta({ id: 'QuoteChange', description: 'What to change; other fields stay.' }),
    QUOTE_MAX_BYTES,
  ),
  response: envelopeSchema(quoteSchema),
  errors: ['NOT_FOUND', 'LIMIT_REACHED'],
  examples: [
    {
      summary: 'The customer is at the counter',
      params: { id: exampleQuote.quote_id },
      body: { state: 'arrived' },
      data: {
        ...exampleQuote,
        state: 'arrived',
        arrived_at: EXAMPLE_TIME,
        arrived_by: { kind: 'person', id: 'acc_0f246810c52148df3', name: 'Ben' },
      },
    },
  ],
})
