import { z } from 'zod'
import { csvFormatParameters } from './csv-format.ts'
import { currencyCode } from './currency.ts'
import { defineEndpoint, optionalText } from './endpoint.ts'
import { cursorPageSchema, envelopeSchema } from './envelope.ts'
import { EXAMPLE_TIME, exampleAppraisal } from './examples.ts'
import { cursorLimitParameter, cursorMetaSchema } from './paging.ts'
import { authorSchema, component, dateValue, dayParameter, instant, optionalField } from './values.ts'

/** What an organization records about sellers: nothing, their name, or everything that second-hand dealers may have to. */
export const SELLER_RECORD_MODES = ['off', 'name', 'full'] as const
export type SellerRecordMode = (typeof SELLER_RECORD_MODES)[number]
export const ID_KINDS = ['id_card', 'passport', 'driving_licence', 'residence_permit', 'other'] as const
export const PAYOUT_METHODS = ['cash', 'transfer', 'credit'] as const
export const PHOTO_KINDS = ['id', 'device'] as const
/** What a stored image of a seller shows. */
const SELLER_IMAGE_KINDS = ['signature', ...PHOTO_KINDS] as const
/** `current`: in force. `replaced`: corrected by a later version. `withdrawn`: its purchase was withdrawn. */
export const SELLER_KINDS = ['person', 'company'] as const
export type SellerKind = (typeof SELLER_KINDS)[number]
export const SELLER_STATUSES = ['current', 'replaced', 'withdrawn'] as const
export type SellerStatus = (typeof SELLER_STATUSES)[number]

const MAX_PHOTOS = 4
export const PHOTO_MAX_BYTES = 300_000
const SIGNATURE_MAX_BYTES = 40_000
/** A body with all photos, in base64. */
export const SELLER_MAX_BYTES = 2 * 1024 * 1024

const line = (maxLength: number, minLength = 0) => {
  const expected = `text of ${minLength === 0 ? 'at most' : `${minLength} to`} ${maxLength} characters without control characters`
  return z
    .string({ error: expected })
    .trim()
    .min(minLength, expected)
    .max(maxLength, expected)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, expected)
}

/** A picture as a data URL in base64. */
export const image = (types: string, maxBytes: number) => {
  const expected = `a data URL of an image (${types.replaceAll('|', ', ').replace('svg\\+xml', 'svg+xml')}) in base64, at most ${maxBytes.toLocaleString('en-US')} bytes`
  return z
    .string({ error: expected })
    .max(Math.ceil(maxBytes / 3) * 4 + 40, expected)
    .regex(new RegExp(`^data:image/(?:${types});base64,[A-Za-z0-9+/]+={0,2}$`), expected)
}

const payoutSchema = z.strictObject({
  method: z.enum(PAYOUT_METHODS, { error: `one of ${PAYOUT_METHODS.join(', ')}` }).describe('How the seller was paid.'),
  reference: optionalField(line(100)).describe('Reference of the payment.'),
})

const photoSchema = z.strictObject({
  kind: z.enum(PHOTO_KINDS, { error: `one of ${PHOTO_KINDS.join(', ')}` }).describe('What it shows.'),
  image: image('jpeg|png|webp', PHOTO_MAX_BYTES).describe('The photo as a data URL.'),
})

export const sellerInputSchema = z
  .strictObject({
    kind: optionalField(z.enum(SELLER_KINDS, { error: `one of ${SELLER_KINDS.join(', ')}` })).describe(
      '`company` for a supplier, which is recorded whatever `seller_record` is. Default: `person`.',
    ),
    name: line(200, 1).describe('Name.'),
    vat_number: optionalField(line(40)).describe('VAT number of a company.'),
    address: optionalField(line(300)).describe('Address in one line.'),
    id_kind: optionalField(z.enum(ID_KINDS, { error: `one of ${ID_KINDS.join(', ')}` })).describe(
      'Kind of identity document.',
    ),
    id_number: optionalField(line(60)).describe('Number of the document.'),
    date_of_birth: optionalField(z.iso.date({ error: 'a day such as 1990-12-31' })).describe('Date of birth.'),
    signature: optionalField(image('png|svg\\+xml', SIGNATURE_MAX_BYTES)).describe(
      'Signature as a data URL (PNG or SVG).',
    ),
    photos: optionalField(z.array(photoSchema).max(MAX_PHOTOS, `at most ${MAX_PHOTOS} photos`)).describe(
      'Photos of the document and of the device.',
    ),
    payout: optionalField(payoutSchema).describe('How the seller was paid.'),
  })
  .meta({ id: 'SellerInput', description: 'Who sold the devices of a purchase.' })
export type SellerInputWire = z.output<typeof sellerInputSchema>

const imageKind = z.enum(SELLER_IMAGE_KINDS).describe('What it shows.')
const idKind = z.enum(ID_KINDS).nullable().describe('Kind of identity document.')
const payout = z
  .strictObject({
    method: z.enum(PAYOUT_METHODS).describe('How the seller was paid.'),
    reference: z.string().nullable().describe('Reference of the payment.'),
  })
  .nullable()
  .describe('How the seller was paid; null if not recorded.')
const personFields = {
  kind: z.enum(SELLER_KINDS).describe('A person, or a company such as a supplier.'),
  name: z.string().describe('Name of the seller.'),
  vat_number: z.string().nullable().describe('VAT number of a company.'),
  address: z.string().nullable().describe('Address.'),
  id_kind: idKind,
  id_number: z.string().nullable().describe('Number of the document.'),
  date_of_birth: dateValue.nullable().describe('Date of birth.'),
  payout,
}

const purchaseFields = {
  id: z.string().describe('This version of the record.'),
  appraisal_id: z.string().describe('The device that was bought.'),
  purchase_id: z.string().nullable().describe('The purchase, which devices sold together have in common.'),
  version: z.int().min(1).describe('Counts up with each record of the seller of this purchase.'),
  status: z
    .enum(SELLER_STATUSES)
    .describe(
      '`current`; `replaced` by a later version; `withdrawn` with the purchase. No version is changed or deleted before the retention ends.',
    ),
  person_id: z
    .string()
    .describe('Same for all purchases from a person: by document number, else by name and date of birth.'),
  bought_on: dateValue.describe('Day of the purchase.'),
  price: z.int().describe('Price paid in minor units of `currency`.'),
  currency: currencyCode.describe('Currency.'),
  stock_number: z.int().nullable().describe('Stock number of the device.'),
  device_name: z.string().describe('Device.'),
  identifier: z.string().nullable().describe('IMEI or serial number.'),
  second_identifier: z.string().nullable().describe('Second IMEI.'),
  ...personFields,
  photo_count: z.int().min(0).describe('Number of photos.'),
  created_by: authorSchema.describe('Who recorded the seller.'),
  created_at: instant.describe('When the seller was recorded.'),
  ended_at: instant.nullable().describe('When the version was replaced or withdrawn; null while it is current.'),
}

const sellerEntrySchema = component('SellerEntry', 'A purchase in the register of sellers.', purchaseFields)
export type SellerEntryWire = z.infer<typeof sellerEntrySchema>

const sellerSchema = component('Seller', 'What is stored about a seller.', {
  person_id: z.string().describe('Id of the person.'),
  purchases: z
    .array(
      z.strictObject({
        ...purchaseFields,
        images: z
          .array(z.strictObject({ id: z.string().describe('Id of the image.'), kind: imageKind }))
          .describe('Signature and photos; `GET /api/sellers/{id}/images/{image_id}` returns one.'),
      }),
    )
    .describe('Purchases from this person, newest first.'),
})
export type SellerWire = z.infer<typeof sellerSchema>

const sellerImageSchema = component('SellerImage', 'Signature or photo of a seller.', {
  id: z.string().describe('Id of the image.'),
  kind: imageKind,
  image: z.string().describe('The image as a data URL.'),
})
export type SellerImageWire = z.infer<typeof sellerImageSchema>

const sellerOnReceiptSchema = component('SellerOnReceipt', 'The seller as printed on the receipt of a purchase.', {
  ...personFields,
  signature: z.string().nullable().describe('Signature as a data URL.'),
})
export type SellerOnReceiptWire = z.infer<typeof sellerOnReceiptSchema>

const { appraisal_id: appraisalId, created_by: author } = exampleAppraisal
const exampleEntry: SellerEntryWire = {
  id: 'sel_0f246810c52148df3',
  appraisal_id: appraisalId,
  purchase_id: 'P-260302-7K3MXQ',
  version: 1,
  status: 'current',
  person_id: '5f1d3c0a9b7e42d8',
  bought_on: '2026-03-02',
  price: 12_000,
  currency: 'EUR',
  stock_number: 17,
  device_name: 'iPhone 13 128GB Midnight',
  identifier: '01-355400-629701-5',
  second_identifier: null,
  kind: 'person',
  name: 'Ada Example',
  vat_number: null,
  address: '1 High Street, Exampleton',
  id_kind: 'id_card',
  id_number: 'L01X00T47',
  date_of_birth: '1990-12-31',
  payout: { method: 'cash', reference: null },
  photo_count: 0,
  created_by: author,
  created_at: EXAMPLE_TIME,
  ended_at: null,
}
const params = z.object({ id: z.string().describe('The `person_id` of a seller.') })
const { person_id: id } = exampleEntry

export const listSellers = defineEndpoint('GET /api/sellers', {
  id: 'listSellers',
  permission: 'sellers:read',
  tag: 'Appraisals',
  summary: 'List the register of sellers',
  description:
    'Purchases with the person who sold the device, newest record first; recorded with the outcome `bought` if the setting `seller_record` is on. A correction adds a version, and a withdrawn purchase keeps its record until the retention ends. With `format=csv` the register as a file for the authorities, with all versions. Continue with `after` = `meta.next_after`.',
  query: z.object({
    appraisal_id: optionalText().describe('Only this purchase.'),
    status: z
      .enum(SELLER_STATUSES, { error: `one of ${SELLER_STATUSES.join(', ')}` })
      .optional()
      .describe('Only versions with this status.'),
    from: dayParameter.optional().describe('First day of the purchases.'),
    to: dayParameter.optional().describe('Last day.'),
    after: optionalText().describe(
      'Only versions that were recorded before this one: the `meta.next_after` of the previous page.',
    ),
    limit: cursorLimitParameter('Versions'),
    ...csvFormatParameters,
  }),
  csvPermission: 'sellers:read',
  response: cursorPageSchema(sellerEntrySchema),
  errors: ['VALIDATION_ERROR'],
  examples: [
    {
      summary: 'The purchases of a month',
      query: { from: '2026-03-01', to: '2026-03-31' },
      data: [exampleEntry],
      meta: { limit: 50, has_next: false, next_after: exampleEntry.id },
    },
  ],
})

/** Covers the day of the purchase in every time zone. */
export const RECEIPT_HOURS = 24
/** Minutes in which who recorded a seller corrects it without a manager. */
export const CORRECTION_MINUTES = 15

export const getSeller = defineEndpoint('GET /api/sellers/{id}', {
  id: 'getSeller',
  permission: 'sellers:read',
  tag: 'Appraisals',
  summary: 'Get what is stored about a seller',
  description:
    'All purchases from a person, as the person may ask for them, newest first. Continue with `after` = `meta.next_after`. The request is in the audit trail.',
  params,
  query: z.object({
    after: optionalText().describe('Only versions that were recorded before this one.'),
    limit: cursorLimitParameter('Versions'),
  }),
  response: envelopeSchema(sellerSchema, cursorMetaSchema),
  errors: ['NOT_FOUND', 'VALIDATION_ERROR'],
  examples: [
    {
      summary: 'A person who sold one device',
      params: { id },
      data: { person_id: id, purchases: [{ ...exampleEntry, images: [] }] },
      meta: { limit: 50, has_next: false, next_after: exampleEntry.id },
    },
  ],
})

const exampleImage: SellerImageWire = {
  id: 'img_0f246810c52148df3-0',
  kind: 'signature',
  image: 'data:image/png;base64,iVBORw0KGgo=',
}

export const getSellerImage = defineEndpoint('GET /api/sellers/{id}/images/{image_id}', {
  id: 'getSellerImage',
  permission: 'sellers:read',
  tag: 'Appraisals',
  summary: 'Get a signature or a photo of a seller',
  description: 'One image. It never changes, so it may be cached privately. The request is in the audit trail.',
  params: params.extend({ image_id: z.string().describe('Id of the image, from `images`.') }),
  response: envelopeSchema(sellerImageSchema),
  errors: ['NOT_FOUND'],
  examples: [{ summary: 'A signature', params: { id, image_id: exampleImage.id }, data: exampleImage }],
})

export const getSellerOnReceipt = defineEndpoint('GET /api/appraisals/{id}/seller', {
  id: 'getSellerOnReceipt',
  permission: 'outcomes:write',
  tag: 'Appraisals',
  summary: 'Get the seller for the receipt of a purchase',
  description: `The current seller of a bought device. Who recorded the seller may print the receipt again for ${RECEIPT_HOURS} hours; others need the permission to read sellers. The request is in the audit trail.`,
  params: z.object({ id: z.string().describe('The `appraisal_id` of a device you bought.') }),
  response: envelopeSchema(sellerOnReceiptSchema),
  errors: ['NOT_FOUND'],
  examples: [
    {
      summary: 'A seller who was paid in cash',
      params: { id: appraisalId },
      data: {
        kind: exampleEntry.kind,
        name: exampleEntry.name,
        vat_number: exampleEntry.vat_number,
        address: exampleEntry.address,
        id_kind: exampleEntry.id_kind,
        id_number: exampleEntry.id_number,
        date_of_birth: exampleEntry.date_of_birth,
        payout: exampleEntry.payout,
        signature: exampleImage.image,
      },
    },
  ],
})

export const eraseSeller = defineEndpoint('DELETE /api/sellers/{id}', {
  id: 'eraseSeller',
  permission: 'sellers:erase',
  tag: 'Appraisals',
  summary: 'Erase a seller',
  description: 'Deletes everything stored about a person, with all versions. The purchases stay, without their seller.',
  params,
  response: envelopeSchema(
    component('ErasedSeller', 'What was erased.', {
      person_id: z.string().describe('Id of the person.'),
      purchases: z.int().min(1).describe('Number of purchases whose seller was erased.'),
    }),
  ),
  errors: ['NOT_FOUND'],
  examples: [{ summary: 'A person who sold one device', params: { id }, data: { person_id: id, purchases: 1 } }],
})
