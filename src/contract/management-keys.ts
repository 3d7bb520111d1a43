import { z } from 'zod'
import { MAX_KEY_LIMIT, MAX_OVERLAP_DAYS } from './account-limits.ts'
import { type KeyWire, keySchema } from './api-keys.ts'
import { envelopeSchema } from './envelope.ts'
import { EXAMPLE_TIME } from './examples.ts'
import { bodyOf, DONE, defineManagementEndpoint, EXAMPLE_ORGANIZATION_ID, idParameter } from './management-shared.ts'
import { KEY_RIGHTS, TIERS } from './tiers.ts'
import { dayParameter, nameValue } from './values.ts'

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

const rateLimit = z
  .int()
  .min(1)
  .max(MAX_KEY_LIMIT)
  .nullable()
  .optional()
  .describe('Requests per minute; null for the limit of its tier.')
const addresses = z.array(z.string().max(60)).max(50).optional()

const newKeyRequest = z.object({
  name: nameValue.describe('Name.'),
  tier: z.enum(TIERS).describe('Tier; at most that of the organization and of the key that creates it.'),
  expires_on: dayParameter.nullish().describe('Last day (UTC) on which it works; no expiry if absent.'),
  rights: z.array(z.enum(KEY_RIGHTS)).max(KEY_RIGHTS.length).optional().describe('Rights; none if absent.'),
  limit_per_minute: rateLimit,
  allowed_addresses: addresses.describe('Addresses and networks it may be used from; all if absent.'),
})
export type NewKeyRequest = z.output<typeof newKeyRequest>

const keyChangeRequest = z.object({
  name: nameValue.optional().describe('New name.'),
  limit_per_minute: rateLimit,
  allowed_addresses: addresses.describe('Addresses and networks it may be used from; empty for all.'),
})
export type KeyChangeRequest = z.output<typeof keyChangeRequest>

const rotationRequest = z.strictObject({
  overlap_days: z.int().min(0).max(MAX_OVERLAP_DAYS).describe('Days for which the old key keeps working.'),
})

const newKeySchema = z.strictObject({
  secret: z.string().optional().describe('The API key. It is shown once: absent in a repeated response.'),
  key: keySchema,
})
const newKeyResponse = envelopeSchema(newKeySchema)
const newKey = { secret: 'pk_paid_…', key: exampleKey }

export const listKeys = defineManagementEndpoint('GET /api/manage/keys', {
  id: 'listKeys',
  permission: 'keys:read',
  summary: 'List API keys',
  description:
    'All keys of the organization, newest first, including revoked and expired ones. Of revoked keys, the newest 500.',
  response: envelopeSchema(z.array(keySchema)),
  examples: [{ summary: 'One key', data: [exampleKey] }],
})

export const createKey = defineManagementEndpoint('POST /api/manage/keys', {
  id: 'createKey',
  permission: 'keys:write',
  summary: 'Create an API key',
  description:
    'Only this response contains the key itself. A key cannot create one with a higher tier or more rights than its own.',
  errors: ['LIMIT_REACHED'],
  secretFields: ['secret'],
  body: bodyOf(newKeyRequest),
  response: newKeyResponse,
  examples: [{ summary: 'A key for a web shop', body: { name: 'Web shop', tier: 'paid' }, data: newKey }],
})

export const getKey = defineManagementEndpoint('GET /api/manage/keys/{id}', {
  id: 'getKey',
  permission: 'keys:read',
  params: ofKey,
  summary: 'Get an API key',
  description: 'Also a revoked or expired one.',
  response: envelopeSchema(keySchema),
  examples: [{ summary: 'A key in use', params: { id: KEY_ID }, data: exampleKey }],
})

export const rotateKey = defineManagementEndpoint('POST /api/manage/keys/{id}/rotate', {
  id: 'rotateKey',
  permission: 'keys:write',
  params: ofKey,
  summary: 'Rotate an API key',
  description:
    'Creates a successor with the same name, tier, rights and limits; the key works until the overlap ends. Only this response contains the new key itself.',
  errors: ['LIMIT_REACHED'],
  secretFields: ['secret'],
  body: bodyOf(rotationRequest),
  response: newKeyResponse,
  examples: [
    {
      summary: 'A successor, with a week of overlap',
      params: { id: KEY_ID },
      body: { overlap_days: 7 },
      data: { ...newKey, key: { ...exampleKey, id: 'key_0f246810c52148df4', rotated_from: KEY_ID } },
    },
  ],
})

export const changeKey = defineManagementEndpoint('PATCH /api/manage/keys/{id}', {
  id: 'changeKey',
  permission: 'keys:write',
  params: ofKey,
  summary: 'Change an API key',
  description: 'Changes the given fields. Takes effect everywhere within a second.',
  body: bodyOf(keyChangeRequest),
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

export const revokeKey = defineManagementEndpoint('DELETE /api/manage/keys/{id}', {
  id: 'revokeKey',
  permission: 'keys:write',
  params: ofKey,
  summary: 'Revoke an API key',
  description: 'Cannot be undone. Takes effect everywhere within a second. Revoking a revoked key changes nothing.',
  examples: [{ summary: 'A key that is no longer needed', params: { id: KEY_ID }, data: DONE }],
})

export const keyEndpoints = [listKeys, createKey, getKey, changeKey, rotateKey, revokeKey] as const
