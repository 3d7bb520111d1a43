import { z } from 'zod'
import { CONDITIONS, conditionSchema } from './conditions.ts'
import { exchangeRateSchema } from './currency.ts'
import { cents, currency, dateValue, instant, percent, slugValue } from './values.ts'

export const PRICING_TYPES = ['buyback', 'resale', 'both'] as const
export type PricingType = (typeof PRICING_TYPES)[number]
export const TRENDS = ['rising', 'stable', 'falling', 'unknown'] as const
export const PRICE_SOURCES = ['market', 'estimate', 'sample'] as const

/** How far back `historical` goes, in days; the default are the 26 weeks it has always had. */
export const HISTORY_DAYS = { default: 182, maximum: 3_650 } as const

export const historyDaysParameter = z
  .string()
  .refine((text) => /^[1-9][0-9]{0,3}$/.test(text) && Number(text) <= HISTORY_DAYS.maximum, {
    error: `a whole number from 1 to ${HISTORY_DAYS.maximum}`,
  })
  .optional()
  .transform((text) => (text === undefined ? HISTORY_DAYS.default : Number(text)))
  .meta({
    description: 'How many days back `historical` goes, in whole weeks. It changes nothing else.',
    override: { type: 'integer', minimum: 1, maximum: HISTORY_DAYS.maximum, default: HISTORY_DAYS.default },
  })

const amount = cents.nullable()

const conditionAmountsSchema = z
  .strictObject({
    Excellent: amount.describe('US cents for grade Excellent.'),
    Good: amount.describe('US cents for grade Good.'),
    Fair: amount.describe('US cents for grade Fair.'),
    Poor: amount.describe('US cents for grade Poor.'),
  })
  .describe(
    'Amount per grade in US cents, a worse grade never above a better one. Null only when there is no basis at all for a price.',
  )
  .refine((amounts) => {
    const known = CONDITIONS.map((condition) => amounts[condition])
    return (
      known.every((value) => value === null) ||
      known.every((value, i) => value !== null && (i === 0 || value <= (known[i - 1] ?? -1)))
    )
  }, 'a worse grade costs more than a better one, or only some amounts are null')
  .meta({ id: 'ConditionAmounts' })

const priceRangeSchema = z
  .strictObject({
    low: cents.describe('Lower end of the range.'),
    high: cents.describe('Upper end of the range.'),
  })
  .describe('The range that should hold 80 % of single deals, in US cents.')
  .refine((range) => range.low <= range.high, 'low is above high')
  .meta({ id: 'PriceRange' })

const range = priceRangeSchema.nullable()

const priceIntervalsSchema = z
  .strictObject({ Excellent: range, Good: range, Fair: range, Poor: range })
  .describe('The 80 % range per grade; null where the amount is null.')
  .meta({ id: 'PriceIntervals' })

const pricePointSchema = z
  .strictObject({
    date: dateValue.describe('First day of the week (Monday).'),
    value: cents.describe('Median of the observations of that week, US cents.'),
    currency,
    condition: conditionSchema.describe('Grade of the observations.'),
  })
  .describe('One week of one grade. Weeks without observations have no point.')
  .meta({ id: 'PricePoint' })

const priceBlockFields = {
  current: conditionAmountsSchema,
  interval: priceIntervalsSchema,
  historical: z
    .array(pricePointSchema)
    .describe(
      'Weekly points of the last `history_days` days (26 weeks unless asked otherwise), ascending by date; only weeks that have observations.',
    ),
  last_updated: instant.nullable().describe('Time of the newest observation used; null when none was.'),
  source: z
    .enum(PRICE_SOURCES)
    .describe(
      '`market`: observed deals of this variant. `estimate`: no observations of its own, derived from siblings or from line and age. `sample`: as `estimate`, beside a history that is simulated and not of real deals.',
    ),
}

type CheckedBlock = {
  current: Record<(typeof CONDITIONS)[number], number | null>
  interval: Record<(typeof CONDITIONS)[number], { low: number; high: number } | null>
  historical: { date: string }[]
}

const isAmountInInterval = (block: CheckedBlock) =>
  CONDITIONS.every((condition) => {
    const value = block.current[condition]
    const interval = block.interval[condition]
    if (value === null || interval === null) return value === null && interval === null
    return interval.low <= value && value <= interval.high
  })
const isHistoryAscending = (block: CheckedBlock) =>
  block.historical.every((point, i) => i === 0 || (block.historical[i - 1]?.date ?? '') <= point.date)

export const priceBlockSchema = z
  .strictObject(priceBlockFields)
  .describe('What a trade-in business pays for the device.')
  .refine(isAmountInInterval, 'an amount lies outside its interval')
  .refine(isHistoryAscending, 'historical is not ascending by date')
  .meta({ id: 'PriceBlock' })

export const resaleBlockSchema = z
  .strictObject({
    ...priceBlockFields,
    trend: z
      .enum(TRENDS)
      .describe('Where prices went over the last weeks. A statement about the past, not a forecast.'),
    liquidity_score: percent.describe('Chance in percent to sell within 28 days at the given price.'),
  })
  .describe('What the device sells for, used.')
  .refine(isAmountInInterval, 'an amount lies outside its interval')
  .refine(isHistoryAscending, 'historical is not ascending by date')
  .meta({ id: 'ResaleBlock' })

export const variantPricingSchema = z
  .strictObject({
    variant_id: slugValue.describe('The variant asked for.'),
    device_name: z.string().min(1).describe('Name of its device.'),
    variant_name: z.string().min(1).describe('Name of the variant.'),
    buyback: priceBlockSchema.optional().describe('Absent with `pricing_type=resale`.'),
    resale: resaleBlockSchema.optional().describe('Absent with `pricing_type=buyback`.'),
    market_confidence: percent.describe(
      'How sure the prices are: 80 means about 5 % expected error, 60 about 10 %, 0 no basis.',
    ),
    data_points: z.int().min(0).describe('Observations of this variant that really entered, after outliers.'),
    currency,
    exchange_rate: exchangeRateSchema.optional().describe('Only with `currency`, and not for US dollars.'),
    method: z.string().min(1).describe('Version of the pricing engine that made the numbers.'),
  })
  .describe('What one variant is worth, by grade of condition.')
  .refine(
    ({ buyback, resale }) =>
      !buyback ||
      !resale ||
      CONDITIONS.every((condition) => (buyback.current[condition] ?? 0) <= (resale.current[condition] ?? Infinity)),
    'buyback is above resale',
  )
  .refine(({ buyback, resale }) => buyback || resale, 'neither buyback nor resale')
  .meta({ id: 'VariantPricing' })

export type PriceBlockWire = z.infer<typeof priceBlockSchema>
export type ResaleBlockWire = z.infer<typeof resaleBlockSchema>
export type VariantPricingWire = z.infer<typeof variantPricingSchema>
