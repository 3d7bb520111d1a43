import { z } from 'zod'
import { envelopeSchema } from './envelope.ts'
import { EXAMPLE_TIME } from './examples.ts'
import { bodyOf, DONE, defineManagementEndpoint, managementQuery } from './management-shared.ts'
import { component, instant } from './values.ts'

const model = {
  tac: z.string().describe('Type allocation code: the first 8 digits of an IMEI.'),
  device_id: z.string().describe('Confirmed device.'),
  device_name: z.string().nullable().describe('Its name; null if the device is no longer in the registry.'),
}

export const confirmedTacSchema = component('ConfirmedTac', 'A model that the organization confirmed for a TAC.', {
  ...model,
  units: z.int().min(1).describe('Devices for which it was confirmed.'),
  confirmed_at: instant.describe('Time of the last confirmation.'),
})
export type ConfirmedTacWire = z.infer<typeof confirmedTacSchema>

export const tacAgreementSchema = component('TacAgreement', 'A confirmed model of a TAC over all organizations.', {
  ...model,
  units: z.int().min(0).describe('Devices for which organizations confirmed it; 0 if only the operator did.'),
  organizations: z.int().min(0).describe('Organizations that confirmed it.'),
  confirmed_for_all: z.boolean().describe('Whether the operator confirmed it.'),
  confirmed_at: instant.describe('Time of the last confirmation.'),
})
export type TacAgreementWire = z.infer<typeof tacAgreementSchema>

const tacsSchema = component('ConfirmedTacs', 'Models that were learned for type allocation codes.', {
  own: z.array(confirmedTacSchema).describe('Confirmations of the organization.'),
  all: z
    .array(tacAgreementSchema)
    .nullable()
    .describe('Confirmations of all organizations together; null unless the caller operates the service.'),
})

const EXAMPLE_TAC = '35990171'
const exampleTac: ConfirmedTacWire = {
  tac: EXAMPLE_TAC,
  device_id: 'apple-iphone-13',
  device_name: 'iPhone 13',
  units: 2,
  confirmed_at: EXAMPLE_TIME,
}

const params = z.object({
  tac: z
    .string()
    .regex(/^\d{8}$/, 'a TAC of 8 digits')
    .describe('Type allocation code.'),
})
const deviceId = z.string({ error: 'the id of a device' }).max(200).describe('The confirmed device.')

export const listTacs = defineManagementEndpoint('GET /api/manage/tacs', {
  id: 'listTacs',
  permission: 'settings:read',
  summary: 'List learned TACs',
  description:
    'Models that the organization confirmed for type allocation codes by its appraisals, lookups and imports. A model that two independent organizations or the operator confirmed applies to all.',
  response: envelopeSchema(tacsSchema),
  examples: [{ summary: 'One model', data: { own: [exampleTac], all: null } }],
})

export const confirmTac = defineManagementEndpoint('PUT /api/manage/tacs/{tac}', {
  id: 'confirmTac',
  permission: 'service:operate',
  params,
  query: z.object({}),
  summary: 'Confirm the model of a TAC for all organizations',
  description: 'Lookups of all organizations use the confirmed model.',
  body: bodyOf(z.strictObject({ device_id: deviceId })),
  examples: [
    {
      summary: 'One model',
      params: { tac: EXAMPLE_TAC },
      body: { device_id: 'apple-iphone-13' },
      data: DONE,
    },
  ],
})

export const forgetTac = defineManagementEndpoint('DELETE /api/manage/tacs/{tac}', {
  id: 'forgetTac',
  permission: 'settings:write',
  params,
  query: managementQuery.extend({
    device_id: deviceId,
    scope: z
      .enum(['own', 'all'])
      .default('own')
      .describe(
        "`own`: the organization's confirmations. `all`: the confirmation of the operator, who alone may remove it.",
      ),
  }),
  summary: 'Remove the confirmed model of a TAC',
  description: 'Lookups no longer use the model unless others confirmed it.',
  examples: [
    {
      summary: 'A wrong model',
      params: { tac: EXAMPLE_TAC },
      query: { device_id: 'apple-iphone-13' },
      data: DONE,
    },
  ],
})
