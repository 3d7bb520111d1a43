import { z } from 'zod'
import { SESSION_LIMITS } from './account-limits.ts'
import { envelopeSchema } from './envelope.ts'
import { bodyOf, defineManagementEndpoint } from './management-shared.ts'
import { exampleOwnPolicy, ownPolicySchema, policyChangeSchema } from './own-policy.ts'
import { DEFAULT_RECEIPT_DETAILS, receiptDetailsSchema } from './receipt-details.ts'
import { SELLER_RECORD_MODES } from './sellers.ts'
import { exampleTradeIn, tradeInChangeSchema, tradeInSchema } from './trade-in.ts'
import { component, idValue, nameValue } from './values.ts'

const moneySchema = z.strictObject({
  amount: z.number().describe('Amount in minor units of the currency.'),
  currency: z.string().describe('Currency of the amount.'),
})

const settingsSchema = component('OrganizationSettings', 'Settings of an organization, and what they can be.', {
  name: z.string().describe('Name of the organization.'),
  market: z.string().nullable().describe('Country whose prices it gets; null for the market of the service.'),
  currency: z.string().describe('Currency of its policy and its dashboard.'),
  service_market: z.string().describe('Market of the service.'),
  markets: z
    .array(
      z.strictObject({
        code: z.string().describe('Code of the market.'),
        name: z.string().describe('Name of the country in English.'),
        currency: z.string().describe('Currency of the country.'),
      }),
    )
    .describe('Markets to choose from.'),
  currencies: z.array(z.string()).describe('Currencies to choose from: those with an exchange rate.'),
  second_factor_required: z.boolean().describe('Whether members can do nothing without a second factor.'),
  seller_record: z.enum(SELLER_RECORD_MODES).describe('What is recorded about the sellers of devices.'),
  seller_retention_days: z
    .int()
    .nullable()
    .describe('Days after which records of sellers are deleted; null: they are kept.'),
  developer_pages: z
    .boolean()
    .describe('Whether the menu of the dashboard has the pages of keys, usage, webhooks and the API.'),
  till_idle_minutes: z
    .int()
    .nullable()
    .describe('Minutes without use after which a shop device asks who is there; null: never.'),
  sessions: z
    .strictObject({
      idle_days: z.int().describe('Days without use after which a session ends.'),
      days: z.int().describe('Days after the sign-in on which a session ends at the latest.'),
      shop_device_hours: z.int().describe('Hours without use after which a session on a shop device ends.'),
    })
    .describe('When members have to sign in again.'),
  sign_on: z
    .strictObject({
      issuer: z.string().nullable().describe('Name of the OpenID Connect issuer; null if the service has none.'),
      required: z.boolean().describe('Whether members must sign in with the issuer.'),
      break_glass_id: z
        .string()
        .nullable()
        .describe('Owner who may still sign in with password and second factor; null unless required.'),
    })
    .optional()
    .describe('Sign-in with an OpenID Connect issuer; absent for clerks.'),
  receipt: receiptDetailsSchema.describe('What the organization prints on its receipts.'),
  trade_in: tradeInSchema.optional().describe('Its public trade-in page; absent for clerks.'),
  policy: ownPolicySchema.optional().describe('Policy that its appraisals use; absent for clerks.'),
  converted: z
    .array(
      z.strictObject({
        field: z.string().describe('Field of the buying policy.'),
        before: moneySchema.describe('Amount before the change.'),
        after: moneySchema.describe('Amount after the change.'),
      }),
    )
    .describe('Amounts of the buying policy that this request converted; empty if the currency stayed.'),
})
export type OrganizationSettingsWire = z.infer<typeof settingsSchema>

const TILL_IDLE = 'a whole number of minutes from 1 to 480, or null'
const RETENTION = 'a whole number of days from 1 to 36500, or null'

const sessionLimit = (unit: 'days' | 'hours', { max }: { readonly max: number }) => {
  const expected = `a whole number of ${unit} from 1 to ${max.toLocaleString('en-US')}`
  return z.int({ error: expected }).min(1, expected).max(max, expected)
}
const sessionLimitsChangeSchema = z.strictObject({
  idle_days: sessionLimit('days', SESSION_LIMITS.idle_days)
    .optional()
    .describe('Days without use after which a session ends.'),
  days: sessionLimit('days', SESSION_LIMITS.days)
    .optional()
    .describe('Days after the sign-in on which a session ends at the latest.'),
  shop_device_hours: sessionLimit('hours', SESSION_LIMITS.shop_device_hours)
    .optional()
    .describe('Hours without use after which a session on a shop device ends.'),
})
export type SessionLimitsChangeWire = z.output<typeof sessionLimitsChangeSchema>

const exampleSettings: OrganizationSettingsWire = {
  name: 'Corner Shop',
  market: 'de',
  currency: 'EUR',
  service_market: 'us',
  markets: [
    { code: 'de', name: 'Germany', currency: 'EUR' },
    { code: 'us', name: 'United States', currency: 'USD' },
  ],
  currencies: ['EUR', 'GBP', 'USD'],
  second_factor_required: false,
  seller_record: 'off',
  seller_retention_days: null,
  developer_pages: false,
  till_idle_minutes: 10,
  sessions: { idle_days: 30, days: 90, shop_device_hours: 12 },
  sign_on: { issuer: null, required: false, break_glass_id: null },
  receipt: { ...DEFAULT_RECEIPT_DETAILS, shop_name: 'Corner Shop', address: 'Main St 1\nTown' },
  trade_in: exampleTradeIn,
  policy: exampleOwnPolicy,
  converted: [],
}

const settingsChangeSchema = z.strictObject({
  name: nameValue.optional().describe('Name of the organization.'),
  market: z
    .string()
    .nullish()
    .describe('Country whose prices it gets, such as `de`; null for the market of the service.'),
  currency: z.string().optional().describe('Currency of its policy and of its dashboard.'),
  second_factor_required: z.boolean().optional().describe('Whether members can do nothing without a second factor.'),
  seller_record: z
    .enum(SELLER_RECORD_MODES, { error: `one of ${SELLER_RECORD_MODES.join(', ')}` })
    .optional()
    .describe(
      'What may be recorded about sellers: nothing, their name and payout, or everything. Stored records stay.',
    ),
  seller_retention_days: z
    .int({ error: RETENTION })
    .min(1, RETENTION)
    .max(36_500, RETENTION)
    .nullish()
    .describe('Days after which records of sellers are deleted; null keeps them.'),
  developer_pages: z
    .boolean()
    .optional()
    .describe(
      'Whether the menu of the dashboard has the pages of keys, usage, webhooks and the API. The first key turns it on.',
    ),
  till_idle_minutes: z
    .int({ error: TILL_IDLE })
    .min(1, TILL_IDLE)
    .max(480, TILL_IDLE)
    .nullish()
    .describe('Minutes without use after which a shop device asks who is there; null: never.'),
  sessions: sessionLimitsChangeSchema
    .optional()
    .describe('Changes when members have to sign in again; sessions that are over then end at once.'),
  sign_on: z
    .strictObject({
      required: z.boolean().describe('Whether members must sign in with the issuer.'),
      break_glass_id: idValue
        .optional()
        .describe(
          'Owner with a password and a second factor who may still sign in with them. Default: the person who sends the request.',
        ),
    })
    .optional()
    .describe('Sign-in with an OpenID Connect issuer.'),
  receipt: receiptDetailsSchema.optional().describe('Replaces what the organization prints on its receipts.'),
  trade_in: tradeInChangeSchema.optional().describe('Changes the given fields of the public trade-in page.'),
  policy: policyChangeSchema
    .optional()
    .describe('Changes the given terms of the buying policy; null goes back to the default.'),
})

export const getSettings = defineManagementEndpoint('GET /api/manage/settings', {
  id: 'getSettings',
  permission: 'organization:read',
  summary: 'Get the settings of the organization',
  description:
    'Name, market, currency, receipts, buying policy, and how members must sign in. Clerks get neither the policy nor the rules of sign-in.',
  response: envelopeSchema(settingsSchema),
  examples: [{ summary: 'A shop in Germany', data: exampleSettings }],
})

export const changeSettings = defineManagementEndpoint('PATCH /api/manage/settings', {
  id: 'changeSettings',
  permission: 'settings:write',
  summary: 'Change the settings of the organization',
  description:
    'Changes the given fields; `receipt` is replaced as a whole. A new market also sets its currency, unless `currency` is given. Amounts of the buying policy are converted if the currency changes.',
  body: bodyOf(settingsChangeSchema),
  response: envelopeSchema(settingsSchema),
  examples: [
    { summary: 'Another market', body: { market: 'de' }, data: exampleSettings },
    { summary: 'Another margin', body: { policy: { target_margin_percent: 20 } }, data: exampleSettings },
  ],
})
