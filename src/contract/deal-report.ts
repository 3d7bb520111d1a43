import { z } from 'zod'
import { sheetFormatParameters } from './csv-format.ts'
import { currencyCode, currencyParameter, exchangeRateSchema } from './currency.ts'
import { defineEndpoint, optionalText } from './endpoint.ts'
import { envelopeSchema } from './envelope.ts'
import { exampleDealReport } from './examples.ts'
import { component, dateValue, dayParameter, slugValue, timeZoneValue } from './values.ts'

export const REPORT_MAX_MONTHS = 36
/** Fewer sales say little about a forecast. */
export const MIN_SALES_TO_JUDGE = 20
export const RANGE_SHARE = 0.8
export const REPORT_MAX_POINTS = 500

const money = z.int()
const count = z.int().min(0)

const boughtSchema = component('DealPurchases', 'Purchases.', {
  count: count.describe('Devices bought.'),
  amount: money.describe('Money paid for them.'),
})

const soldSchema = z
  .strictObject({
    count: count.describe('Devices sold.'),
    amount: money.describe('Money received for them.'),
    cost: money.describe('Purchase price of the sold devices, and their costs in stock.'),
    profit: money.describe(
      '`amount` − `cost`. Fees and taxes are deducted only if they were entered as costs in stock.',
    ),
    margin_percent: z.number().nullable().describe('`profit` in percent of `amount`; null without sales.'),
    median_days_held: z.number().nullable().describe('Median days between purchase and sale; null without sales.'),
  })
  .refine(({ amount, cost, profit }) => amount - cost === profit, 'the profit does not add up')
  .describe('Sales.')
  .meta({ id: 'DealSales' })

const declinedSchema = component('DealsDeclined', 'Declined offers.', {
  count: count.describe('Appraisals without a deal.'),
  by_shop: count.describe('Declined by you.'),
  by_customer: count.describe('Declined by the customer.'),
})

const MONTH = /^\d{4}-\d{2}$/
const totals = { bought: boughtSchema, sold: soldSchema, declined: declinedSchema }

export const REPORT_GROUPS = ['employee', 'device', 'channel'] as const
export type ReportGroup = (typeof REPORT_GROUPS)[number]
export const REPORT_MAX_GROUPS = 500

const groupSchema = component('DealGroup', 'Deals of one employee, device or channel.', {
  key: z
    .string()
    .nullable()
    .describe('Id of the person or key, id of the device, or name of the channel; null if not recorded.'),
  name: z.string().nullable().describe('Name of the person, key, device or channel; null if not recorded.'),
  ...totals,
})

const ageingSchema = component('StockAge', 'Devices in stock by age.', {
  min_days: count.describe('Days in stock, at least.'),
  max_days: count.nullable().describe('Days in stock, at most; null without limit.'),
  ...boughtSchema.shape,
  expected_profit: money.describe(
    'Sale prices that the appraisals forecast minus the prices paid, of the devices that have a forecast in the currency of the purchase.',
  ),
})

const verdict = <const Values extends readonly [string, ...string[]]>(values: Values, description: string) =>
  z.enum(['too_few', ...values]).describe(description)

const forecastSchema = component('DealForecasts', 'Forecast against outcome.', {
  offers: z
    .strictObject({
      deals: count.describe('Purchases whose appraisal recommended an offer.'),
      recommended: money.describe('Sum of the recommended offers.'),
      paid: money.describe('Sum of the prices paid.'),
      above_offer: count.describe('Purchases above the recommended offer.'),
      median_difference_percent: z
        .number()
        .nullable()
        .describe('Median of (paid − recommended) in percent of the recommended offer.'),
    })
    .describe('Recommended offer against the price paid, for purchases in the period.'),
  sales: z
    .strictObject({
      sales: count.describe('Sales whose appraisal forecast a sale price.'),
      forecast: money.describe('Sum of the forecast sale prices.'),
      sold: money.describe('Sum of the prices received.'),
      median_error_percent: z
        .number()
        .nullable()
        .describe('Median of (sold − forecast) in percent of the forecast: positive if devices sell for more.'),
      median_absolute_error_percent: z.number().nullable().describe('Median of its absolute value.'),
    })
    .describe('Forecast sale price against the price received, for sales in the period.'),
  range: z
    .strictObject({
      sales: count.describe('Sales of devices that were sold as appraised, with a price range.'),
      inside: count.describe('Sales inside the 80 % range.'),
      below: count.describe('Sales below the range.'),
      above: count.describe('Sales above the range.'),
      share: z.number().nullable().describe('Share inside the range; null without sales.'),
      expected_share: z.literal(RANGE_SHARE).describe('Share that the range is meant to contain.'),
      expected_low: count.describe('Lower end of the number inside that chance explains (95 %) if the range is right.'),
      expected_high: count.describe(
        'Upper end of the number inside that chance explains (95 %) if the range is right.',
      ),
      verdict: verdict(
        ['as_forecast', 'too_narrow', 'too_wide'],
        `\`too_few\`: fewer than ${MIN_SALES_TO_JUDGE} sales. \`too_narrow\`: fewer sales inside than chance explains.`,
      ),
    })
    .refine(({ sales, inside, below, above }) => sales === inside + below + above, 'the sales do not add up')
    .describe('Sales inside and outside the forecast 80 % range.'),
  losses: z
    .strictObject({
      sales: count.describe('Sales whose appraisal forecast costs and a profit.'),
      lost: count.describe('Sales below the price paid plus the forecast costs.'),
      expected: z.number().describe('Sum of the probabilities of a loss at the prices that were paid.'),
      expected_low: z.number().describe('Lower end of the number of losses that chance explains (95 %).'),
      expected_high: z.number().describe('Upper end.'),
      below_cost: count.describe('Sales below the price paid, without any costs.'),
      verdict: verdict(
        ['as_forecast', 'more_losses', 'fewer_losses'],
        `\`too_few\`: fewer than ${MIN_SALES_TO_JUDGE} sales.`,
      ),
    })
    .describe('How often money was lost, against the forecast probability.'),
  excluded: z
    .strictObject({
      sample: count.describe('Deals whose appraisal used simulated data.'),
      no_forecast: count.describe('Sales whose appraisal forecast no sale price.'),
    })
    .describe('Deals that are not compared.'),
  points: z
    .array(
      z.strictObject({
        appraisal_id: z.string().describe('The appraisal.'),
        device_id: slugValue.nullable().describe('Device, if identified.'),
        date: dateValue.describe('Day of the sale.'),
        forecast: money.describe('Forecast sale price.'),
        low: money.nullable().describe('Lower end of the 80 % range; null without a range.'),
        high: money.nullable().describe('Upper end.'),
        sold: money.describe('Price received.'),
        bought: money.describe('Price paid.'),
      }),
    )
    .max(REPORT_MAX_POINTS)
    .describe(`The newest ${REPORT_MAX_POINTS} compared sales, newest first.`),
})

export const dealReportSchema = z
  .strictObject({
    from: dateValue.describe('First day.'),
    to: dateValue.describe('Last day.'),
    currency: currencyCode.describe('Currency of all amounts, which are in its minor units.'),
    exchange_rates: z
      .array(
        z.strictObject({
          currency: currencyCode.describe('Currency of some deals.'),
          exchange_rate: exchangeRateSchema.nullable().describe('The newest rate that was used; null for US dollars.'),
        }),
      )
      .describe(
        'Currencies that were converted, deal by deal, by the newest rate on or before the day of the deal; usually empty.',
      ),
    totals: z.strictObject(totals).describe('The whole period.'),
    in_stock: boughtSchema.describe('Devices that are bought and not sold as of today, whatever the day of purchase.'),
    ageing: z.array(ageingSchema).describe('The devices in stock by days since the purchase, youngest first.'),
    previous_year: z
      .strictObject({
        from: dateValue.describe('First day.'),
        to: dateValue.describe('Last day.'),
        ...totals,
      })
      .nullable()
      .describe('The same days one year earlier; null unless `compare=previous_year`.'),
    groups: z
      .array(groupSchema)
      .max(REPORT_MAX_GROUPS)
      .describe(
        `The period by \`by\`, highest profit first, at most ${REPORT_MAX_GROUPS}; empty without \`by\`. A purchase counts for who recorded it, a sale likewise; only sales have a channel.`,
      ),
    months: z
      .array(z.strictObject({ month: z.string().regex(MONTH).describe('Calendar month.'), ...totals }))
      .describe('Each month of the period; purchases by the day of the purchase, sales by the day of the sale.'),
    forecast: forecastSchema,
  })
  .refine(
    ({ months, totals: whole }) =>
      (['count', 'amount'] as const).every(
        (each) =>
          months.reduce((sum, { bought }) => sum + bought[each], 0) === whole.bought[each] &&
          months.reduce((sum, { sold }) => sum + sold[each], 0) === whole.sold[each],
      ),
    'the months do not add up',
  )
  .describe('Purchases, sales and declined offers of a period, and how good the forecasts were.')
  .meta({ id: 'DealReport' })

export type DealReportWire = z.infer<typeof dealReportSchema>

const day = (description: string) => dayParameter.optional().describe(description)

export const getDealReport = defineEndpoint('GET /api/reports/deals', {
  id: 'getDealReport',
  permission: 'reports:read',
  tag: 'Appraisals',
  summary: 'Report on your deals',
  description:
    "Deals by month, money in and out, margin and days held, from the outcomes of your organization's appraisals, and forecast against outcome: recommended offer and price paid, forecast and actual sale price, how many sales were inside the 80 % range, and how often money was lost. Amounts are in one currency; deals in other currencies are converted by the exchange rate of their day, the newest on or before it. With `format=csv` or `format=xlsx` the deals of the period, one per line: what a margin scheme asks for (stock number, seller kind, days, prices, margin), and the forecast. Clerks need an organization that shows them margins.",
  query: z.object({
    from: day('First day. Default: the first day of the month eleven months before `to`.'),
    to: day('Last day. Default: today in `time_zone`.'),
    time_zone: timeZoneValue
      .optional()
      .describe(
        'Time zone of the default of `to`, such as `Europe/Vilnius`. Default: UTC. Deals have a day but no time.',
      ),
    currency: currencyParameter.describe(
      "Currency of the report. Default: the currency of your organization's policy.",
    ),
    by: z
      .enum(REPORT_GROUPS, { error: `one of ${REPORT_GROUPS.join(', ')}` })
      .optional()
      .describe('Adds the deals by employee, device or channel as `groups`.'),
    employee: optionalText().describe(
      'Only what this person or key recorded: the `key` of a group by `employee`. Declined offers are left out, and the stock is that of everyone.',
    ),
    compare: z
      .enum(['previous_year'], { error: 'previous_year' })
      .optional()
      .describe('Adds the totals of the same days one year earlier.'),
    ...sheetFormatParameters,
  }),
  csvPermission: 'reports:read',
  response: envelopeSchema(dealReportSchema),
  errors: ['VALIDATION_ERROR'],
  examples: [
    {
      summary: 'The deals of a month',
      query: { from: '2026-03-01', to: '2026-03-31' },
      data: exampleDealReport,
    },
  ],
})
