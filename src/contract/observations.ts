import { z } from 'zod'
import { batchRequest, listInBody } from './batch.ts'
import { currencyCode } from './currency.ts'
import { defineEndpoint } from './endpoint.ts'
import { envelopeSchema } from './envelope.ts'
import { undoneImportSchema } from './imports.ts'
import { defineManagementEndpoint } from './management-shared.ts'
import { confirmAmountField, isDayInRange, slugValue } from './values.ts'

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

/** One row. Each row is accepted or rejected for itself. */
export const observationRowSchema = z
  .object(
    {
      listing_id: z
        .string({ error: LISTING_ID })
        .trim()
        .min(1, LISTING_ID)
        .max(100, LISTING_ID)
        .describe('Your id of the deal. A row with the same id replaces the earlier one.'),
      variant_id: optionalText(150, 'The variant, if known; takes precedence over the fields below.'),
      sku: optionalText(100, 'Instead of `variant_id`: SKU in the registry.'),
      part_number: optionalText(60, 'Instead of `variant_id`: manufacturer part number.'),
      title: optionalText(300, 'Instead of `variant_id`: listing title or model name, matched like `GET /api/match`.'),
      make: optionalText(60, 'With `title`: the make.'),
      storage: optionalText(30, 'With `title`: the storage, such as `128GB`.'),
      ram: optionalText(30, 'With `title`: the memory.'),
      color: optionalText(60, 'With `title`: the color.'),
      condition: z
        .string({ error: 'a grade or a word for one' })
        .trim()
        .min(1, 'a grade or a word for one')
        .max(60, 'a grade or a word for one')
        .describe(
          '`Excellent`, `Good`, `Fair`, `Poor`, or another grade word known to the import; `damaged`, `broken` or `no power` for a defective device.',
        ),
      amount: z
        .int({ error: AMOUNT })
        .positive(AMOUNT)
        .max(100_000_000_000, AMOUNT)
        .describe('Amount paid, asked or offered, in minor units of `currency`.'),
      confirm_amount: confirmAmountField.describe(
        'True if the amount is right although it is far from what launch price and existing prices allow. The row is stored, and counts for prices once two other prices agree with it.',
      ),
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
        .refine((text) => isDayInRange(text.slice(0, 10)), DATE)
        .describe('Date or time of the deal.'),
      side: z
        .enum(OBSERVATION_SIDES, { error: OBSERVATION_SIDES.join(', ') })
        .optional()
        .describe('`sold` (default): a completed deal. `ask`: an asking price. `quote`: an offer made to a seller.'),
      country: optionalText(
        60,
        "Country of the deal, such as `hr`. Absent: the currency's, or your organization's market.",
      ),
      lock: optionalText(40, 'Carrier or lock, such as `unlocked`.'),
    },
    { error: 'an object that describes one deal' },
  )
  .meta({ id: 'ObservationRow', description: 'One observed price.' })

export type ObservationRowWire = z.output<typeof observationRowSchema>

const observationsRequestSchema = batchRequest({
  id: 'ObservationsRequest',
  description: 'Prices observed by your organization.',
  field: 'observations',
  max: OBSERVATIONS_MAX_ROWS,
  kind: 'rows',
  contents: 'rows.',
  itemId: 'ObservationRow',
  item: observationRowSchema,
})

function observationsCost(body: unknown): number {
  const rows = listInBody(body, 'observations')
  return rows ? Math.ceil(Math.min(OBSERVATIONS_MAX_ROWS, rows.length) / ROWS_PER_REQUEST) : 1
}

const rowResultSchema = z
  .discriminatedUnion('accepted', [
    z.strictObject({
      index: z.int().min(0).describe('Position in the request, from 0.'),
      accepted: z.literal(true).describe('The row was accepted.'),
      listing_id: z.string().describe('Your id of the deal.'),
      device_id: slugValue.describe('The matched device.'),
      variant_id: slugValue.nullable().describe('The variant; null if several fit that differ only in color.'),
      condition: z.string().describe('The recognized grade; `damaged`, `broken` or `dead` for a defective device.'),
    }),
    z.strictObject({
      index: z.int().min(0).describe('Position in the request, from 0.'),
      accepted: z.literal(false).describe('The row was rejected.'),
      listing_id: z.string().nullable().describe('Your id of the deal, if it could be read.'),
      reason: z.string().min(1).describe('Code of the reason.'),
      message: z.string().describe('The reason in English.'),
      detail: z.string().describe('The offending value, shortened; empty if there is none.'),
    }),
  ])
  .describe('Result of one row.')
  .meta({ id: 'ObservationResult' })

export type ObservationResultWire = z.infer<typeof rowResultSchema>

const contributionSchema = z
  .strictObject({
    run_id: z.string().min(1).describe('Id of this import.'),
    rows: z.int().min(1).describe('Number of rows sent.'),
    accepted: z.int().min(0).describe('Number of accepted rows.'),
    written: z.int().min(0).describe('Accepted rows with new information; the others were already stored.'),
    rejected: z.int().min(0).describe('Number of rejected rows.'),
    rejected_by: z.record(z.string(), z.int().min(1)).describe('Number of rejected rows per code of the reason.'),
    results: z.array(rowResultSchema).min(1).describe('Result per row, in the order of the request.'),
  })
  .describe('Result of an import of observations.')
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

export const contributeObservations = defineEndpoint('POST /api/observations', {
  id: 'contributeObservations',
  permission: 'prices:contribute',
  isIdempotent: true,
  tag: 'Pricing',
  summary: 'Contribute prices',
  description: `Up to ${OBSERVATIONS_MAX_ROWS.toLocaleString('en-US')} prices observed by your organization, preferably its own deals. They are processed like an imported price list: same matching, same checks, same reject reasons, and listed among the imports with your organization as the source. A repeated \`listing_id\` counts once, so a request can be retried. Prices are updated within seconds. Needs a key with the right to contribute; each started ${ROWS_PER_REQUEST} rows count as one request against the rate limit.`,
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
        rejected_by: { unknown_variant: 1 },
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
            reason: 'unknown_variant',
            message: 'unknown variant',
            detail: 'apple-iphone-13-64gb',
          },
        ],
      },
    },
  ],
})

export const removeObservations = defineManagementEndpoint('DELETE /api/observations', {
  id: 'removeObservations',
  permission: 'service:operate',
  summary: 'Remove the prices of a source',
  description:
    'Deletes all price observations of a source, such as a contributor, and recalculates prices without them. To remove one import of it, undo that import.',
  query: z.object({
    source: z.string({ error: 'the name of a source' }).min(1, 'the name of a source').describe('Name of the source.'),
  }),
  response: envelopeSchema(undoneImportSchema),
  examples: [
    {
      summary: 'A contributor who sent wrong prices',
      query: { source: 'marketplace' },
      data: { observations: 118, restored: 0, devices: 31 },
    },
  ],
})
