import { z } from 'zod'
import { conditionSchema } from '../contract/conditions.ts'
import { getPricing } from '../contract/endpoints.ts'
import {
  lockField,
  priceBlockSchema,
  resaleBlockSchema,
  type VariantPricingWire,
  variantPricingSchema,
} from '../contract/pricing.ts'
import { type PricingBatchItemWire, priceVariants } from '../contract/pricing-batch.ts'
import { count, defineTool, pickFields, type Tool } from './tool-definition.ts'

const { variant_id, pricing_type, market, currency } = getPricing.query.shape
const pricingFields = variantPricingSchema.shape

const optionalGrade = z
  .enum(conditionSchema.options, { error: `one of ${conditionSchema.options.join(', ')}` })
  .optional()

/** Prices without their history, which a decision does not need. */
const block = z.object(priceBlockSchema.shape).omit({ historical: true })
const resaleBlock = z.object(resaleBlockSchema.shape).omit({ historical: true })

const priceDevice = defineTool({
  name: 'price_device',
  title: 'Price one variant',
  description:
    'Used prices of a variant by grade: buyback (what trade-in businesses pay) and resale (selling price), each with an 80 % range. State the source: market is observed, estimate is derived, sample is simulated. market_confidence is 0 to 100.',
  tier: getPricing.tier,
  input: z.object({ variant_id, pricing_type: pricing_type.unwrap().optional(), market, lock: lockField, currency }),
  output: z.object({ ...pricingFields, buyback: block.optional(), resale: resaleBlock.optional() }),
  createsRecord: false,
  toApiCall: (query) => ({ endpoint: getPricing, query }),
  summarize: (pricing: VariantPricingWire) => pricing,
})

const MAX_BATCH = 50
const EXPECTED_IDS = `an array of 1 to ${MAX_BATCH} ids of variants`

const priceDevices = defineTool({
  name: 'price_devices',
  title: 'Price many variants',
  description: `Resale and buyback prices of up to ${MAX_BATCH} variants in one grade, each with 80 % range, source and confidence, or an error. Each variant counts as one request.`,
  tier: priceVariants.tier,
  input: z.object({
    variant_ids: z
      .array(z.string({ error: EXPECTED_IDS }), { error: EXPECTED_IDS })
      .min(1, EXPECTED_IDS)
      .max(MAX_BATCH, EXPECTED_IDS)
      .describe(`1 to ${MAX_BATCH} ids of variants.`),
    condition: optionalGrade.describe('Default Good.'),
    market,
    lock: lockField,
    currency,
  }),
  output: z.object({
    condition: conditionSchema,
    prices: z.array(
      z.object({
        variant_id: z.string(),
        device_name: z.string().optional(),
        buyback: z.int().nullable().optional(),
        resale: z.int().nullable().optional(),
        resale_range: z.object({ low: z.int(), high: z.int() }).optional(),
        source: z.string().optional(),
        market_confidence: z.number().optional(),
        currency: z.string().optional(),
        error: z.string().optional(),
      }),
    ),
  }),
  createsRecord: false,
  toApiCall: ({ condition: _, ...body }) => ({ endpoint: priceVariants, body }),
  summarize: (items: PricingBatchItemWire[], _meta, { variant_ids, condition = 'Good' }) => ({
    condition,
    prices: items.map((item, index) => {
      if (!item.success) return { variant_id: variant_ids[index] ?? '', error: item.error.message }
      const { variant_id, device_name, buyback, resale, market_confidence, currency } = item.result
      const range = resale?.interval[condition]
      return {
        variant_id,
        device_name,
        buyback: buyback?.current[condition] ?? null,
        resale: resale?.current[condition] ?? null,
        ...(range ? { resale_range: range } : {}),
        ...(resale ? { source: resale.source } : {}),
        market_confidence,
        currency,
      }
    }),
  }),
})

const pointSchema = priceBlockSchema.shape.historical.element

const priceHistory = defineTool({
  name: 'price_history',
  title: 'Price history of a variant',
  description:
    'Weekly median prices of a variant by grade, oldest first; weeks without observations have no point. If source is sample, the history is simulated: say so.',
  tier: getPricing.tier,
  input: z.object({
    variant_id,
    pricing_type: z.enum(['buyback', 'resale'], { error: 'buyback or resale' }).optional().describe('Default resale.'),
    condition: optionalGrade.describe('Default all four.'),
    history_days: count('Default 182.', 3650),
    currency,
  }),
  output: z.object({
    ...pickFields(pricingFields, 'variant_id', 'device_name', 'variant_name'),
    pricing_type: z.enum(['buyback', 'resale']),
    points: z.array(z.object(pointSchema.shape).omit({ currency: true })),
    source: priceBlockSchema.shape.source,
    ...pickFields(pricingFields, 'market_confidence', 'currency'),
    trend: resaleBlockSchema.shape.trend.optional(),
  }),
  createsRecord: false,
  toApiCall: ({ condition: _, pricing_type = 'resale', ...query }) => ({
    endpoint: getPricing,
    query: { ...query, pricing_type },
  }),
  summarize(pricing: VariantPricingWire, _meta, { pricing_type = 'resale', condition }) {
    const { historical = [], source = 'estimate' } = pricing[pricing_type] ?? {}
    return {
      ...pricing,
      pricing_type,
      points: historical.filter((point) => condition === undefined || point.condition === condition),
      source,
      ...(pricing.resale ? { trend: pricing.resale.trend } : {}),
    }
  },
})

export const priceTools: readonly Tool[] = [priceDevice, priceDevices, priceHistory]
