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

const newWebhookRequest = z.object({
  url: z.string().max(1_000).describe('Address that events are sent to: https, on the internet.'),
  types: z.array(z.enum(EVENT_TYPES)).max(20).optional().describe('Event types to send; all if absent or empty.'),
})
const webhookChangeRequest = z
  .strictObject({
    enabled: z.literal(true).optional().describe('Enables a disabled endpoint; pending deliveries are sent at once.'),
    new_secret: z
      .strictObject({
        overlap_hours: z
          .int()
          .min(0)
          .max(720)
          .describe('Hours for which deliveries are also signed with the old secret.'),
      })
      .optional()
      .describe('Replaces the secret.'),
  })
  .refine(({ enabled, new_secret }) => enabled !== undefined || new_secret !== undefined, {
    path: ['enabled'],
    error: 'enabled or new_secret',
  })
const deliveryRequest = z
  .strictObject({
    test: z.literal(true).optional().describe('Sends an event of type `webhook.test`.'),
    event_id: idValue.optional().describe('The event to send again. Give this, `test`, or `from` and `to`.'),
    from: instantParameter.optional().describe('Time of the first event.'),
    to: instantParameter.optional().describe('End of the range, exclusive.'),
    only_failed: z.boolean().optional().describe('Whether to send only events of the range whose delivery failed.'),
  })
  .refine(
    ({ test, event_id, from, to }) =>
      [test, event_id, from === undefined || to === undefined ? undefined : from].filter(Boolean).length === 1,
    { path: ['event_id'], error: 'one of test, event_id, or both from and to' },
  )

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

export const changeWebhook = defineManagementEndpoint('PATCH /api/manage/webhooks/{id}', {
  id: 'changeWebhook',
  permission: 'webhooks:write',
  params: ofWebhook,
  summary: 'Enable a webhook endpoint or replace its secret',
  description:
    'With `new_secret` only this response contains the new secret. Deliveries carry signatures of both until the overlap ends.',
  body: bodyOf(webhookChangeRequest),
  response: newWebhookResponse,
  examples: [
    {
      summary: 'An endpoint that responds again',
      params: { id: WEBHOOK_ID },
      body: { enabled: true },
      data: { webhook: exampleWebhook },
    },
    {
      summary: 'A new secret, with a day of overlap',
      params: { id: WEBHOOK_ID },
      body: { new_secret: { overlap_hours: 24 } },
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

export const sendWebhookEvents = defineManagementEndpoint('POST /api/manage/webhooks/{id}/deliveries', {
  id: 'sendWebhookEvents',
  permission: 'webhooks:write',
  params: ofWebhook,
  summary: 'Send a test event, or events again',
  description: 'A test event, one event, or those of a time range; repeated events have the same ids as before.',
  body: bodyOf(deliveryRequest),
  response: envelopeSchema(
    z.strictObject({
      sent: z.int().min(0).describe('Number of events.'),
      event_id: z.string().nullable().describe('Id of the event; null for a time range.'),
    }),
  ),
  examples: [
    {
      summary: 'What failed on one day',
      params: { id: WEBHOOK_ID },
      body: { from: '2026-03-01T00:00:00Z', to: '2026-03-02T00:00:00Z', only_failed: true },
      data: { sent: 12, event_id: null },
    },
    { summary: 'A test', params: { id: WEBHOOK_ID }, body: { test: true }, data: { sent: 1, event_id: EVENT_ID } },
  ],
})

export const webhookEndpoints = [
  listWebhooks,
  createWebhook,
  changeWebhook,
  removeWebhook,
  listWebhookDeliveries,
  sendWebhookEvents,
] as const
