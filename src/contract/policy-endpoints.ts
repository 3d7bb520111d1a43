import { z } from 'zod'
import { envelopeSchema } from './envelope.ts'
import { exampleAppraisal } from './examples.ts'
import { bodyOf, defineManagementEndpoint } from './management-shared.ts'
import { policySchema } from './policy.ts'
import { DEFAULT_RECEIPT_DETAILS, receiptDetailsSchema } from './receipt-details.ts'
import { component, dateValue } from './values.ts'

const usesDeals = z
  .boolean({ error: 'true or false' })
  .describe("Whether the prices of the organization's own deals count in its prices.")

const ownPolicySchema = component('OwnPolicy', 'Buying policy of an organization, field by field.', {
  policy: policySchema,
  own: z
    .array(z.enum(policySchema.keyof().options))
    .describe('Fields that the organization set; the others have the default.'),
  defaults: policySchema.describe('The policy without settings of its own, in the same currency.'),
  currencies: z.array(z.string()).describe('Currencies that the policy can have.'),
  uses_deals: usesDeals,
  deals: z
    .strictObject({
      prices: z.int().min(0).describe('Prices that count, or would count.'),
      excluded: z.int().min(0).describe('Deals whose prices never count, such as those of devices with defects.'),
      newest_on: dateValue.nullable().describe('Day of the newest deal; null without deals.'),
    })
    .describe("Prices of the organization's own deals."),
})
export type OwnPolicyWire = z.infer<typeof ownPolicySchema>

const exampleTerms = policySchema.parse({
  ...exampleAppraisal.policy,
  clerk_offer_limit: null,
  clerks_see_margins: false,
})
const exampleOwnPolicy: OwnPolicyWire = {
  policy: exampleTerms,
  own: ['target_margin_percent'],
  defaults: { ...exampleTerms, target_margin_percent: 12 },
  currencies: ['EUR', 'GBP', 'USD'],
  uses_deals: true,
  deals: { prices: 12, excluded: 1, newest_on: '2026-03-02' },
}

/** Each field may also be null, which goes back to the default. */
const policyChangeSchema = z.strictObject({
  ...(Object.fromEntries(Object.entries(policySchema.shape).map(([field, schema]) => [field, schema.nullish()])) as {
    [Field in keyof typeof policySchema.shape]: z.ZodOptional<z.ZodNullable<(typeof policySchema.shape)[Field]>>
  }),
  uses_deals: usesDeals.optional(),
})
export type PolicyChangeWire = z.output<typeof policyChangeSchema>

export const getPolicy = defineManagementEndpoint('GET /api/manage/policy', {
  id: 'getPolicy',
  permission: 'policy:read',
  summary: 'Get the buying policy',
  description:
    'The policy that appraisals of the organization use, and whether the prices of its own deals count in its prices.',
  response: envelopeSchema(ownPolicySchema),
  examples: [{ summary: 'A policy with a margin of its own', data: exampleOwnPolicy }],
})

export const changePolicy = defineManagementEndpoint('PATCH /api/manage/policy', {
  id: 'changePolicy',
  permission: 'policy:write',
  summary: 'Change the buying policy',
  description:
    'Changes the given fields; null goes back to the default. Amounts are converted if the currency changes.',
  body: bodyOf(policyChangeSchema),
  response: envelopeSchema(ownPolicySchema),
  examples: [
    {
      summary: 'Another margin',
      body: { target_margin_percent: exampleTerms.target_margin_percent },
      data: exampleOwnPolicy,
    },
  ],
})

const exampleReceipt = { ...DEFAULT_RECEIPT_DETAILS, shop_name: 'Corner Shop', address: 'Main St 1\nTown' }

export const getReceiptDetails = defineManagementEndpoint('GET /api/manage/receipt', {
  id: 'getReceiptDetails',
  permission: 'organization:read',
  summary: 'Get the details of receipts',
  description: 'What the organization prints on its receipts.',
  response: envelopeSchema(receiptDetailsSchema),
  examples: [{ summary: 'The receipts of a shop', data: exampleReceipt }],
})

export const replaceReceiptDetails = defineManagementEndpoint('PUT /api/manage/receipt', {
  id: 'replaceReceiptDetails',
  permission: 'settings:write',
  summary: 'Replace the details of receipts',
  description: 'Replaces what the organization prints on its receipts.',
  body: bodyOf(receiptDetailsSchema),
  response: envelopeSchema(receiptDetailsSchema),
  examples: [{ summary: 'Another address', body: exampleReceipt, data: exampleReceipt }],
})
