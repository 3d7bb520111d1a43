import { z } from 'zod'
import { exampleAppraisal } from './examples.ts'
import { policySchema } from './policy.ts'
import { component, confirmAmountField, dateValue } from './values.ts'

const usesDeals = z
  .boolean({ error: 'true or false' })
  .describe("Whether the prices of the organization's own deals count in its prices.")

export const ownPolicySchema = component('OwnPolicy', 'Buying policy of an organization, field by field.', {
  policy: policySchema,
  own: z
    .array(z.enum(policySchema.keyof().options))
    .describe('Fields that the organization set; the others have the default.'),
  defaults: policySchema.describe('The policy without settings of its own, in the same currency.'),
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
export const exampleOwnPolicy: OwnPolicyWire = {
  policy: exampleTerms,
  own: ['target_margin_percent'],
  defaults: { ...exampleTerms, target_margin_percent: 12 },
  uses_deals: true,
  deals: { prices: 12, excluded: 1, newest_on: '2026-03-02' },
}

/** Each field may also be null, which goes back to the default. */
export const policyChangeSchema = z.strictObject({
  ...(Object.fromEntries(Object.entries(policySchema.shape).map(([field, schema]) => [field, schema.nullish()])) as {
    [Field in keyof typeof policySchema.shape]: z.ZodOptional<z.ZodNullable<(typeof policySchema.shape)[Field]>>
  }),
  uses_deals: usesDeals.optional(),
  confirm_amount: confirmAmountField.describe('True if amounts are right although they are far from the usual ones.'),
})
export type PolicyChangeWire = z.output<typeof policyChangeSchema>
