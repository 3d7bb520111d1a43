import { z } from 'zod'
import { dashboardBodies } from './dashboard-bodies.ts'
import { envelopeSchema } from './envelope.ts'
import { bodyOf, defineSharedEndpoint, type SharedEndpoint } from './management-shared.ts'

const settingsSchema = z.strictObject({
  name: z.string().describe('Name of the organization.'),
  market: z.string().nullable().describe('Country whose prices it gets; null for the market of the service.'),
  currency: z.string().describe('Currency of its policy and its dashboard.'),
  service_market: z.string().describe('Market of the service.'),
})
type SettingsWire = z.infer<typeof settingsSchema>
const exampleSettings = { name: 'Corner Shop', market: 'de', currency: 'EUR', service_market: 'us' }

const toSettings = ({ name, market, currency, service_market }: SettingsWire): SettingsWire => ({
  name,
  market,
  currency,
  service_market,
})

export const policyEndpoints: readonly SharedEndpoint[] = [
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
