import { z } from 'zod'
import { envelopeSchema } from './envelope.ts'
import { defineManagementEndpoint } from './management-shared.ts'
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
  description:
    'How a phone on the same network opens the dashboard, and what prevents it; `network` of the service settings allows it.',
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
