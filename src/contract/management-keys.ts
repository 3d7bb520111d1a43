import { z } from 'zod'
import { type KeyWire, keySchema } from './api-keys.ts'
import { dashboardBodies } from './dashboard-bodies.ts'
import { envelopeSchema } from './envelope.ts'
import { EXAMPLE_TIME } from './examples.ts'
import {
  bodyOf,
  DONE,
  defineSharedEndpoint,
  EXAMPLE_ORGANIZATION_ID,
  idParameter,
  type SharedEndpoint,
} from './management-shared.ts'

const KEY_ID = 'key_0f246810c52148df3'
const ofKey = idParameter('Key id.')

const exampleKey: KeyWire = {
  id: KEY_ID,
  organization_id: EXAMPLE_ORGANIZATION_ID,
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

export const keyEndpoints: readonly SharedEndpoint[] = [
  defineSharedEndpoint('GET /api/manage/keys', {
    dashboard: 'GET /account/keys',
    id: 'listKeys',
    permission: 'keys:read',
    summary: 'List API keys',
    description: 'All keys of the organization, newest first, including revoked and expired ones.',
    response: envelopeSchema(z.array(keySchema)),
    examples: [{ summary: 'One key', data: [exampleKey] }],
  }),
  defineSharedEndpoint('POST /api/manage/keys', {
    dashboard: 'POST /account/keys',
    id: 'createKey',
    permission: 'keys:write',
    summary: 'Create an API key',
    description:
      'Only this response contains the key itself. A key cannot create one with a higher tier or more rights than its own.',
    errors: ['LIMIT_REACHED'],
    body: bodyOf(dashboardBodies.createKey),
    response: envelopeSchema(newKeySchema),
    examples: [{ summary: 'A key for a web shop', body: { name: 'Web shop', tier: 'paid' }, data: newKey }],
  }),
  defineSharedEndpoint('PATCH /api/manage/keys/{id}', {
    dashboard: 'POST /account/keys/change',
    id: 'changeKey',
    permission: 'keys:write',
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
  }),
  defineSharedEndpoint('POST /api/manage/keys/{id}/rotate', {
    dashboard: 'POST /account/keys/rotate',
    id: 'rotateKey',
    permission: 'keys:write',
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
  }),
  defineSharedEndpoint('DELETE /api/manage/keys/{id}', {
    dashboard: 'POST /account/keys/revoke',
    id: 'revokeKey',
    permission: 'keys:write',
    params: ofKey,
    summary: 'Revoke an API key',
    description: 'Cannot be undone. Takes effect everywhere within a second. Revoking a revoked key changes nothing.',
    examples: [{ summary: 'A key that is no longer needed', params: { id: KEY_ID }, data: DONE }],
  }),
]
