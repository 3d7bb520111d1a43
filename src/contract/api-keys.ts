import { z } from 'zod'
import { KEY_RIGHT_NAMES, KEY_RIGHTS, TIERS } from './tiers.ts'
import { component, instant } from './values.ts'

export const keyStateSchema = z
  .enum(['active', 'ending', 'expired', 'revoked', 'blocked'])
  .describe('`ending`: expires within two weeks; `blocked`: above the tier of its organization.')
export type KeyState = z.infer<typeof keyStateSchema>

export const keySchema = component('ApiKey', 'An API key. The key itself is shown once, when it is created.', {
  id: z.string().describe('Key id.'),
  organization_id: z.string().describe('Organization of the key.'),
  name: z.string().describe('Name.'),
  tier: z.enum(TIERS).describe('Tier.'),
  rights: z
    .array(z.enum(KEY_RIGHTS))
    .describe(KEY_RIGHTS.map((right) => `\`${right}\`: may ${KEY_RIGHT_NAMES[right]}`).join('; ')),
  prefix: z.string().describe('First characters of the key.'),
  last_four: z.string().describe('Last characters of the key.'),
  state: keyStateSchema,
  created_at: instant.describe('Time of creation.'),
  created_by: z.string().nullable().describe('Who created it; null if unknown.'),
  expires_at: instant.nullable().describe('Time at which it stops working; null without end.'),
  last_used_at: instant.nullable().describe('Time of the last request; up to a minute old.'),
  revoked_at: instant.nullable().describe('Time at which it was revoked.'),
  rotated_from: z.string().nullable().describe('Id of the key that it replaces.'),
  limit_per_minute: z.int().nullable().describe('Rate limit of its own; null for that of its tier or organization.'),
  allowed_addresses: z.array(z.string()).describe('Networks it may be used from, in CIDR form; all if empty.'),
})
export type KeyWire = z.infer<typeof keySchema>
