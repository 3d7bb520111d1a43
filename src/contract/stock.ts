import { z } from 'zod'
import { batchResponse } from './batch.ts'
import { csvFormatParameters } from './csv-format.ts'
import { currencyCode } from './currency.ts'
import { DEFECT_CODES } from './defects.ts'
import { defineEndpoint, recordSearch } from './endpoint.ts'
import { cursorPageSchema, envelopeSchema } from './envelope.ts'
import { batchItemSchema } from './errors.ts'
import { EXAMPLE_TIME, exampleAppraisal } from './examples.ts'
import { dealSchema, purchaseIdValue, soldSchema } from './outcome.ts'
import { cursorLimitParameter } from './paging.ts'
import { image, PHOTO_MAX_BYTES } from './sellers.ts'
import {
  authorSchema,
  component,
  confirmAmountField,
  dateValue,
  dayParameter,
  idValue,
  instant,
  optionalField,
  slugValue,
} from './values.ts'

export const STOCK_STATUSES = ['in_stock', 'sold'] as const
export type StockStatus = (typeof STOCK_STATUSES)[number]
export const STOCK_COST_KINDS = ['part', 'repair', 'labour', 'other'] as const
export type StockCostKind = (typeof STOCK_COST_KINDS)[number]
const SUGGESTION_BASES = ['current_price', 'appraisal'] as const
/** Statuses of a filter: `reserved` are those of `in_stock` that are kept for somebody. */
const STOCK_FILTERS = ['in_stock', 'reserved', 'sold'] as const
export type StockStatusFilter = (typeof STOCK_FILTERS)[number]
export const REPRICE_REASONS = ['not_priced', 'above_market', 'below_market', 'unsold'] as const
export type RepriceReason = (typeof REPRICE_REASONS)[number]
export const STOCK_LAYOUTS = ['ebay', 'back_market', 'shopify'] as const
export type StockLayout = (typeof STOCK_LAYOUTS)[number]
/** Items that one request changes. */
export const STOCK_CHANGES_MAX = 200
const STOCK_CHANGES_MAX_BYTES = 128 * 1024
const RESERVED_MAX_LENGTH = 100

const MAX_COSTS = 50
const MAX_AMOUNT = 100_000_000_000
const MAX_MINUTES = 100_000
const NOTE_MAX_LENGTH = 200
const LOCATION_MAX_LENGTH = 100
/** Photos of an item. */
export const MAX_STOCK_PHOTOS = 8
const MAX_ADDED_PHOTOS = 4
/** A body with photos in base64. */
const STOCK_MAX_BYTES = 2 * 1024 * 1024

const AMOUNT = 'a whole number of minor units of the currency (cents), 0 or more'
const MINUTES = `a whole number of minutes, 1 to ${MAX_MINUTES.toLocaleString('en-US')}`
const amount = z.int({ error: AMOUNT }).min(0, AMOUNT).max(MAX_AMOUNT, AMOUNT)
const line = (maxLength: number) => {
  const expected = `text of at most ${maxLength} characters without control characters`
  return z
    .string({ error: expected })
    .trim()
    .max(maxLength, expected)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, expected)
}
const MARGINS_ONLY = 'Absent for clerks whose organization hides margins.'

const costSchema = component('StockCost', 'A cost of a device after its purchase.', {
  id: z.string().describe('Id of the cost.'),
  kind: z.enum(STOCK_COST_KINDS).describe('Kind of cost.'),
  note: z.string().describe('What it was for; empty if not said.'),
  amount: z.int().min(0).describe('Amount in minor units of `currency` of the item.'),
  minutes: z.int().nullable().describe('Working time; null if not recorded.'),
  date: dateValue.describe('Day.'),
  created_by: authorSchema.describe('Who entered it.'),
})

export const stockItemSchema = component('StockItem', 'A bought device.', {
  id: z.string().describe('Id of the item, which is the `appraisal_id` of the device.'),
  number: z.int().min(1).describe('Stock number, counted up per organization.'),
  status: z.enum(STOCK_STATUSES).describe('`in_stock` until the device is sold.'),
  device_id: slugValue.nullable().describe('Device, if identified.'),
  device_name: z.string().describe('Name of the device; empty if unknown.'),
  grade: z.string().nullable().describe('Grade of the appraisal; null if unknown or with defects.'),
  defects: z.array(z.enum(DEFECT_CODES)).describe('Defects at the purchase; see `/api/meta/defects`.'),
  identifier: z.string().nullable().describe('IMEI or serial number; null if it was not checked.'),
  second_identifier: z.string().nullable().describe('Second IMEI of a dual-SIM device.'),
  reference: z.string().nullable().describe('Your reference.'),
  purchase_id: z.string().nullable().describe('The purchase it came with.'),
  bought: dealSchema.describe('Price and day of the purchase.'),
  bought_at: instant.describe('When the purchase was recorded.'),
  bought_by: authorSchema.describe('Who recorded the purchase.'),
  sold: soldSchema.nullable().describe('The sale; null while it is in stock.'),
  sold_by: authorSchema.nullable().describe('Who recorded the sale.'),
  days_in_stock: z.int().min(0).describe('Days from the purchase to the sale, or until today.'),
  currency: currencyCode.describe('Currency of the purchase, and of all amounts of the item except those of the sale.'),
  costs: z.array(costSchema).describe('Costs after the purchase, in the order in which they were entered.'),
  total_cost: z.int().optional().describe(`Price paid and costs. ${MARGINS_ONLY}`),
  profit: z
    .int()
    .nullable()
    .optional()
    .describe(
      `Price received, converted at the latest rate, minus \`total_cost\`; null while it is in stock. ${MARGINS_ONLY}`,
    ),
  asking_price: z.int().nullable().describe('Your asking price; null if not set.'),
  suggested_price: z.int().nullable().describe('Suggested asking price; null if no price is available.'),
  suggestion_basis: z
    .enum(SUGGESTION_BASES)
    .nullable()
    .describe(
      '`current_price`: current resale price of this configuration and grade. `appraisal`: sale price that the appraisal expected.',
    ),
  market_price: z
    .strictObject({
      amount: z.int().describe('Median, in minor units of `currency`.'),
      low: z.int().describe('Lower end of the 80 % interval.'),
      high: z.int().describe('Upper end.'),
    })
    .nullable()
    .describe(
      "Today's resale price of this configuration and grade; null if it is not known, or the device has defects.",
    ),
  chance_to_sell: z
    .int()
    .min(0)
    .max(100)
    .nullable()
    .describe(
      'Percent that it is sold within 28 days at the asking price, or at the market price without one; null if sold or without a market price.',
    ),
  reprice: z
    .strictObject({
      to: z.int().min(0).describe('The price that it should have today.'),
      reason: z
        .enum(REPRICE_REASONS)
        .describe(
          '`not_priced`: it has no asking price. `above_market`, `below_market`: by more than 4 %. `unsold`: it is there for 45 days, so 5 % below the market.',
        ),
    })
    .nullable()
    .describe('A better asking price for today; null if the price is about right, or the device is sold or reserved.'),
  reserved_for: z.string().nullable().describe('For whom the device is kept; null if for nobody.'),
  location: z.string().nullable().describe('Where the device is.'),
  photo_count: z.int().min(0).describe('Number of photos.'),
  photos: z
    .array(
      z.strictObject({
        id: z.string().describe('Id of the photo.'),
        image: z.string().describe('The photo as a data URL.'),
      }),
    )
    .optional()
    .describe('Photos, oldest first; absent in lists.'),
  updated_at: instant.describe('Time of the last change.'),
})
export type StockItemWire = z.infer<typeof stockItemSchema>

const CHANGES = `a list of 1 to ${STOCK_CHANGES_MAX} items, each with an id`
const stockChangeSchema = z
  .object(
    {
      asking_price: amount.nullish().describe('Asking price in minor units of `currency`; null removes it.'),
      confirm_amount: confirmAmountField.describe(
        'True if the asking price and the costs are right although they are far from what the device is worth.',
      ),
      location: line(LOCATION_MAX_LENGTH).nullish().describe('Where the device is; null removes it.'),
      reserved_for: line(RESERVED_MAX_LENGTH)
        .nullish()
        .describe('For whom the device is kept, such as a name or an order; null ends it.'),
      costs: optionalField(
        z
          .array(
            z
              .object({
                id: optionalField(idValue).describe('Id of a cost that stays or changes; absent: a further cost.'),
                kind: z
                  .enum(STOCK_COST_KINDS, { error: `one of ${STOCK_COST_KINDS.join(', ')}` })
                  .describe('Kind of cost.'),
                note: optionalField(line(NOTE_MAX_LENGTH)).describe('What it was for.'),
                amount: optionalField(amount).describe(
                  'Amount in minor units of `currency`. Default: `minutes` at the labour rate of your policy.',
                ),
                minutes: optionalField(z.int({ error: MINUTES }).min(1, MINUTES).max(MAX_MINUTES, MINUTES)).describe(
                  'Working time in minutes.',
                ),
                date: optionalField(dayParameter).describe('Day. Default: today (UTC).'),
              })
              .refine(({ amount: sent, minutes }) => sent !== undefined || minutes !== undefined, {
                path: ['amount'],
                error: `${AMOUNT}, or minutes`,
              }),
          )
          .max(MAX_COSTS, `at most ${MAX_COSTS} costs`),
      ).describe('All costs: those that are missing are removed.'),
      add_photos: optionalField(
        z.array(image('jpeg|png|webp', PHOTO_MAX_BYTES)).max(MAX_ADDED_PHOTOS, `at most ${MAX_ADDED_PHOTOS} photos`),
      ).describe(`Further photos of the device as data URLs, at most ${MAX_STOCK_PHOTOS} per device.`),
      remove_photos: optionalField(z.array(idValue).max(MAX_STOCK_PHOTOS, `at most ${MAX_STOCK_PHOTOS} ids`)).describe(
        'Ids of photos to delete.',
      ),
    },
    { error: 'a JSON object with asking_price, location, costs or photos' },
  )
  .meta({ id: 'StockChange', description: 'What to change; other fields stay.' })
export type StockChangeWire = z.output<typeof stockChangeSchema>

const { appraisal_id: id, created_by: author } = exampleAppraisal
const exampleItem: StockItemWire = {
  id,
  number: 17,
  status: 'in_stock',
  device_id: 'apple-iphone-13',
  device_name: 'iPhone 13 128GB Midnight',
  grade: 'Good',
  defects: [],
  identifier: '01-355400-629701-5',
  second_identifier: null,
  reference: 'SHELF-0042',
  purchase_id: 'P-260302-7K3MXQ',
  bought: { price: 12_000, currency: 'USD', date: '2026-03-02' },
  bought_at: EXAMPLE_TIME,
  bought_by: author,
  sold: null,
  sold_by: null,
  days_in_stock: 12,
  currency: 'USD',
  costs: [
    {
      id: 'cost_0f246810c52148df3',
      kind: 'part',
      note: 'Back glass',
      amount: 2_500,
      minutes: null,
      date: '2026-03-03',
      created_by: author,
    },
  ],
  total_cost: 14_500,
  profit: null,
  asking_price: 22_900,
  suggested_price: 22_400,
  suggestion_basis: 'current_price',
  market_price: { amount: 22_400, low: 18_900, high: 26_500 },
  chance_to_sell: 61,
  reprice: null,
  reserved_for: null,
  location: 'Shelf 3',
  photo_count: 0,
  photos: [],
  updated_at: EXAMPLE_TIME,
}

const { photos: _photos, ...exampleEntry } = exampleItem

export const listStock = defineEndpoint('GET /api/stock', {
  id: 'listStock',
  permission: 'stock:read',
  tag: 'Appraisals',
  summary: 'List your stock',
  description:
    'Devices you bought, highest stock number first. An item is created with the outcome `bought` and follows the outcome. Continue with `after` = `meta.next_after`.',
  query: z.object({
    status: z
      .enum(STOCK_FILTERS, { error: `one of ${STOCK_FILTERS.join(', ')}` })
      .optional()
      .describe('Only items with this status; `reserved` are those in stock that are kept for somebody.'),
    reprice: z
      .enum(['true'], { error: 'true' })
      .optional()
      .describe('`true`: only items in stock that should have another price today, which `reprice` names.'),
    layout: z
      .enum(STOCK_LAYOUTS, { error: `one of ${STOCK_LAYOUTS.join(', ')}` })
      .optional()
      .describe(
        'Columns of the CSV file for another system, with items in stock in the currency of your policy that are not reserved: `ebay` (Seller Hub file exchange), `back_market` (listings), `shopify` (products). What only you know, such as their categories, stays empty.',
      ),
    q: recordSearch(),
    purchase_id: purchaseIdValue.optional().describe('Only the devices of this purchase.'),
    after: z
      .string()
      .regex(/^\d{1,12}$/, 'the `meta.next_after` of the previous page')
      .optional()
      .describe('Only items with a lower number.'),
    limit: cursorLimitParameter('Items'),
    ...csvFormatParameters,
  }),
  csvPermission: 'appraisals:export',
  response: cursorPageSchema(stockItemSchema),
  errors: ['VALIDATION_ERROR'],
  examples: [
    {
      summary: 'An iPhone 13 in stock',
      query: { status: 'in_stock', q: 'iphone 13' },
      data: [exampleEntry],
      meta: { limit: 50, has_next: false, next_after: '17' },
    },
  ],
})

const params = z.object({ id: z.string().describe('Id of the item: the `appraisal_id` of a device you bought.') })

export const getStockItem = defineEndpoint('GET /api/stock/{id}', {
  id: 'getStockItem',
  permission: 'stock:read',
  tag: 'Appraisals',
  summary: 'Get an item of your stock',
  description: 'One bought device with its costs, asking price and location.',
  params,
  response: envelopeSchema(stockItemSchema),
  errors: ['NOT_FOUND'],
  examples: [{ summary: 'A phone in stock', params: { id }, data: exampleItem }],
})

const changedItemsSchema = z
  .object(
    {
      items: z
        .array(
          stockChangeSchema
            .pick({ asking_price: true, location: true, reserved_for: true, confirm_amount: true })
            .extend({ id: idValue.describe('Id of the item.') }),
          { error: CHANGES },
        )
        .min(1, CHANGES)
        .max(STOCK_CHANGES_MAX, CHANGES)
        .refine((items) => new Set(items.map((item) => item.id)).size === items.length, 'each item once')
        .describe('The items with what changes.'),
    },
    { error: 'a JSON object with items' },
  )
  .meta({ id: 'StockChanges', description: 'Changes of several items.' })

export const changeStock = defineEndpoint('PATCH /api/stock', {
  id: 'changeStock',
  permission: 'stock:write',
  tag: 'Appraisals',
  isMetered: false,
  summary: `Change up to ${STOCK_CHANGES_MAX} items of your stock`,
  description:
    'Asking price, location and reservation of several items, such as all that `GET /api/stock?reprice=true` names. Each item is changed or rejected for itself, by the rules of a single change.',
  body: { schema: changedItemsSchema, maxBytes: STOCK_CHANGES_MAX_BYTES },
  response: batchResponse(batchItemSchema(stockItemSchema, 'StockItemChanged'), STOCK_CHANGES_MAX),
  errors: [],
  examples: [
    {
      summary: 'A price that follows the market',
      body: { items: [{ id, asking_price: 22_400 }] },
      data: [{ index: 0, success: true, result: { ...exampleEntry, asking_price: 22_400 } }],
    },
  ],
})

export const changeStockItem = defineEndpoint('PATCH /api/stock/{id}', {
  id: 'changeStockItem',
  permission: 'stock:write',
  tag: 'Appraisals',
  isMetered: false,
  summary: 'Change an item of your stock',
  description:
    'Changes the given fields. Price and day of purchase and sale are changed by the outcome. Each change is in the audit trail.',
  params,
  body: { schema: stockChangeSchema, maxBytes: STOCK_MAX_BYTES },
  response: envelopeSchema(stockItemSchema),
  errors: ['NOT_FOUND', 'LIMIT_REACHED'],
  examples: [
    {
      summary: 'A repair and an asking price',
      params: { id },
      body: { asking_price: 22_900, location: 'Shelf 3', costs: [{ kind: 'part', note: 'Back glass', amount: 2_500 }] },
      data: exampleItem,
    },
  ],
})
