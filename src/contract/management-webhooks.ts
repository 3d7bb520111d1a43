import { z } from 'zod'
import { dashboardBodies } from './dashboard-bodies.ts'
import { envelopeSchema } from './envelope.ts'
import { EXAMPLE_TIME } from './examples.ts'
import {
  bodyOf,
  DONE,
  defineSharedEndpoint,
  EXAMPLE_ORGANIZATION_ID,
  idParameter,
  managementQuery,
  type SharedEndpoint,
} from './management-shared.ts'
import { idValue } from './values.ts'
import { type DeliveryWire, deliveriesQuery, deliverySchema, type WebhookWire, webhookSchema } from './webhooks.ts'

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
const secretSchema = z.string().describe('Signing secret. It is not shown again.')
const exampleSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

export const webhookEndpoints: readonly SharedEndpoint[] = [
  defineSharedEndpoint('GET /api/manage/webhooks', {
    dashboard: 'GET /account/webhooks',
    id: 'listWebhooks',
    permission: 'webhooks:read',
    summary: 'List webhook endpoints',
    description: 'All webhook endpoints of the organization.',
    response: envelopeSchema(z.array(webhookSchema)),
    examples: [{ summary: 'One endpoint', data: [exampleWebhook] }],
  }),
  defineSharedEndpoint('POST /api/manage/webhooks', {
    dashboard: 'POST /account/webhooks',
    id: 'createWebhook',
    permission: 'webhooks:write',
    summary: 'Create a webhook endpoint',
    description: 'It receives events from now on. Only this response contains the signing secret.',
    body: bodyOf(dashboardBodies.createWebhook),
    response: envelopeSchema(z.strictObject({ secret: secretSchema, webhook: webhookSchema })),
    examples: [
      {
        summary: 'Appraisals only',
        body: { url: exampleWebhook.url, types: exampleWebhook.types },
        data: { secret: exampleSecret, webhook: exampleWebhook },
      },
    ],
  }),
  defineSharedEndpoint('DELETE /api/manage/webhooks/{id}', {
    dashboard: 'POST /account/webhooks/remove',
    id: 'removeWebhook',
    permission: 'webhooks:write',
    params: ofWebhook,
    summary: 'Remove a webhook endpoint',
    description: 'Also deletes its deliveries.',
    examples: [{ summary: 'An endpoint that is no longer needed', params: { id: WEBHOOK_ID }, data: DONE }],
  }),
  defineSharedEndpoint('POST /api/manage/webhooks/{id}/rotate', {
    dashboard: 'POST /account/webhooks/rotate',
    id: 'rotateWebhookSecret',
    permission: 'webhooks:write',
    params: ofWebhook,
    summary: 'Replace the secret of a webhook endpoint',
    description: 'Deliveries carry signatures of both secrets until the overlap ends.',
    body: bodyOf(dashboardBodies.rotateWebhook.omit({ id: true })),
    response: envelopeSchema(z.strictObject({ secret: secretSchema })),
    examples: [
      {
        summary: 'With a day of overlap',
        params: { id: WEBHOOK_ID },
        body: { overlap_hours: 24 },
        data: { secret: exampleSecret },
      },
    ],
  }),
  defineSharedEndpoint('POST /api/manage/webhooks/{id}/enable', {
    dashboard: 'POST /account/webhooks/enable',
    id: 'enableWebhook',
    permission: 'webhooks:write',
    params: ofWebhook,
    summary: 'Enable a disabled webhook endpoint',
    description: 'Pending deliveries are sent at once.',
    isIdempotent: true,
    examples: [{ summary: 'An endpoint that responds again', params: { id: WEBHOOK_ID }, data: DONE }],
  }),
  defineSharedEndpoint('POST /api/manage/webhooks/{id}/test', {
    dashboard: 'POST /account/webhooks/test',
    id: 'testWebhook',
    permission: 'webhooks:write',
    params: ofWebhook,
    summary: 'Send a test event',
    description: 'Sends an event of type `webhook.test` to the endpoint.',
    response: envelopeSchema(z.strictObject({ event_id: z.string().describe('Id of the test event.') })),
    examples: [{ summary: 'A test', params: { id: WEBHOOK_ID }, data: { event_id: EVENT_ID } }],
  }),
  defineSharedEndpoint('GET /api/manage/webhooks/{id}/deliveries', {
    dashboard: 'GET /account/webhooks/deliveries',
    id: 'listWebhookDeliveries',
    permission: 'webhooks:read',
    params: ofWebhook,
    query: managementQuery.extend(deliveriesQuery.omit({ id: true }).shape),
    summary: 'List deliveries of a webhook endpoint',
    description: 'The last 100 deliveries that match, newest first.',
    response: envelopeSchema(z.array(deliverySchema)),
    examples: [{ summary: 'A delivered event', params: { id: WEBHOOK_ID }, data: [exampleDelivery] }],
  }),
  defineSharedEndpoint('POST /api/manage/webhooks/{id}/deliveries/{event_id}/replay', {
    dashboard: 'POST /account/webhooks/replay',
    id: 'replayWebhookDelivery',
    permission: 'webhooks:write',
    params: ofWebhook.extend({ event_id: idValue.describe('Event id.') }),
    summary: 'Send an event again',
    description: 'With the same event id as before.',
    isIdempotent: true,
    examples: [{ summary: 'One event', params: { id: WEBHOOK_ID, event_id: EVENT_ID }, data: DONE }],
  }),
  defineSharedEndpoint('POST /api/manage/webhooks/{id}/replay', {
    dashboard: 'POST /account/webhooks/replay-range',
    id: 'replayWebhookDeliveries',
    permission: 'webhooks:write',
    params: ofWebhook,
    summary: 'Send the events of a time range again',
    description: 'With the same event ids as before.',
    isIdempotent: true,
    body: bodyOf(dashboardBodies.replayDeliveries.omit({ id: true })),
    response: envelopeSchema(z.strictObject({ replayed: z.int().min(0).describe('Number of events.') })),
    examples: [
      {
        summary: 'What failed on one day',
        params: { id: WEBHOOK_ID },
        body: { from: '2026-03-01T00:00:00Z', to: '2026-03-02T00:00:00Z', only_failed: true },
        data: { replayed: 12 },
      },
    ],
  }),
]
