import { z } from 'zod'
import { approvalField } from './approval.ts'
import { batchRequest, listInBody } from './batch.ts'
import { CONDITIONS } from './conditions.ts'
import { currencyField } from './currency.ts'
import { DEFECT_CODES } from './defects.ts'
import { lookupRequestSchema } from './lookups.ts'
import { OUTCOME_MAX_BYTES, purchasedDeviceSchema } from './outcome.ts'
import { policyOverridesSchema } from './policy.ts'
import { lockField, marketField } from './pricing.ts'
import { quoteId } from './quotes.ts'
import type { Tier } from './tiers.ts'
import { confirmAmountField, idValue, optionalField } from './values.ts'

export const APPRAISALS_MAX_ITEMS = 500
/** A body without a purchase. */
export const APPRAISAL_MAX_BYTES = 64 * 1024
/** A body with a purchase, and with it the photos of its seller. */
export const NEW_APPRAISAL_MAX_BYTES = APPRAISAL_MAX_BYTES + OUTCOME_MAX_BYTES
export const APPRAISALS_MAX_BYTES = 1024 * 1024
const REFERENCE_MAX_LENGTH = 100
export const TEXT_MAX_LENGTH = 4_000
const MAX_ATTRIBUTES = 20
const MAX_ATTRIBUTE_LENGTH = 100

const optionalId = (what: string) => {
  const expected = `the id of a ${what}, as /api/${what}s lists them`
  return optionalField(z.string({ error: expected }).min(1, expected).max(300, expected))
}

const REFERENCE = `text of at most ${REFERENCE_MAX_LENGTH} characters without control characters`
const TEXT = `text of 1 to ${TEXT_MAX_LENGTH} characters`
const ATTRIBUTES = `an object of at most ${MAX_ATTRIBUTES} attribute names and their values as text`
const AGREED_OFFER = 'a whole number of minor units, 0 or more'
const DEFECT = `an array of defects, each one of ${DEFECT_CODES.join(', ')}`

/** In any letter case; null counts as absent. */
function readCondition(sent: unknown): unknown {
  if (typeof sent !== 'string') return sent ?? undefined
  return CONDITIONS.find((condition) => condition.toLowerCase() === sent.trim().toLowerCase()) ?? sent
}

const NO_DEVICE_NAMED = 'identifier, variant_id, device_id or text'

export const appraisalRequestSchema = z
  .object(
    {
      identifier: optionalField(lookupRequestSchema.shape.identifier).meta({
        description:
          'IMEI (two: `A / B`), MEID, ESN or serial number of the device in hand. Needs the Enterprise tier.',
      }),
      second_identifier: lookupRequestSchema.shape.second_identifier,
      identifier_type: lookupRequestSchema.shape.identifier_type,
      variant_id: optionalId('variant').describe('The variant, if known.'),
      device_id: optionalId('device').describe('The device, if the variant is unknown.'),
      text: optionalField(z.string({ error: TEXT }).trim().min(1, TEXT).max(TEXT_MAX_LENGTH, TEXT)).describe(
        `Listing title with its description, model name, model number, part number or SKU; at most ${TEXT_MAX_LENGTH} characters. Grade, defects, lock and battery health that it states are read (\`read_from_text[]\`); the other fields win over it.`,
      ),
      attributes: optionalField(
        z
          .record(
            z.string().max(MAX_ATTRIBUTE_LENGTH, ATTRIBUTES),
            z.string({ error: ATTRIBUTES }).max(MAX_ATTRIBUTE_LENGTH, ATTRIBUTES),
            { error: ATTRIBUTES },
          )
          .refine((attributes) => Object.keys(attributes).length <= MAX_ATTRIBUTES, ATTRIBUTES),
      ).describe('Attributes that select the variant, such as `storage` and `color`.'),
      condition: z
        .preprocess(readCondition, z.enum(CONDITIONS, { error: `one of ${CONDITIONS.join(', ')}` }).optional())
        .meta({
          description:
            'Cosmetic grade without the listed defects. Default: all four grades are valued and the offer is for the worst.',
          override: { type: 'string', enum: [...CONDITIONS] },
        }),
      defects: optionalField(
        z
          .array(z.enum(DEFECT_CODES, { error: DEFECT }), { error: DEFECT })
          .max(2 * DEFECT_CODES.length, DEFECT)
          .overwrite((codes) => [...new Set(codes)]),
      ).meta({
        description: 'Defect codes of `/api/meta/defects`.',
        override: { type: 'array', items: { type: 'string', enum: [...DEFECT_CODES] } },
      }),
      policy: optionalField(policyOverridesSchema),
      reference: optionalField(
        z
          .string({ error: REFERENCE })
          .max(REFERENCE_MAX_LENGTH, REFERENCE)
          .regex(/^[^\p{Cc}\p{Cs}]*$/u, REFERENCE),
      ).describe('Your reference for the device; the history can be filtered by it.'),
      agreed_offer: optionalField(z.int({ error: AGREED_OFFER }).min(0, AGREED_OFFER)).describe(
        'What you agreed to pay, in minor units of the currency of the response. Stored with the appraisal; it does not change the calculation. More than `max_offer` needs the approval of a manager.',
      ),
      confirm_amount: confirmAmountField.describe(
        'True if `agreed_offer` and the amounts of `policy` are right although they are far from the usual ones.',
      ),
      declined: optionalField(z.boolean({ error: 'true or false' })).describe(
        'True to record that the device was not bought.',
      ),
      market: marketField,
      lock: lockField,
      currency: currencyField,
    },
    { error: 'a JSON object that names a device' },
  )
  .refine(({ agreed_offer: agreed, declined }) => !declined || agreed === undefined, {
    path: ['agreed_offer'],
    error: 'absent where `declined` is true',
  })
  .refine(({ lock, defects }) => lock !== 'unlocked' || !defects?.includes('carrier_locked'), {
    path: ['lock'],
    error: 'locked, or absent, where the defect carrier_locked is listed',
  })
  .refine(
    ({ identifier, variant_id, device_id, text }) =>
      identifier !== undefined || variant_id !== undefined || device_id !== undefined || text !== undefined,
    { path: ['variant_id'], error: NO_DEVICE_NAMED },
  )
  .meta({
    id: 'AppraisalRequest',
    description:
      'The device in hand: at least one of `identifier`, `variant_id`, `device_id` and `text`. Unknown fields are ignored.',
  })

export type AppraisalRequestWire = z.output<typeof appraisalRequestSchema>

const quoteIdField = optionalField(quoteId).describe(
  'Quote that the customer brings. While it holds, its price needs no approval; a purchase or `declined` ends it in the same commit.',
)

export const newAppraisalSchema = appraisalRequestSchema
  .safeExtend({
    quote_id: quoteIdField,
    approval: approvalField,
    purchase: optionalField(purchasedDeviceSchema).describe(
      'Records in the same commit that you bought the device, as the outcome `bought` does. If the purchase is rejected, nothing is recorded.',
    ),
  })
  .refine(({ declined, purchase }) => !declined || purchase === undefined, {
    path: ['purchase'],
    error: 'absent where `declined` is true',
  })
  .meta({
    id: 'NewAppraisal',
    description:
      'The device in hand: at least one of `identifier`, `variant_id`, `device_id` and `text`. Unknown fields are ignored.',
  })

export type NewAppraisalWire = Omit<z.output<typeof newAppraisalSchema>, 'approval'>

const {
  identifier: _identifier,
  second_identifier: _second,
  identifier_type: _type,
  ...previewFields
} = appraisalRequestSchema.shape

/** The identifier comes from a lookup, so that sources are never asked without a record. */
export const appraisalPreviewRequestSchema = z
  .object({
    lookup_id: optionalField(idValue).describe('A lookup of the identifier of the device.'),
    quote_id: quoteIdField,
    ...previewFields,
  })
  .meta({
    id: 'AppraisalPreviewRequest',
    description:
      'The device in hand, as for an appraisal: at least one of `lookup_id`, `variant_id`, `device_id` and `text`. Unknown fields are ignored.',
  })

export const appraisalsRequestSchema = batchRequest({
  id: 'AppraisalBatchRequest',
  description: 'The devices to appraise.',
  field: 'items',
  max: APPRAISALS_MAX_ITEMS,
  kind: 'appraisals',
  contents: 'devices. Each counts as one request against the limit.',
  itemId: 'AppraisalRequest',
  item: appraisalRequestSchema,
})

function namesIdentifier(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false
  const { identifier } = body as { identifier?: unknown }
  return identifier !== undefined && identifier !== null
}

/** Asking the sources about an identifier is Enterprise, here as everywhere. */
export const tierOfAppraisal = (body: unknown): Tier => (namesIdentifier(body) ? 'enterprise' : 'paid')

export const tierOfPreview = (body: unknown): Tier =>
  (body as { readonly lookup_id?: unknown } | null)?.lookup_id ? 'enterprise' : 'paid'

/** A batch needs the tier of its most demanding item. */
export function tierOfAppraisals(body: unknown): Tier {
  return listInBody(body, 'items')?.some(namesIdentifier) ? 'enterprise' : 'paid'
}
