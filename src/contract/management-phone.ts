import { z } from 'zod'
import { envelopeSchema } from './envelope.ts'
import { bodyOf, defineManagementEndpoint } from './management-shared.ts'
import { component } from './values.ts'

const phoneAccessSchema = component('PhoneAccess', 'How a phone opens the dashboard.', {
  urls: z.array(z.string()).describe('Addresses that work outside this machine; empty if there is none.'),
  is_loopback_only: z.boolean().describe('Whether the service listens on this machine only.'),
  is_secure: z.boolean().describe('Whether browsers give the page the camera, passkeys and installation.'),
  has_base_url: z.boolean().describe('Whether `BASE_URL` is set.'),
  port: z.int().describe('Port of the service.'),
  network: component('NetworkAccess', 'A port for devices of the local network, with a certificate of this service.', {
    is_on: z.boolean().describe('Whether the port is open.'),
    urls: z.array(z.string()).describe('Addresses of this machine at that port.'),
    fixed_by: z.array(z.string()).describe('Settings of the environment that replace it.'),
  }).describe('Devices of the local network.'),
})
export type PhoneAccessWire = z.infer<typeof phoneAccessSchema>

export const getPhoneAccess = defineManagementEndpoint('GET /api/manage/phone', {
  id: 'getPhoneAccess',
  permission: 'organization:read',
  query: z.object({
    origin: z
      .string()
      .optional()
      .describe('Origin of the page: only the browser knows the address that a proxy serves.'),
  }),
  summary: 'Get the addresses of the dashboard for a phone',
  description: 'How a phone on the same network opens the dashboard, and what prevents it.',
  response: envelopeSchema(phoneAccessSchema),
  examples: [
    {
      summary: 'A service with a certificate',
      data: {
        urls: ['https://shop.example'],
        is_loopback_only: false,
        is_secure: true,
        has_base_url: true,
        port: 3000,
        network: { is_on: false, urls: [], fixed_by: ['TLS_CERT', 'BASE_URL'] },
      },
    },
  ],
})

export const changePhoneAccess = defineManagementEndpoint('PUT /api/manage/phone', {
  id: 'changePhoneAccess',
  permission: 'service:operate',
  summary: 'Allow devices of the local network, or turn that off',
  description:
    'Opens a port for devices of the local network beside that of the service, with TLS and a certificate whose authority this service creates (`/network.crt`). Not possible where `TLS_CERT` or `BASE_URL` is set.',
  body: bodyOf(
    z
      .object({ network: z.boolean({ error: 'true or false' }).describe('Whether the port is open.') })
      .meta({ id: 'PhoneAccessChange', description: 'What to allow.' }),
  ),
  response: envelopeSchema(phoneAccessSchema),
  examples: [
    {
      summary: 'Devices of the network are allowed',
      body: { network: true },
      data: {
        urls: [],
        is_loopback_only: true,
        is_secure: false,
        has_base_url: false,
        port: 3000,
        network: { is_on: true, urls: ['https://192.168.1.20:3001'], fixed_by: [] },
      },
    },
  ],
})
