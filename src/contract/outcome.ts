import { z } from 'zod'
import { approvalField } from './approval.ts'
import { batchRequest } from './batch.ts'
import { currencyCode, currencyField } from './currency.ts'
import { batchItemSchema } from './errors.ts'
import { SELLER_MAX_BYTES, sellerInputSchema } from './sellers.ts'
import {
  authorSchema,
  component,
  confirmAmountField,
  dateValue,
  dayParameter,
  instant,
  optionalField,
  timeZoneValue,
} from './values.ts'

export const OUTCOME_STATUSES = ['bought', 'declined', 'sold'] as const
export type OutcomeStatus = (typeof OUTCOME_STATUSES)[number]
/** `open`: no outcome yet. */
export const OUTCOME_FILTERS = ['open', ...OUTCOME_STATUSES] as const
export type OutcomeFilter = (typeof OUTCOME_FILTERS)[number]
export const DECLINED_BY = ['shop', 'customer'] as const
export type DeclinedBy = (typeof DECLINED_BY)[number]

export const OUTCOME_MAX_BYTES = SELLER_MAX_BYTES
export const OUTCOMES_MAX_BYTES = 512 * 1024
export const OUTCOMES_MAX_ITEMS = 500
const NOTE_MAX_LENGTH = 300
const MAX_PRICE = 100_000_000_000

const STATUS = `one of ${OUTCOME_STATUSES.join(', ')}`
const PRICE = 'a whole number of minor units of the currency (cents), 0 or more'
const CHANNEL_MAX_LENGTH = 40
const CHANNEL = `text of 1 to ${CHANNEL_MAX_LENGTH} characters without control characters`
const NOTE = `text of at most ${NOTE_MAX_LENGTH} characters without control characters`
const ITEM_ID = 'the appraisal_id of an appraisal of your organization'

export const appraisalIdValue = z.string({ error: ITEM_ID }).trim().min(1, ITEM_ID).max(60, ITEM_ID)
const priceValue = z.int({ error: PRICE }).min(0, PRICE).max(MAX_PRICE, PRICE)

const PURCHASE_ID = 'the purchase_id of a purchase of your organization'
export const purchaseIdValue = z.string({ error: PURCHASE_ID }).trim().min(1, PURCHASE_ID).max(40, PURCHASE_ID)
const purchaseId = optionalField(purchaseIdValue).describe(
  'With `bought`: the purchase of the same seller that the device joins, at most a day old. Default: a new purchase.',
)

const requestFields = {
  status: z
    .enum(OUTCOME_STATUSES, { error: STATUS })
    .describe(
      '`bought`: you bought the device. `declined`: there was no deal. `sold`: you sold the device you bought.',
    ),
  price: optionalField(priceValue).describe(
    'Price paid (`bought`) or received (`sold`), in minor units of `currency`. Required for both.',
  ),
  confirm_amount: confirmAmountField.describe(
    'True if the price is right although it is far from what launch price and existing prices allow. The deal is stored, and counts for prices once two others agree with it.',
  ),
  release_price: optionalField(z.boolean({ error: 'true or false' })).describe(
    'True if a price that is held, because it is far from what is known of the device, is right and counts at once (`held_deals` of `GET /api/pricing`); false holds it again.',
  ),
  confirm_duplicate: optionalField(z.boolean({ error: 'true or false' })).describe(
    'With `bought`: true if a device with the same IMEI or serial number is in your stock and this purchase is right nevertheless.',
  ),
  currency: currencyField.describe('ISO 4217 code of `price`. Default: the currency of the appraisal.'),
  declined_by: optionalField(z.enum(DECLINED_BY, { error: `one of ${DECLINED_BY.join(', ')}` })).describe(
    'With `declined`: who declined, you or the customer.',
  ),
  date: optionalField(dayParameter).describe(
    'Day of the deal. Default: the day recorded earlier for this status, otherwise today in `time_zone`.',
  ),
  time_zone: optionalField(timeZoneValue).describe('Time zone of the day, such as `Europe/Vilnius`. Default: UTC.'),
  channel: optionalField(
    z
      .string({ error: CHANNEL })
      .trim()
      .min(1, CHANNEL)
      .max(CHANNEL_MAX_LENGTH, CHANNEL)
      .regex(/^[^\p{Cc}\p{Cs}]*$/u, CHANNEL),
  ).describe('With `sold`: where it was sold, such as `shop` or `eBay`. Absent: the earlier channel is kept.'),
  note: optionalField(
    z
      .string({ error: NOTE })
      .trim()
      .max(NOTE_MAX_LENGTH, NOTE)
      .regex(/^[^\p{Cc}\p{Cs}]*$/u, NOTE),
  ).describe('Your note. Absent: the earlier note is kept; an empty text removes it.'),
  purchase_id: purchaseId,
  seller: optionalField(sellerInputSchema).describe(
    'With `bought`: the person who sold the device, stored encrypted in the same commit. Needs the setting `seller_record` of the organization: `name` takes `name` and `payout` only. A later request adds a version that replaces it; who recorded it may do so for 15 minutes, then a manager. Absent: it stays.',
  ),
}

type SentOutcome = {
  status: OutcomeStatus
  price?: number | undefined
  declined_by?: DeclinedBy | undefined
  channel?: string | undefined
  seller?: object | undefined
  purchase_id?: string | undefined
}

/** The rules between the fields, for one outcome and for a row of a batch. */
const withRules = <Schema extends z.ZodType<SentOutcome>>(schema: Schema) =>
  schema
    .refine(({ status, price }) => status === 'declined' || price !== undefined, {
      path: ['price'],
      error: `${PRICE}, because a device that is bought or sold has a price`,
    })
    .refine(({ status, price }) => status !== 'declined' || price === undefined, {
      path: ['price'],
      error: 'no price with the status declined',
    })
    .refine(({ status, channel }) => status === 'sold' || channel === undefined, {
      path: ['channel'],
      error: 'absent unless the status is sold',
    })
    .refine(({ status, declined_by: by }) => status === 'declined' || by === undefined, {
      path: ['declined_by'],
      error: 'absent unless the status is declined',
    })
    .refine(({ status, seller }) => status === 'bought' || seller === undefined, {
      path: ['seller'],
      error: 'absent unless the status is bought',
    })
    .refine(({ status, purchase_id: id }) => status === 'bought' || id === undefined, {
      path: ['purchase_id'],
      error: 'absent unless the status is bought',
    })

export const outcomeRequestSchema = withRules(
  z.object({ ...requestFields, approval: approvalField }, { error: 'a JSON object with a status' }),
).meta({
  id: 'OutcomeRequest',
  description: 'Outcome of an appraised device.',
})

export type OutcomeRequestWire = Omit<z.output<typeof outcomeRequestSchema>, 'approval'>

const { confirm_amount, confirm_duplicate, date, time_zone, note, seller } = requestFields
/** What a purchase of several devices shares with that of one. */
export const purchaseFields = { confirm_amount, confirm_duplicate, date, time_zone, seller, price: priceValue }

/** A purchase that is recorded with its appraisal. */
export const purchasedDeviceSchema = z
  .object(
    {
      price: priceValue.describe('Price paid, in minor units of the currency of the appraisal.'),
      confirm_amount,
      confirm_duplicate,
      date,
      time_zone,
      note,
      purchase_id: purchaseId,
      seller,
    },
    { error: 'an object with a price' },
  )
  .meta({ id: 'PurchasedDevice', description: 'The purchase of the appraised device.' })
export type PurchasedDeviceWire = z.output<typeof purchasedDeviceSchema>

export const outcomeRowSchema = withRules(
  z.object(
    {
      appraisal_id: appraisalIdValue.describe('The appraisal.'),
      ...requestFields,
    },
    { error: 'an object with an appraisal_id and a status' },
  ),
).meta({ id: 'OutcomeRow', description: 'Outcome of one appraised device.' })

/** Items are validated one by one with `outcomeRowSchema`: each is applied or rejected by itself. */
export const outcomesRequestSchema = batchRequest({
  id: 'OutcomeBatchRequest',
  description: 'The outcomes to record.',
  field: 'items',
  max: OUTCOMES_MAX_ITEMS,
  kind: 'outcomes',
  contents: 'outcomes, applied in this order. Each counts as one request against the limit.',
  itemId: 'OutcomeRow',
  item: outcomeRowSchema,
})

export const dealSchema = component('OutcomeDeal', 'A purchase or a sale.', {
  price: z.int().min(0).describe('Price in minor units of `currency`.'),
  currency: currencyCode.describe('Currency of the price.'),
  date: dateValue.describe('Day of the deal.'),
})

export const soldSchema = component('OutcomeSale', 'A sale.', {
  ...dealSchema.shape,
  channel: z.string().nullable().describe('Where it was sold; null if not recorded.'),
})

export const outcomeSchema = z
  .strictObject({
    status: z.enum(OUTCOME_STATUSES).describe('Status of the deal.'),
    bought: dealSchema.nullable().describe('The purchase; null if it was declined.'),
    sold: soldSchema.nullable().describe('The sale; null unless the status is `sold`.'),
    declined: z
      .strictObject({
        by: z.enum(DECLINED_BY).nullable().describe('Who declined; null if not recorded.'),
        date: dateValue.describe('Day.'),
      })
      .nullable()
      .describe('Set if the status is `declined`.'),
    note: z.string().nullable().describe('Your note.'),
    purchase_id: z.string().nullable().describe('The purchase it belongs to; null if it was declined.'),
    price_released: z
      .literal(true)
      .optional()
      .describe('Present if a price far from what is known of the device was released and counts.'),
    created_by: authorSchema.describe('Who recorded the outcome first; later changes are in the audit trail.'),
    updated_at: instant.describe('Time of the last change.'),
  })
  .refine(({ status, sold }) => (status === 'sold') === (sold !== null), 'sold without a sale')
  .refine(({ status, bought }) => (status === 'declined') === (bought === null), 'bought without a purchase')
  .refine(({ status, declined }) => (status === 'declined') === (declined !== null), 'declined without a day')
  .describe('Outcome of an appraised device.')
  .meta({ id: 'Outcome' })

export type OutcomeWire = z.infer<typeof outcomeSchema>

export const recordedOutcomeSchema = component('RecordedOutcome', 'The outcome of an appraisal after the change.', {
  appraisal_id: z.string().describe('The appraisal.'),
  outcome: outcomeSchema.nullable().describe('Its outcome; null if it is open again.'),
})

export type RecordedOutcomeWire = z.infer<typeof recordedOutcomeSchema>

export const outcomeItemSchema = batchItemSchema(recordedOutcomeSchema, 'OutcomeBatchItem')
export type OutcomeItemWire = z.infer<typeof outcomeItemSchema>
