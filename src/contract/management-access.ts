import { z } from 'zod'
import { type KeyWire, keySchema } from './api-keys.ts'
import { type ActivityWire, activitySchema, auditFilters } from './audit.ts'
import { dashboardBodies } from './dashboard-bodies.ts'
import { cursorPageSchema, envelopeSchema } from './envelope.ts'
import { EXAMPLE_TIME } from './examples.ts'
import { bodyOf, DONE, defineManagementEndpoint, idParameter, managementQuery } from './management-shared.ts'
import { cursorLimitParameter } from './paging.ts'
import { idValue } from './values.ts'
import { type DeliveryWire, deliveriesQuery, deliverySchema, type WebhookWire, webhookSchema } from './webhooks.ts'

const ORGANIZATION_ID = 'org_0f246810c52148df3'
const KEY_ID = 'key_0f246810c52148df3'
const WEBHOOK_ID = 'whk_0f246810c52148df3'
const EVENT_ID = 'evt_0f246810c52148df3a1b2c3d4'
const ofKey = idParameter('Key id.')
const ofWebhook = idParameter('Webhook id.')

const exampleKey: KeyWire = {
  id: KEY_ID,
  organization_id: ORGANIZATION_ID,
  name: 'Web shop',
  tier: 'paid',
  rights: [],
  prefix: 'pk_paid_',
  last_four: 'x7Qa',
  state: 'active',
  created_at: EXAMPLE_TIME,
  created_by: 'owner@shop.example',
  expires_at: null,
  last_used_at: null,
  revoked_at: null,
  rotated_from: null,
  limit_per_minute: null,
  allowed_addresses: [],
}
const newKeySchema = z.strictObject({
  secret: z.string().describe('The API key. It is not shown again.'),
  key: keySchema,
})
const newKey = { secret: 'pk_paid_…', key: exampleKey }

export const listKeys = defineManagementEndpoint('GET /api/manage/keys', {
  id: 'listKeys',
  summary: 'List API keys',
  description: 'All keys of the organization, newest first, including revoked and expired ones.',
  response: envelopeSchema(z.array(keySchema)),
  examples: [{ summary: 'One key', data: [exampleKey] }],
})

export const createKey = defineManagementEndpoint('POST /api/manage/keys', {
  id: 'createKey',
  summary: 'Create an API key',
  description:
    'Only this response contains the key itself. A key cannot create one with a higher tier or more rights than its own.',
  errors: ['LIMIT_REACHED'],
  body: bodyOf(dashboardBodies.createKey),
  response: envelopeSchema(newKeySchema),
  examples: [{ summary: 'A key for a web shop', body: { name: 'Web shop', tier: 'paid' }, data: newKey }],
})

export const changeKey = defineManagementEndpoint('PATCH /api/manage/keys/{id}', {
  id: 'changeKey',
  params: ofKey,
  summary: 'Change an API key',
  description: 'Changes the given fields. Takes effect everywhere within a second.',
  body: bodyOf(dashboardBodies.changeKey.omit({ id: true })),
  response: envelopeSchema(keySchema),
  examples: [
    {
      summary: 'A lower rate limit',
      params: { id: KEY_ID },
      body: { limit_per_minute: 60 },
      data: { ...exampleKey, limit_per_minute: 60 },
    },
  ],
})

export const rotateKey = defineManagementEndpoint('POST /api/manage/keys/{id}/rotate', {
  id: 'rotateKey',
  params: ofKey,
  errors: ['LIMIT_REACHED'],
  summary: 'Replace an API key',
  description: 'Creates a key with the same tier, rights and limits. The old key works until the overlap ends.',
  body: bodyOf(dashboardBodies.rotateKey.omit({ id: true })),
  response: envelopeSchema(newKeySchema),
  examples: [
    {
      summary: 'With a week of overlap',
      params: { id: KEY_ID },
      body: { overlap_days: 7 },
      data: { ...newKey, key: { ...exampleKey, id: 'key_0f246810c52148df4', rotated_from: KEY_ID } },
    },
  ],
})

export const revokeKey = defineManagementEndpoint('DELETE /api/manage/keys/{id}', {
  id: 'revokeKey',
  params: ofKey,
  summary: 'Revoke an API key',
  description: 'Cannot be undone. Takes effect everywhere within a second. Revoking a revoked key changes nothing.',
  examples: [{ summary: 'A key that is no longer needed', params: { id: KEY_ID }, data: DONE }],
})

const exampleWebhook: WebhookWire = {
  id: WEBHOOK_ID,
  organization_id: ORGANIZATION_ID,
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

export const listWebhooks = defineManagementEndpoint('GET /api/manage/webhooks', {
  id: 'listWebhooks',
  summary: 'List webhook endpoints',
  description: 'All webhook endpoints of the organization.',
  response: envelopeSchema(z.array(webhookSchema)),
  examples: [{ summary: 'One endpoint', data: [exampleWebhook] }],
})

export const createWebhook = defineManagementEndpoint('POST /api/manage/webhooks', {
  id: 'createWebhook',
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
})

export const removeWebhook = defineManagementEndpoint('DELETE /api/manage/webhooks/{id}', {
  id: 'removeWebhook',
  params: ofWebhook,
  summary: 'Remove a webhook endpoint',
  description: 'Also deletes its deliveries.',
  examples: [{ summary: 'An endpoint that is no longer needed', params: { id: WEBHOOK_ID }, data: DONE }],
})

export const rotateWebhookSecret = defineManagementEndpoint('POST /api/manage/webhooks/{id}/rotate', {
  id: 'rotateWebhookSecret',
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
})

export const enableWebhook = defineManagementEndpoint('POST /api/manage/webhooks/{id}/enable', {
  id: 'enableWebhook',
  params: ofWebhook,
  summary: 'Enable a disabled webhook endpoint',
  description: 'Pending deliveries are sent at once.',
  isIdempotent: true,
  examples: [{ summary: 'An endpoint that responds again', params: { id: WEBHOOK_ID }, data: DONE }],
})

export const testWebhook = defineManagementEndpoint('POST /api/manage/webhooks/{id}/test', {
  id: 'testWebhook',
  params: ofWebhook,
  summary: 'Send a test event',
  description: 'Sends an event of type `webhook.test` to the endpoint.',
  response: envelopeSchema(z.strictObject({ event_id: z.string().describe('Id of the test event.') })),
  examples: [{ summary: 'A test', params: { id: WEBHOOK_ID }, data: { event_id: EVENT_ID } }],
})

export const listWebhookDeliveries = defineManagementEndpoint('GET /api/manage/webhooks/{id}/deliveries', {
  id: 'listWebhookDeliveries',
  params: ofWebhook,
  query: managementQuery.extend(deliveriesQuery.omit({ id: true }).shape),
  summary: 'List deliveries of a webhook endpoint',
  description: 'The last 100 deliveries that match, newest first.',
  response: envelopeSchema(z.array(deliverySchema)),
  examples: [{ summary: 'A delivered event', params: { id: WEBHOOK_ID }, data: [exampleDelivery] }],
})

export const replayWebhookDelivery = defineManagementEndpoint(
  'POST /api/manage/webhooks/{id}/deliveries/{event_id}/replay',
  {
    id: 'replayWebhookDelivery',
    params: ofWebhook.extend({ event_id: idValue.describe('Event id.') }),
    summary: 'Send an event again',
    description: 'With the same event id as before.',
    isIdempotent: true,
    examples: [{ summary: 'One event', params: { id: WEBHOOK_ID, event_id: EVENT_ID }, data: DONE }],
  },
)

export const replayWebhookDeliveries = defineManagementEndpoint('POST /api/manage/webhooks/{id}/replay', {
  id: 'replayWebhookDeliveries',
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
})

const exampleAuditEntry: ActivityWire = {
  id: 'act_0f246810c52148df3',
  at: EXAMPLE_TIME,
  who: 'API key Back office (key_0f246810c52148df1)',
  who_name: null,
  action: 'key.created',
  subject: KEY_ID,
  subject_name: null,
  detail: { name: 'Web shop', tier: 'paid' },
}

export const listAuditEntries = defineManagementEndpoint('GET /api/manage/audit', {
  id: 'listAuditEntries',
  query: managementQuery.extend({ ...auditFilters, limit: cursorLimitParameter('Entries') }),
  summary: 'List the audit trail',
  description: 'Changes of the organization and changes that concern all organizations, newest first.',
  response: cursorPageSchema(activitySchema),
  examples: [
    {
      summary: 'A key that another key created',
      data: [exampleAuditEntry],
      meta: { limit: 50, has_next: false, next_after: null },
    },
  ],
})
