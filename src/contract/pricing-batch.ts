import { z } from 'zod'
import { batchCost, batchItems, batchResponse } from './batch.ts'
import { currencyField } from './currency.ts'
import { defineEndpoint } from './endpoint.ts'
import { batchItemSchema } from './errors.ts'
import { examplePricing } from './examples.ts'
import { lockParameter, marketField, PRICING_TYPES, variantPricingSchema } from './pricing.ts'

const PRICING_BATCH_MAX_ITEMS = 200
const PRICING_BATCH_MAX_BYTES = 64 * 1024

const EXPECTED_IDS = `an array of 1 to ${PRICING_BATCH_MAX_ITEMS} ids of variants`

const pricingBatchRequestSchema = z
  .object(
    {
      variant_ids: batchItems(
        PRICING_BATCH_MAX_ITEMS,
        EXPECTED_IDS,
        `1 to ${PRICING_BATCH_MAX_ITEMS} ids of variants. Each counts as one request against the limit.`,
        { type: 'string' },
      ),
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

const pricingBatchItemSchema = batchItemSchema(variantPricingSchema, 'PricingBatchItem')

export type PricingBatchItemWire = z.infer<typeof pricingBatchItemSchema>

export const priceVariants = defineEndpoint('POST /api/pricing/batch', {
  id: 'priceVariants',
  permission: 'prices:read',
  isIdempotent: true,
  tag: 'Pricing',
  summary: `Price up to ${PRICING_BATCH_MAX_ITEMS} variants`,
  description:
    'One result or error per variant, in the order of the request; each result equals that of `GET /api/pricing`. Each id counts as one request against the rate limit. If fewer requests are left than there are ids, the whole batch is rejected with 429.',
  body: {
    schema: pricingBatchRequestSchema,
    maxBytes: PRICING_BATCH_MAX_BYTES,
    name: 'variant_ids',
    cost: batchCost('variant_ids', PRICING_BATCH_MAX_ITEMS),
  },
  response: batchResponse(pricingBatchItemSchema, PRICING_BATCH_MAX_ITEMS),
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
