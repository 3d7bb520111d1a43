import { z } from 'zod'
import { policyPageSchema } from './dashboard.ts'
import { dashboardBodies } from './dashboard-bodies.ts'
import { envelopeSchema } from './envelope.ts'
import { exampleAppraisal } from './examples.ts'
import { bodyOf, defineSharedEndpoint, type SharedEndpoint } from './management-shared.ts'
import { policySchema } from './policy.ts'

const ownPolicySchema = z.strictObject({
  policy: policySchema,
  own: policyPageSchema.shape.own.describe('Fields that the organization set; the others have the default.'),
})
type OwnPolicyWire = z.infer<typeof ownPolicySchema>
const examplePolicy = {
  policy: { ...exampleAppraisal.policy, clerk_offer_limit: null, clerks_see_margins: false },
  own: ['target_margin_percent' as const],
}

/** Each field may also be null, which goes back to the default. */
const policyChangeSchema = z.strictObject(
  Object.fromEntries(Object.entries(policySchema.shape).map(([field, schema]) => [field, schema.nullish()])) as {
    [Field in keyof typeof policySchema.shape]: z.ZodOptional<z.ZodNullable<(typeof policySchema.shape)[Field]>>
  },
)

const settingsSchema = z.strictObject({
  name: z.string().describe('Name of the organization.'),
  market: z.string().nullable().describe('Country whose prices it gets; null for the market of the service.'),
  currency: z.string().describe('Currency of its policy and its dashboard.'),
  service_market: z.string().describe('Market of the service.'),
})
type SettingsWire = z.infer<typeof settingsSchema>
const exampleSettings = { name: 'Corner Shop', market: 'de', currency: 'EUR', service_market: 'us' }

const toPolicy = ({ policy, own }: OwnPolicyWire): OwnPolicyWire => ({ policy, own })
const toSettings = ({ name, market, currency, service_market }: SettingsWire): SettingsWire => ({
  name,
  market,
  currency,
  service_market,
})

export const policyEndpoints: readonly SharedEndpoint[] = [
  defineSharedEndpoint('GET /api/manage/policy', {
    dashboard: 'GET /account/policy',
    toPublic: toPolicy,
    id: 'getPolicy',
    permission: 'policy:read',
    summary: 'Get the buying policy',
    description: 'The policy that appraisals of the organization use.',
    response: envelopeSchema(ownPolicySchema),
    examples: [{ summary: 'A policy with a margin of its own', data: examplePolicy }],
  }),
  defineSharedEndpoint('PATCH /api/manage/policy', {
    dashboard: 'POST /account/policy',
    toDashboard: (terms) => ({ terms }),
    toPublic: toPolicy,
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
        body: { target_margin_percent: examplePolicy.policy.target_margin_percent },
        data: examplePolicy,
      },
    ],
  }),
  defineSharedEndpoint('GET /api/manage/settings', {
    dashboard: 'GET /account/settings',
    toPublic: toSettings,
    id: 'getSettings',
    permission: 'settings:read',
    summary: 'Get name, market and currency',
    description: 'Settings of the organization.',
    response: envelopeSchema(settingsSchema),
    examples: [{ summary: 'A shop in Germany', data: exampleSettings }],
  }),
  defineSharedEndpoint('PATCH /api/manage/settings', {
    dashboard: 'POST /account/settings',
    toPublic: toSettings,
    id: 'changeSettings',
    permission: 'settings:write',
    summary: 'Change name, market or currency',
    description: 'Changes the given fields. A new market also sets its currency, unless `currency` is given.',
    body: bodyOf(dashboardBodies.changeSettings),
    response: envelopeSchema(settingsSchema),
    examples: [{ summary: 'Another market', body: { market: 'de' }, data: exampleSettings }],
  }),
]
