import { z } from 'zod'
import { currencyCode } from './currency.ts'
import { defineEndpoint } from './endpoint.ts'
import { envelopeSchema } from './envelope.ts'
import { slugValue } from './values.ts'

const OBSERVATIONS_MAX_ROWS = 1_000
const OBSERVATIONS_MAX_BYTES = 1024 * 1024
/** So many rows count as one request against the limit. */
const ROWS_PER_REQUEST = 100

const OBSERVATION_SIDES = ['sold', 'ask', 'quote'] as const

const optionalText = (most: number, description: string) => {
  const expected = `text of at most ${most} characters`
  return z.string({ error: expected }).trim().max(most, expected).optional().describe(description)
}
const LISTING_ID = 'your own number of the deal, 1 to 100 characters'
const AMOUNT = 'a whole number above 0, in minor units of the currency (cents)'
const CURRENCY = 'a currency code of three letters such as EUR'
const DATE = 'a day such as 2026-03-02 or an instant such as 2026-03-02T09:30:00Z'

/** One row. Rows are read one by one: each is accepted or refused for itself. */
export const observationRowSchema = z
  .object(
    {
      listing_id: z
        .string({ error: LISTING_ID })
        .trim()
        .min(1, LISTING_ID)
        .max(100, LISTING_ID)
        .describe('Your own number of the deal. The same number again replaces what was said of it, and counts once.'),
      variant_id: optionalText(150, 'The variant, where it is known. It decides alone.'),
      sku: optionalText(100, 'Its SKU in the registry, instead.'),
      part_number: optionalText(60, "The maker's part number, instead."),
      title: optionalText(300, 'A title or model name, instead; it is matched as `GET /api/match` does it.'),
      make: optionalText(60, 'Beside `title`: the make.'),
      storage: optionalText(30, 'Beside `title`: the storage, such as `128GB`.'),
      ram: optionalText(30, 'Beside `title`: the memory.'),
      color: optionalText(60, 'Beside `title`: the color.'),
      condition: z
        .string({ error: 'a grade or a word for one' })
        .trim()
        .min(1, 'a grade or a word for one')
        .max(60, 'a grade or a word for one')
        .describe(
          '`Excellent`, `Good`, `Fair`, `Poor`, or a word that the import knows for one of them; `damaged`, `broken` or `no power` for a defective device.',
        ),
      amount: z
        .int({ error: AMOUNT })
        .positive(AMOUNT)
        .max(100_000_000_000, AMOUNT)
        .describe('What was paid, asked or offered, in minor units of `currency`.'),
      currency: z
        .string({ error: CURRENCY })
        .toUpperCase()
        .pipe(currencyCode)
        .optional()
        .meta({
          description: 'ISO 4217 code.',
          override: { type: 'string', pattern: '^[A-Za-z]{3}$', default: 'USD' },
        }),
      observed_at: z
        .string({ error: DATE })
        .trim()
        .regex(/^\d{4}-\d{2}-\d{2}(T\S{4,30})?$/, DATE)
        .describe('Day or instant of the deal.'),
      side: z
        .enum(OBSERVATION_SIDES, { error: OBSERVATION_SIDES.join(', ') })
        .optional()
        .describe(
          '`sold`, also when absent: a deal that was made. `ask`: a price that is asked. `quote`: what was offered to a seller.',
        ),
      lock: optionalText(40, 'Carrier or lock, such as `unlocked`.'),
    },
    { error: 'an object that describes one deal' },
  )
  .meta({ id: 'ObservationRow', description: 'One price that was really named.' })

export type ObservationRowWire = z.output<typeof observationRowSchema>

const ROWS = `an array of 1 to ${OBSERVATIONS_MAX_ROWS} rows`

const observationsRequestSchema = z
  .object(
    {
      observations: z
        .array(z.unknown(), { error: ROWS })
        .min(1, ROWS)
        .max(OBSERVATIONS_MAX_ROWS, ROWS)
        .meta({
          description: `1 to ${OBSERVATIONS_MAX_ROWS} rows.`,
          override: ({ jsonSchema }) => {
            jsonSchema.items = { $ref: '#/components/schemas/ObservationRow' }
          },
        }),
    },
    { error: ROWS },
  )
  .meta({ id: 'ObservationsRequest', description: 'Prices that your organization saw.' })

function observationsCost(body: unknown): number {
  const rows = typeof body === 'object' && body !== null ? (body as { observations?: unknown }).observations : undefined
  return Array.isArray(rows) ? Math.ceil(Math.min(OBSERVATIONS_MAX_ROWS, rows.length) / ROWS_PER_REQUEST) : 1
}

const rowResultSchema = z
  .discriminatedUnion('accepted', [
    z.strictObject({
      index: z.int().min(0).describe('Place in the request, from 0.'),
      accepted: z.literal(true).describe('The row could be used.'),
      listing_id: z.string().describe('Your own number of the deal.'),
      device_id: slugValue.describe('The device it was taken for.'),
      variant_id: slugValue.nullable().describe('The variant; null where it fits several that differ in color alone.'),
      condition: z
        .string()
        .describe('The grade it was taken for; `damaged`, `broken` or `dead` for a defective device.'),
    }),
    z.strictObject({
      index: z.int().min(0).describe('Place in the request, from 0.'),
      accepted: z.literal(false).describe('The row could not be used.'),
      listing_id: z.string().nullable().describe('Your own number of the deal, where it could be read.'),
      reason: z.string().min(1).describe('Why, in words that are the same for equal reasons.'),
      detail: z.string().describe('What in the row it was, cut short; empty where there is nothing to show.'),
    }),
  ])
  .describe('What became of one row.')
  .meta({ id: 'ObservationResult' })

export type ObservationResultWire = z.infer<typeof rowResultSchema>

const contributionSchema = z
  .strictObject({
    run_id: z.string().min(1).describe('The record of this import.'),
    rows: z.int().min(1).describe('Rows that were sent.'),
    accepted: z.int().min(0).describe('Rows that could be used.'),
    written: z.int().min(0).describe('Of these, rows that said something new; the others were known already.'),
    rejected: z.int().min(0).describe('Rows that could not be used.'),
    rejected_by: z.record(z.string(), z.int().min(1)).describe('How many rows were refused for each reason.'),
    results: z.array(rowResultSchema).min(1).describe('Row by row, in the order of the request.'),
  })
  .describe('What became of the rows.')
  .refine((c) => c.rows === c.accepted + c.rejected && c.rows === c.results.length, 'the rows do not add up')
  .refine((c) => c.results.every((each, i) => each.index === i), 'results are not in the order of the request')
  .meta({ id: 'ObservationImportResult' })

export type ContributionWire = z.infer<typeof contributionSchema>

const exampleObservation = {
  listing_id: 'deal-2041',
  variant_id: 'apple-iphone-13-128gb-midnight',
  condition: 'Good',
  amount: 26_500,
  observed_at: '2026-03-01',
}

export const contributeObservations = defineEndpoint({
  id: 'contributeObservations',
  method: 'POST',
  isIdempotent: true,
  path: '/api/observations',
  tier: 'public',
  right: 'contribute',
  tag: 'Pricing',
  summary: 'Contribute prices',
  description: `Up to ${OBSERVATIONS_MAX_ROWS.toLocaleString('en-US')} prices that your organization saw, best of all deals that it made. They take the way of an imported price list: the same matching, the same gate, the same reasons for a refusal, a record among the imports; the source is your organization. The same \`listing_id\` again counts once, so a request can be repeated as it stands. Prices follow within a second or two. Needs a key that the operator gave the right to contribute; every ${ROWS_PER_REQUEST} rows begun count as one request against the limit.`,
  body: {
    schema: observationsRequestSchema,
    maxBytes: OBSERVATIONS_MAX_BYTES,
    name: 'observations',
    cost: observationsCost,
  },
  response: envelopeSchema(contributionSchema),
  examples: [
    {
      summary: 'A deal, and a row that names no device',
      body: {
        observations: [
          exampleObservation,
          { ...exampleObservation, listing_id: 'deal-2042', variant_id: 'apple-iphone-13-64gb' },
        ],
      },
      data: {
        run_id: 'imp_0f246810c52148df3',
        rows: 2,
        accepted: 1,
        written: 1,
        rejected: 1,
        rejected_by: { 'unknown variant': 1 },
        results: [
          {
            index: 0,
            accepted: true,
            listing_id: 'deal-2041',
            device_id: 'apple-iphone-13',
            variant_id: 'apple-iphone-13-128gb-midnight',
            condition: 'Good',
          },
          {
            index: 1,
            accepted: false,
            listing_id: 'deal-2042',
            reason: 'unknown variant',
            detail: 'apple-iphone-13-64gb',
          },
        ],
      },
    },
  ],
})
