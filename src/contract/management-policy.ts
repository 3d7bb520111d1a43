import { z } from 'zod'
import { type organizationSettingsSchema, policyPageSchema } from './dashboard.ts'
import { dashboardBodies } from './dashboard-bodies.ts'
import { envelopeSchema } from './envelope.ts'
import { exampleAppraisal } from './examples.ts'
import { bodyOf, defineManagementEndpoint, type SharedEndpoint } from './management-shared.ts'
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

const getPolicy = defineManagementEndpoint('GET /api/manage/policy', {
  id: 'getPolicy',
  summary: 'Get the buying policy',
  description: 'The policy that appraisals of the organization use.',
  response: envelopeSchema(ownPolicySchema),
  examples: [{ summary: 'A policy with a margin of its own', data: examplePolicy }],
})

const changePolicy = defineManagementEndpoint('PATCH /api/manage/policy', {
  id: 'changePolicy',
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
})

const settingsSchema = z.strictObject({
  name: z.string().describe('Name of the organization.'),
  market: z.string().nullable().describe('Country whose prices it gets; null for the market of the service.'),
  currency: z.string().describe('Currency of its policy and its dashboard.'),
  service_market: z.string().describe('Market of the service.'),
})
const SETTINGS_FIELDS = Object.keys(settingsSchema.shape) as readonly (keyof z.infer<typeof settingsSchema>)[]
type SettingsWire = Pick<z.infer<typeof organizationSettingsSchema>, (typeof SETTINGS_FIELDS)[number]>
const exampleSettings = { name: 'Corner Shop', market: 'de', currency: 'EUR', service_market: 'us' }

const getSettings = defineManagementEndpoint('GET /api/manage/settings', {
  id: 'getSettings',
  summary: 'Get name, market and currency',
  description: 'Settings of the organization.',
  response: envelopeSchema(settingsSchema),
  examples: [{ summary: 'A shop in Germany', data: exampleSettings }],
})

const changeSettings = defineManagementEndpoint('PATCH /api/manage/settings', {
  id: 'changeSettings',
  summary: 'Change name, market or currency',
  description: 'Changes the given fields. A new market also sets its currency, unless `currency` is given.',
  body: bodyOf(dashboardBodies.changeSettings),
  response: envelopeSchema(settingsSchema),
  examples: [{ summary: 'Another market', body: { market: 'de' }, data: exampleSettings }],
})

const toPolicy = ({ policy, own }: OwnPolicyWire): OwnPolicyWire => ({ policy, own })
const toSettings = (settings: SettingsWire) => Object.fromEntries(SETTINGS_FIELDS.map((name) => [name, settings[name]]))

export const policyEndpoints: readonly SharedEndpoint[] = [
  { endpoint: getPolicy, dashboard: 'GET /account/policy', toPublic: toPolicy },
  {
    endpoint: changePolicy,
    dashboard: 'POST /account/policy',
    toDashboard: (terms) => ({ terms }),
    toPublic: toPolicy,
  },
  { endpoint: getSettings, dashboard: 'GET /account/settings', toPublic: toSettings },
  { endpoint: changeSettings, dashboard: 'POST /account/settings', toPublic: toSettings },
]
