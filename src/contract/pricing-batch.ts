import { z } from 'zod'
import { currencyField } from './currency.ts'
import { defineEndpoint } from './endpoint.ts'
import { envelopeSchema } from './envelope.ts'
import { batchItemSchema } from './errors.ts'
import { examplePricing } from './examples.ts'
import { lockParameter, marketField, PRICING_TYPES, variantPricingSchema } from './pricing.ts'

const PRICING_BATCH_MAX_ITEMS = 200
const PRICING_BATCH_MAX_BYTES = 64 * 1024

const EXPECTED_IDS = `an array of 1 to ${PRICING_BATCH_MAX_ITEMS} ids of variants`

/** The ids are looked up one by one: each is priced or refused for itself. */
const pricingBatchRequestSchema = z
  .object(
    {
      variant_ids: z
        .array(z.unknown(), { error: EXPECTED_IDS })
        .min(1, EXPECTED_IDS)
        .max(PRICING_BATCH_MAX_ITEMS, EXPECTED_IDS)
        .meta({
          description: `1 to ${PRICING_BATCH_MAX_ITEMS} ids of variants. Each counts as one request against the limit.`,
          override: ({ jsonSchema }) => {
            jsonSchema.items = { type: 'string' }
          },
        }),
      pricing_type: z
        .enum(PRICING_TYPES, { error: PRICING_TYPES.join(', ') })
        .default('both')
        .describe('Price blocks to return.'),
      market: marketField,
      lock: lockParameter,
      currency: currencyField,
    },
    { error: 'an object with variant_ids' },
  )
  .meta({ id: 'PricingBatchRequest', description: 'The variants to price.' })

/** What a batch counts for: every item, whether it turns out well or not. */
function pricingBatchCost(body: unknown): number {
  const ids = typeof body === 'object' && body !== null ? (body as { variant_ids?: unknown }).variant_ids : undefined
  return Array.isArray(ids) ? Math.min(PRICING_BATCH_MAX_ITEMS, Math.max(1, ids.length)) : 1
}

const pricingBatchItemSchema = batchItemSchema(variantPricingSchema, 'PricingBatchItem')

export type PricingBatchItemWire = z.infer<typeof pricingBatchItemSchema>

export const priceVariants = defineEndpoint('POST /api/pricing/batch', {
  id: 'priceVariants',
  isIdempotent: true,
  tier: 'paid',
  tag: 'Pricing',
  summary: `Price up to ${PRICING_BATCH_MAX_ITEMS} variants`,
  description:
    'One result or error per variant, in the order of the request; each result equals that of `GET /api/pricing`. Each id counts as one request against the rate limit. If fewer requests are left than there are ids, the whole batch is rejected with 429.',
  body: {
    schema: pricingBatchRequestSchema,
    maxBytes: PRICING_BATCH_MAX_BYTES,
    name: 'variant_ids',
    cost: pricingBatchCost,
  },
  response: envelopeSchema(
    z
      .array(pricingBatchItemSchema)
      .min(1)
      .max(PRICING_BATCH_MAX_ITEMS)
      .refine((items) => items.every((item, i) => item.index === i), 'items are not in the order of the request'),
  ),
  examples: [
    {
      summary: 'Two variants, one of them unknown',
      body: { variant_ids: [examplePricing.variant_id, 'apple-iphone-13-64gb-midnight'] },
      data: [
        { index: 0, success: true, result: examplePricing },
        {
          index: 1,
          success: false,
          error: {
            code: 'NOT_FOUND',
            message:
              'Variant apple-iphone-13-64gb-midnight was not found. Did you mean apple-iphone-13-128gb-midnight?',
            nearest_ids: ['apple-iphone-13-128gb-midnight'],
          },
        },
      ],
    },
  ],
})
