import { z } from 'zod'
import { approvalField } from './approval.ts'
import { currencyCode, currencyField } from './currency.ts'
import { defineEndpoint, optionalText } from './endpoint.ts'
import { cursorPageSchema, envelopeSchema } from './envelope.ts'
import { EXAMPLE_TIME, exampleAppraisal } from './examples.ts'
import { appraisalIdValue, OUTCOME_MAX_BYTES, purchaseFields } from './outcome.ts'
import { cursorLimitParameter } from './paging.ts'
import { SELLER_KINDS } from './sellers.ts'
import { STOCK_STATUSES } from './stock.ts'
import { authorSchema, component, dateValue, dayParameter, idValue, instant, optionalField } from './values.ts'

export const PURCHASE_MAX_ITEMS = 500
const ITEMS_MAX_BYTES = 128 * 1024

const ITEMS = `a list of 1 to ${PURCHASE_MAX_ITEMS} devices, each with an appraisal_id`
const QUANTITY = `a whole number from 1 to ${PURCHASE_MAX_ITEMS}`
const { price, confirm_amount, confirm_duplicate, date, time_zone, seller } = purchaseFields

export const newPurchaseSchema = z
  .object(
    {
      items: z
        .array(
          z.object(
            {
              appraisal_id: appraisalIdValue.describe('The appraisal of the device.'),
              price: optionalField(price).describe(
                'Price paid per device, in minor units of `currency`. Absent: its share of `total`.',
              ),
              quantity: optionalField(
                z.int({ error: QUANTITY }).min(1, QUANTITY).max(PURCHASE_MAX_ITEMS, QUANTITY),
              ).describe(
                'Number of equal devices, such as those of a row of a list; each further one gets an appraisal of its own. Only without an identifier. Default: 1.',
              ),
            },
            { error: 'an object with an appraisal_id' },
          ),
          { error: ITEMS },
        )
        .min(1, ITEMS)
        .max(PURCHASE_MAX_ITEMS, ITEMS)
        .refine((items) => new Set(items.map(({ appraisal_id: id }) => id)).size === items.length, 'each device once')
        .refine((items) => items.reduce((sum, { quantity = 1 }) => sum + quantity, 0) <= PURCHASE_MAX_ITEMS, ITEMS)
        .describe('The devices.'),
      total: optionalField(price).describe(
        'Price of all devices together: what the items with a price leave is spread over the others in proportion to their offers. Default: the sum of the prices.',
      ),
      currency: currencyField.describe('ISO 4217 code of the prices. Default: the currency of the appraisals.'),
      date,
      time_zone,
      confirm_amount,
      confirm_duplicate,
      list_id: optionalField(idValue).describe('The device list whose rows are bought.'),
      seller,
      approval: approvalField,
    },
    { error: 'a JSON object with items' },
  )
  .refine(({ items, total }) => total !== undefined || items.every((item) => item.price !== undefined), {
    path: ['total'],
    error: 'the price of all devices, because an item has none',
  })
  .meta({ id: 'NewPurchase', description: 'Devices bought of one seller at once.' })
export type NewPurchaseWire = Omit<z.output<typeof newPurchaseSchema>, 'approval'>

const lineSchema = component('PurchaseLine', 'A device of a purchase.', {
  appraisal_id: z.string().describe('Its appraisal, which is also the id of its stock item.'),
  stock_number: z.int().min(1).describe('Stock number.'),
  status: z.enum(STOCK_STATUSES).describe('`in_stock` until the device is sold.'),
  device_name: z.string().describe('Name of the device; empty if unknown.'),
  identifier: z.string().nullable().describe('IMEI or serial number.'),
  second_identifier: z.string().nullable().describe('Second IMEI of a dual-SIM device.'),
  price: z.int().min(0).describe('Price paid, in minor units of `currency` of the purchase.'),
})
export type PurchaseLineWire = z.infer<typeof lineSchema>

const purchaseSchema = component('Purchase', 'Devices bought of one seller at once.', {
  purchase_id: z.string().describe('Id of the purchase, which is on the receipt. Sorts by time.'),
  date: dateValue.describe('Day of the purchase.'),
  currency: currencyCode.describe('Currency of the prices.'),
  total: z.int().min(0).describe('Price paid for all devices.'),
  lines: z
    .array(lineSchema)
    .describe('Devices by stock number. A device whose outcome was removed is no longer among them; empty: withdrawn.'),
  seller: z
    .strictObject({
      kind: z.enum(SELLER_KINDS).describe('A person, or a company such as a supplier.'),
      name: z.string().describe('Name.'),
      vat_number: z.string().nullable().describe('VAT number of a company.'),
    })
    .nullable()
    .optional()
    .describe('Who sold the devices; null if not recorded. Absent for callers who may not read sellers.'),
  list_id: z.string().nullable().describe('The device list whose rows were bought.'),
  created_by: authorSchema.describe('Who recorded the purchase.'),
  created_at: instant.describe('When it was recorded.'),
})
export type PurchaseWire = z.infer<typeof purchaseSchema>

const { appraisal_id: appraisalId, created_by: author } = exampleAppraisal
const examplePurchase: PurchaseWire = {
  purchase_id: 'P-260302-7K3MXQ',
  date: '2026-03-02',
  currency: 'USD',
  total: 12_000,
  lines: [
    {
      appraisal_id: appraisalId,
      stock_number: 17,
      status: 'in_stock',
      device_name: 'iPhone 13 128GB Midnight',
      identifier: '01-355400-629701-5',
      second_identifier: null,
      price: 12_000,
    },
  ],
  seller: { kind: 'person', name: 'Ada Example', vat_number: null },
  list_id: null,
  created_by: author,
  created_at: EXAMPLE_TIME,
}
const { purchase_id: id } = examplePurchase

export const createPurchase = defineEndpoint('POST /api/purchases', {
  id: 'createPurchase',
  permission: 'outcomes:write',
  tag: 'Appraisals',
  summary: 'Buy several devices of one seller',
  description:
    'Records the outcome `bought` of all items, one purchase and its seller in one commit, or nothing. The rules are those of a single outcome: a price above `max_offer`, a device that is in stock and a price that cannot be right need the same approval and confirmations. To add a device later, record its outcome with `purchase_id`.',
  idempotency: 'atomic',
  body: { schema: newPurchaseSchema, maxBytes: OUTCOME_MAX_BYTES + ITEMS_MAX_BYTES, secretFields: ['approval'] },
  response: envelopeSchema(purchaseSchema),
  errors: ['NOT_FOUND'],
  examples: [
    {
      summary: 'One device with its seller',
      body: { items: [{ appraisal_id: appraisalId, price: 12_000 }], seller: { name: 'Ada Example' } },
      data: examplePurchase,
    },
  ],
})

export const listPurchases = defineEndpoint('GET /api/purchases', {
  id: 'listPurchases',
  permission: 'stock:read',
  tag: 'Appraisals',
  summary: 'List your purchases',
  description: 'Purchases with their devices, newest first. Continue with `after` = `meta.next_after`.',
  query: z.object({
    from: dayParameter.optional().describe('First day of the purchases.'),
    to: dayParameter.optional().describe('Last day.'),
    after: optionalText().describe('Only purchases before this one: the `meta.next_after` of the previous page.'),
    limit: cursorLimitParameter('Purchases'),
  }),
  response: cursorPageSchema(purchaseSchema),
  errors: ['VALIDATION_ERROR'],
  examples: [
    {
      summary: 'The purchases of a day',
      query: { from: '2026-03-02', to: '2026-03-02' },
      data: [examplePurchase],
      meta: { limit: 50, has_next: false, next_after: id },
    },
  ],
})

export const getPurchase = defineEndpoint('GET /api/purchases/{id}', {
  id: 'getPurchase',
  permission: 'stock:read',
  tag: 'Appraisals',
  summary: 'Get a purchase',
  description: 'One purchase with its devices.',
  params: z.object({ id: z.string().describe('The `purchase_id`.') }),
  response: envelopeSchema(purchaseSchema),
  errors: ['NOT_FOUND'],
  examples: [{ summary: 'A purchase of one device', params: { id }, data: examplePurchase }],
})
