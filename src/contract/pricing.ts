import { z } from 'zod'
import { CONDITIONS, conditionSchema } from './conditions.ts'
import { exchangeRateSchema } from './currency.ts'
import { cents, component, currency, dateValue, instant, optionalField, percent, slugValue } from './values.ts'

export const PRICING_TYPES = ['buyback', 'resale', 'both'] as const
export type PricingType = (typeof PRICING_TYPES)[number]
export const TRENDS = ['rising', 'stable', 'falling', 'unknown'] as const
/** What a market's prices rest on. */
export const MARKET_BASES = ['observed', 'borrowed', 'estimated'] as const
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
    description: 'Length of `historical` in days, rounded to whole weeks.',
    override: { type: 'integer', minimum: 1, maximum: HISTORY_DAYS.maximum, default: HISTORY_DAYS.default },
  })

const MARKET = 'a country code of two letters such as us, gb or hr, or eu'

const marketCode = z.string({ error: MARKET }).trim().min(1, MARKET).max(40, MARKET)
const marketMeta = {
  description:
    'Market whose prices to return: a country code such as `us`, `gb` or `hr`, or `eu`. Absent: the market of your organization, then that of the service. An unknown code is rejected with 400; the message suggests similar codes.',
  override: { type: 'string' as const, examples: ['hr'] },
}

export const marketParameter = marketCode.optional().meta(marketMeta)

export const marketField = optionalField(marketCode).meta(marketMeta)

/** Whether a device works with one carrier only. */
export const CARRIER_LOCKS = ['unlocked', 'locked'] as const
export type CarrierLock = (typeof CARRIER_LOCKS)[number]

const LOCK = CARRIER_LOCKS.join(' or ')
/** `carrier_locked` is the name of the defect. */
const readLock = (sent: unknown) => {
  if (sent === null) return undefined
  const word = typeof sent === 'string' ? sent.trim().toLowerCase().replaceAll('-', '_') : sent
  return word === 'carrier_locked' ? 'locked' : word
}

const lockType = { type: 'string' as const, enum: [...CARRIER_LOCKS] }

export const lockParameter = z
  .preprocess(readLock, z.enum(CARRIER_LOCKS, { error: LOCK }).optional())
  .transform((lock) => lock ?? 'unlocked')
  .meta({
    description: 'Carrier lock of the device to price. A carrier-locked device sells for less.',
    override: { ...lockType, default: 'unlocked' },
  })

/** In a body null counts as absent. */
export const lockField = z.preprocess(readLock, z.enum(CARRIER_LOCKS, { error: LOCK }).optional()).meta({
  description:
    'Carrier lock of the device. Absent: locked if the defect `carrier_locked` is listed or a source reports it.',
  override: lockType,
})

export const lockSchema = z
  .enum(CARRIER_LOCKS)
  .describe('Carrier lock of the device that the prices are for: `unlocked`, or `locked` to one carrier.')

const amount = cents.nullable()

const conditionAmountsSchema = z
  .strictObject({
    Excellent: amount.describe('US cents for grade Excellent.'),
    Good: amount.describe('US cents for grade Good.'),
    Fair: amount.describe('US cents for grade Fair.'),
    Poor: amount.describe('US cents for grade Poor.'),
  })
  .describe('Amount per grade in US cents, never higher for a worse grade. Null only if there is no basis for a price.')
  .refine((amounts) => {
    const byGrade = CONDITIONS.map((condition) => amounts[condition])
    return (
      byGrade.every((value) => value === null) ||
      byGrade.every((value, i) => value !== null && (i === 0 || value <= (byGrade[i - 1] ?? -1)))
    )
  }, 'a worse grade costs more than a better one, or only some amounts are null')
  .meta({ id: 'ConditionAmounts' })

const priceRangeSchema = z
  .strictObject({
    low: cents.describe('Lower end of the range.'),
    high: cents.describe('Upper end of the range.'),
  })
  .describe('Range expected to contain 80 % of single deals, in US cents.')
  .refine((range) => range.low <= range.high, 'low is above high')
  .meta({ id: 'PriceRange' })

const range = priceRangeSchema.nullable()

const priceIntervalsSchema = component('PriceIntervals', 'The 80 % range per grade; null if the amount is null.', {
  Excellent: range,
  Good: range,
  Fair: range,
  Poor: range,
})

const pricePointSchema = component('PricePoint', 'One week of one grade. Weeks without observations have no point.', {
  date: dateValue.describe('First day of the week (Monday).'),
  value: cents.describe('Median of the observations of that week, US cents.'),
  currency,
  condition: conditionSchema.describe('Grade of the observations.'),
})

const priceBlockFields = {
  current: conditionAmountsSchema,
  interval: priceIntervalsSchema,
  historical: z
    .array(pricePointSchema)
    .describe(
      'Weekly points of the last `history_days` days (default 26 weeks) in ascending order; only weeks with observations.',
    ),
  last_updated: instant.describe(
    'Time of the newest observation used; without any, the time of the market fit that the estimate comes from.',
  ),
  source: z
    .enum(PRICE_SOURCES)
    .describe(
      '`market`: observed prices of this variant. `estimate`: derived from related variants or from product line and age. `sample`: as `estimate`, with a simulated history.',
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
  .describe('Prices that trade-in businesses pay.')
  .refine(isAmountInInterval, 'an amount lies outside its interval')
  .refine(isHistoryAscending, 'historical is not ascending by date')
  .meta({ id: 'PriceBlock' })

export const resaleBlockSchema = z
  .strictObject({
    ...priceBlockFields,
    trend: z.enum(TRENDS).describe('Price trend of the last weeks; not a forecast.'),
    liquidity_score: percent.describe('Probability in percent of a sale within 28 days at this price.'),
  })
  .describe('Prices at which used devices sell.')
  .refine(isAmountInInterval, 'an amount lies outside its interval')
  .refine(isHistoryAscending, 'historical is not ascending by date')
  .meta({ id: 'ResaleBlock' })

export const priceMarketSchema = component('PriceMarket', 'The market whose prices these are.', {
  code: z
    .string()
    .regex(/^[a-z]{2}$/)
    .describe('Country code in lower case, or `eu`.'),
  basis: z
    .enum(MARKET_BASES)
    .describe(
      '`observed`: the price level was learned from prices of this market. `borrowed`: prices of other markets, moved to the level expected of this one. `estimated`: nothing was observed anywhere.',
    ),
  tax_included: z.boolean().describe('Whether prices of this market are shown with value added or sales tax.'),
  observations: z.int().min(0).describe('Observations of this market that its price level was learned from.'),
})

const SOURCE_KINDS = ['list', 'contributed', 'own'] as const

const priceSourceSchema = component('PriceSource', 'A source of the observations behind a price.', {
  name: z.string().nullable().describe('Name of an imported list; null for other kinds.'),
  kind: z
    .enum(SOURCE_KINDS)
    .describe(
      '`list`: a list that the operator imported. `contributed`: another organization. `own`: your own prices.',
    ),
  side: z.enum(['resale', 'buyback']).describe('The prices that it informs.'),
  observations: z.int().min(0).describe('Observations in use, without outliers.'),
  recent: z.int().min(0).describe('Of these, observations of the last seven days.'),
  newest: instant.describe('Time of the newest one.'),
  good: cents.nullable().describe('Median of those in Good condition, moved to today by the trend; null without one.'),
  weight: percent.describe('Share in percent of the observations of this side, by weight: newer ones count more.'),
})

const heldDealSchema = component('HeldDeal', 'A deal that does not count for prices.', {
  appraisal_id: z.string().describe('The appraisal whose outcome it is.'),
  side: z.enum(['resale', 'buyback']).describe('`buyback`: a purchase. `resale`: a sale.'),
  price: cents.describe('The recorded price.'),
  expected: cents.describe('What the same variant and grade costs otherwise.'),
  date: dateValue.describe('Day of the deal.'),
})

const LAUNCH_PRICE_BASES = ['list', 'announced', 'estimated'] as const
export type LaunchPriceBasis = (typeof LAUNCH_PRICE_BASES)[number]

export const variantPricingSchema = z
  .strictObject({
    variant_id: slugValue.describe('The requested variant.'),
    device_name: z.string().min(1).describe('Name of its device.'),
    variant_name: z.string().min(1).describe('Name of the variant.'),
    buyback: priceBlockSchema.optional().describe('Absent with `pricing_type=resale`.'),
    resale: resaleBlockSchema.optional().describe('Absent with `pricing_type=buyback`.'),
    market_confidence: percent.describe(
      'Confidence of the prices: 80 means about 5 % expected error, 60 about 10 %, 0 no basis.',
    ),
    data_points: z.int().min(0).describe('Number of observations of this variant in use, without outliers.'),
    source_count: z
      .int()
      .min(0)
      .describe(
        'Number of sources of these observations on the requested sides (`sources[].side`); one’s own prices count as one. A price of one source is that source’s price: compare before relying on it.',
      ),
    sources: z
      .array(priceSourceSchema)
      .describe('Sources of these observations, the one with most weight first; empty for an estimate.'),
    launch_price_basis: z
      .enum(LAUNCH_PRICE_BASES)
      .nullable()
      .describe(
        'Launch price behind an estimate. `list`: US list price. `announced`: price announced in another country, without tax. `estimated`: from specifications, make and product line, with a wider range. Null if there is none.',
      ),
    market: priceMarketSchema,
    held_deals: z
      .array(heldDealSchema)
      .optional()
      .describe(
        'Deals of your organization with this device that are far from its price and do not count until two of your prices of other days or lists agree, or until you release them (`release_price` of the outcome). Absent if there are none.',
      ),
    provisional: z
      .boolean()
      .describe(
        'True if many prices were imported since the markets were fitted: ranges and confidence are those of a price without observations until the fit, which runs within ten minutes.',
      ),
    fit: z
      .strictObject({
        as_of: instant.nullable().describe('Time of the last fit of the markets; null before the first one.'),
        observations_since: z.int().min(0).describe('Observations of all markets that were added since.'),
      })
      .describe('State of the fit that levels and ranges come from.')
      .meta({ id: 'MarketFit' }),
    lock: lockSchema,
    currency,
    exchange_rate: exchangeRateSchema.optional().describe('Present if `currency` is given and is not USD.'),
    method: z.string().min(1).describe('Version of the pricing engine.'),
  })
  .describe('Prices of one variant by condition grade.')
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
