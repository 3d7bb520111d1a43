import { z } from 'zod'
import { conditionSchema } from '../contract/conditions.ts'
import { getPricing } from '../contract/endpoints.ts'
import {
  priceBlockSchema,
  resaleBlockSchema,
  type VariantPricingWire,
  variantPricingSchema,
} from '../contract/pricing.ts'
import { defineTool, type Tool } from './tool-definition.ts'

const { variant_id, pricing_type, currency } = getPricing.query.shape
const pricingFields = variantPricingSchema.shape

/** Prices without their history: what a decision is made on. */
const block = z.object(priceBlockSchema.shape).omit({ historical: true })
const resaleBlock = z.object(resaleBlockSchema.shape).omit({ historical: true })

const priceDevice = defineTool({
  name: 'price_device',
  title: 'Price one variant',
  description:
    'What a variant is worth used, per grade of condition: buyback (what trade-in businesses pay) and resale (what it sells for), each with an 80 % range, in minor units (US cents unless another currency is asked for). Say where the numbers come from: source market is observed deals, estimate is derived, sample is simulated; market_confidence runs from 0 to 100.',
  tier: getPricing.tier,
  input: z.object({ variant_id, pricing_type: pricing_type.unwrap().optional(), currency }),
  output: z.object({
    variant_id: pricingFields.variant_id,
    device_name: pricingFields.device_name,
    variant_name: pricingFields.variant_name,
    buyback: block.optional(),
    resale: resaleBlock.optional(),
    market_confidence: pricingFields.market_confidence,
    data_points: pricingFields.data_points,
    currency: pricingFields.currency,
    exchange_rate: pricingFields.exchange_rate,
    method: pricingFields.method,
  }),
  createsRecord: false,
  toApiCall: (query) => ({ endpoint: getPricing, query }),
  summarize({ buyback, resale, ...pricing }: VariantPricingWire) {
    const { historical: _, ...buying } = buyback ?? { historical: [] }
    const { historical: __, ...selling } = resale ?? { historical: [] }
    return {
      ...pricing,
      ...(buyback ? { buyback: buying as z.input<typeof block> } : {}),
      ...(resale ? { resale: selling as z.input<typeof resaleBlock> } : {}),
    }
  },
})

const pointSchema = priceBlockSchema.shape.historical.element

const priceHistory = defineTool({
  name: 'price_history',
  title: 'How the price of a variant moved',
  description:
    'Weekly medians of a variant by grade, oldest first; weeks without observations have no point. A statement about the past, not a forecast. With source sample the history is simulated: say so.',
  tier: getPricing.tier,
  input: z.object({
    variant_id,
    pricing_type: z.enum(['buyback', 'resale']).optional().describe('Which price; resale when absent.'),
    condition: conditionSchema.optional().describe('Only this grade; all four when absent.'),
    history_days: z.int().min(1).max(3650).optional().describe('How far back to look; 182 when absent.'),
    currency,
  }),
  output: z.object({
    variant_id: pricingFields.variant_id,
    device_name: pricingFields.device_name,
    variant_name: pricingFields.variant_name,
    pricing_type: z.enum(['buyback', 'resale']),
    points: z.array(z.object(pointSchema.shape).omit({ currency: true })),
    source: priceBlockSchema.shape.source,
    market_confidence: pricingFields.market_confidence,
    currency: pricingFields.currency,
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
      variant_id: pricing.variant_id,
      device_name: pricing.device_name,
      variant_name: pricing.variant_name,
      pricing_type,
      points: historical
        .filter((point) => condition === undefined || point.condition === condition)
        .map(({ date, value, condition }) => ({ date, value, condition })),
      source,
      market_confidence: pricing.market_confidence,
      currency: pricing.currency,
      ...(pricing.resale ? { trend: pricing.resale.trend } : {}),
    }
  },
})

export const priceTools: readonly Tool[] = [priceDevice, priceHistory]
