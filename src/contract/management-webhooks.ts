import { z } from 'zod'
import { envelopeSchema } from './envelope.ts'
import { EVENT_TYPES } from './event-types.ts'
import { EXAMPLE_TIME } from './examples.ts'
import {
  bodyOf,
  DONE,
  defineManagementEndpoint,
  EXAMPLE_ORGANIZATION_ID,
  idParameter,
  managementQuery,
} from './management-shared.ts'
import { idValue, instantParameter } from './values.ts'
import { DELIVERY_STATES, type DeliveryWire, deliverySchema, type WebhookWire, webhookSchema } from './webhooks.ts'

const WEBHOOK_ID = 'whk_0f246810c52148df3'
const EVENT_ID = 'evt_0f246810c52148df3a1b2c3d4'
const ofWebhook = idParameter('Webhook id.')

const exampleWebhook: WebhookWire = {
  id: WEBHOOK_ID,
  organization_id: EXAMPLE_ORGANIZATION_ID,
  url: 'https://shop.example/hooks/devices',
  types: ['appraisal.created'],
  created_at: EXAMPLE_TIME,
  disabled_at: null,
  disabled_reason: null,
  overlap_until: null,
}
const exampleDelivery: DeliveryWire = {
  event_id: EVENT_ID,
  payload: {
    id: EVENT_ID,
    type: 'webhook.test',
    timestamp: EXAMPLE_TIME,
    data: { webhook_id: WEBHOOK_ID, message: 'A test.' },
  },
  state: 'delivered',
  attempts: 1,
  status: 200,
  response: 'ok',
  next_at: null,
  settled_at: EXAMPLE_TIME,
}
const secretSchema = z
  .string()
  .optional()
  .describe('Signing secret, if it is new. It is shown once: absent in a repeated response.')

const urlValue = z.string().max(1_000).describe('Address that events are sent to: https, on the internet.')
const typesValue = z.array(z.enum(EVENT_TYPES)).max(20).optional()

const newWebhookRequest = z.object({
  url: urlValue,
  types: typesValue.describe('Event types to send; all if absent or empty.'),
})
const webhookChangeRequest = z
  .strictObject({
    url: urlValue.optional(),
    types: typesValue.describe('Event types to send from now on; all if empty.'),
    enabled: z
      .boolean()
      .optional()
      .describe('False disables the endpoint. True enables it; pending deliveries are sent at once.'),
  })
  .refine((change) => Object.values(change).some((value) => value !== undefined), {
    path: ['enabled'],
    error: 'at least one of url, types and enabled',
  })
const secretRotationRequest = z.strictObject({
  overlap_hours: z.int().min(0).max(720).describe('Hours for which deliveries are also signed with the old secret.'),
})
const resendRequest = z
  .strictObject({
    event_id: idValue.optional().describe('The event to send again. Give this, or `from` and `to`.'),
    from: instantParameter.optional().describe('Time of the first event.'),
    to: instantParameter.optional().describe('End of the range, exclusive.'),
    only_failed: z.boolean().optional().describe('Whether to send only events of the range whose delivery failed.'),
  })
  .refine(({ event_id, from, to }) => (event_id === undefined) === (from !== undefined && to !== undefined), {
    path: ['event_id'],
    error: 'either event_id, or both from and to',
  })

const newWebhookResponse = envelopeSchema(z.strictObject({ secret: secretSchema, webhook: webhookSchema }))

const exampleSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

export const listWebhooks = defineManagementEndpoint('GET /api/manage/webhooks', {
  id: 'listWebhooks',
  permission: 'webhooks:read',
  summary: 'List webhook endpoints',
  description: 'All webhook endpoints of the organization.',
  response: envelopeSchema(z.array(webhookSchema)),
  examples: [{ summary: 'One endpoint', data: [exampleWebhook] }],
})

export const createWebhook = defineManagementEndpoint('POST /api/manage/webhooks', {
  id: 'createWebhook',
  permission: 'webhooks:write',
  secretFields: ['secret'],
  summary: 'Create a webhook endpoint',
  description: 'It receives events from now on. Only this response contains the signing secret.',
  body: bodyOf(newWebhookRequest),
  response: newWebhookResponse,
  errors: ['LIMIT_REACHED'],
  examples: [
    {
      summary: 'Appraisals only',
      body: { url: exampleWebhook.url, types: exampleWebhook.types },
      data: { secret: exampleSecret, webhook: exampleWebhook },
    },
  ],
})

export const getWebhook = defineManagementEndpoint('GET /api/manage/webhooks/{id}', {
  id: 'getWebhook',
  permission: 'webhooks:read',
  params: ofWebhook,
  summary: 'Get a webhook endpoint',
  description: 'Without its secret.',
  response: envelopeSchema(webhookSchema),
  examples: [{ summary: 'An enabled endpoint', params: { id: WEBHOOK_ID }, data: exampleWebhook }],
})

export const changeWebhook = defineManagementEndpoint('PATCH /api/manage/webhooks/{id}', {
  id: 'changeWebhook',
  permission: 'webhooks:write',
  params: ofWebhook,
  summary: 'Change a webhook endpoint',
  description: 'Changes the given fields. Deliveries that are pending go to the new address.',
  body: bodyOf(webhookChangeRequest),
  response: envelopeSchema(webhookSchema),
  examples: [
    {
      summary: 'An endpoint that responds again',
      params: { id: WEBHOOK_ID },
      body: { enabled: true },
      data: exampleWebhook,
    },
    {
      summary: 'Another address',
      params: { id: WEBHOOK_ID },
      body: { url: 'https://shop.example/hooks/new' },
      data: { ...exampleWebhook, url: 'https://shop.example/hooks/new' },
    },
  ],
})

export const rotateWebhookSecret = defineManagementEndpoint('POST /api/manage/webhooks/{id}/rotate', {
  id: 'rotateWebhookSecret',
  permission: 'webhooks:write',
  params: ofWebhook,
  secretFields: ['secret'],
  summary: 'Replace the secret of a webhook endpoint',
  description:
    'Only this response contains the new secret. Deliveries carry signatures of both until the overlap ends.',
  body: bodyOf(secretRotationRequest),
  response: newWebhookResponse,
  examples: [
    {
      summary: 'A day of overlap',
      params: { id: WEBHOOK_ID },
      body: { overlap_hours: 24 },
      data: { secret: exampleSecret, webhook: exampleWebhook },
    },
  ],
})

export const removeWebhook = defineManagementEndpoint('DELETE /api/manage/webhooks/{id}', {
  id: 'removeWebhook',
  permission: 'webhooks:write',
  params: ofWebhook,
  summary: 'Remove a webhook endpoint',
  description: 'Also deletes its deliveries.',
  examples: [{ summary: 'An endpoint that is no longer needed', params: { id: WEBHOOK_ID }, data: DONE }],
})

export const listWebhookDeliveries = defineManagementEndpoint('GET /api/manage/webhooks/{id}/deliveries', {
  id: 'listWebhookDeliveries',
  permission: 'webhooks:read',
  params: ofWebhook,
  query: managementQuery.extend({
    state: z.enum(DELIVERY_STATES).optional().describe('Only deliveries in this state.'),
    type: z.enum(EVENT_TYPES).optional().describe('Only deliveries of this event type.'),
  }),
  summary: 'List deliveries of a webhook endpoint',
  description: 'The last 100 deliveries that match, newest first.',
  response: envelopeSchema(z.array(deliverySchema)),
  examples: [{ summary: 'A delivered event', params: { id: WEBHOOK_ID }, data: [exampleDelivery] }],
})

export const testWebhook = defineManagementEndpoint('POST /api/manage/webhooks/{id}/test', {
  id: 'testWebhook',
  permission: 'webhooks:write',
  params: ofWebhook,
  summary: 'Send a test event',
  description: 'An event of type `webhook.test`, to this endpoint alone, whatever types it receives.',
  response: envelopeSchema(z.strictObject({ event_id: z.string().describe('Id of the event.') })),
  examples: [{ summary: 'A test', params: { id: WEBHOOK_ID }, data: { event_id: EVENT_ID } }],
})

export const resendWebhookEvents = defineManagementEndpoint('POST /api/manage/webhooks/{id}/resend', {
  id: 'resendWebhookEvents',
  permission: 'webhooks:write',
  params: ofWebhook,
  summary: 'Send events again',
  description: 'One event, or those of a time range. They have the same ids as before.',
  body: bodyOf(resendRequest),
  response: envelopeSchema(z.strictObject({ sent: z.int().min(0).describe('Number of events.') })),
  examples: [
    {
      summary: 'What failed on one day',
      params: { id: WEBHOOK_ID },
      body: { from: '2026-03-01T00:00:00Z', to: '2026-03-02T00:00:00Z', only_failed: true },
      data: { sent: 12 },
    },
    { summary: 'One event', params: { id: WEBHOOK_ID }, body: { event_id: EVENT_ID }, data: { sent: 1 } },
  ],
})

export const webhookEndpoints = [
  listWebhooks,
  createWebhook,
  getWebhook,
  changeWebhook,
  rotateWebhookSecret,
  removeWebhook,
  testWebhook,
  listWebhookDeliveries,
  resendWebhookEvents,
] as const
