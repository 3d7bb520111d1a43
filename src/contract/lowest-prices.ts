import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { envelopeSchema } from './envelope.ts'
import { cents, component } from './values.ts'

const MAX_DEVICES = 50
const EXPECTED_IDS = `1 to ${MAX_DEVICES} ids of devices, separated by commas`

const lowestPriceSchema = component('LowestPrice', 'What the cheapest variant of a device sells for.', {
  device_id: z.string().describe('The device.'),
  resale: cents.nullable().describe('Resale price in grade Good in US cents; null for an unknown device or no price.'),
})

export const listLowestPrices = defineEndpoint('GET /api/pricing/lowest', {
  id: 'listLowestPrices',
  permission: 'prices:read',
  tag: 'Pricing',
  summary: 'List the lowest resale prices of devices',
  description:
    'For lists of devices: the resale price of the cheapest variant of each device, in the order of the ids.',
  query: z.object({
    device_ids: z
      .string({ error: EXPECTED_IDS })
      .transform((text) => text.split(','))
      .pipe(z.array(z.string().min(1)).max(MAX_DEVICES, EXPECTED_IDS))
      .meta({ description: EXPECTED_IDS, override: { type: 'string' } }),
  }),
  response: envelopeSchema(z.array(lowestPriceSchema)),
  errors: ['VALIDATION_ERROR'],
  examples: [
    {
      summary: 'Two devices, one of them unknown',
      query: { device_ids: 'apple-iphone-13,no-such-device' },
      data: [
        { device_id: 'apple-iphone-13', resale: 31900 },
        { device_id: 'no-such-device', resale: null },
      ],
    },
  ],
})
