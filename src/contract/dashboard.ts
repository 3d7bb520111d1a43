import { z } from 'zod'
import {
  MAX_KEY_LIMIT,
  MAX_OVERLAP_DAYS,
  MAX_PASSWORD_LENGTH,
  MEMBER_ROLES,
  type MemberRole,
  MIN_PASSWORD_LENGTH,
} from './account-limits.ts'
import type { EventWire } from './events.ts'
import type { RiskLevel } from './lookups.ts'
import type { PolicyWire } from './policy.ts'
import { SHARED_FACTS, type SharedFact } from './shared-facts.ts'
import { TIERS, type Tier } from './tiers.ts'

/** The wire of the dashboard's own API under /account, in the same envelope as /api. */

export { MEMBER_ROLES, type MemberRole }

const email = z
  .string()
  .trim()
  .toLowerCase()
  .max(254)
  .regex(/^[^\s@"<>\p{Cc}\p{Cs}]+@[^\s@"<>\p{Cc}\p{Cs}]+\.[^\s@"<>\p{Cc}\p{Cs}]+$/u, 'expected an email address')
const newPassword = z.string().min(MIN_PASSWORD_LENGTH).max(MAX_PASSWORD_LENGTH)
const name = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .regex(/^[^\p{Cc}\p{Cs}]+$/u, 'expected text without control characters')
const id = z.string().regex(/^[A-Za-z0-9_]{1,64}$/, 'expected an id')
const token = z.string().regex(/^[A-Za-z0-9_-]{20,100}$/, 'expected the token of a link')

/** Requests per minute of a key; null for what its tier and organization allow. */
const keyRateLimit = z.int().min(1).max(MAX_KEY_LIMIT).nullable()
/** Addresses and networks; none for everywhere. */
const addresses = z.array(z.string().max(60)).max(50)

const passkeyId = z.string().regex(/^[A-Za-z0-9_-]{1,1400}$/, 'expected the id of a passkey')
/** What a browser makes of a passkey; the rest of it is read by a library of its own. */
const passkeyResponse = z.looseObject({ id: passkeyId })

export const dashboardBodies = {
  setup: z.object({
    code: z.string().max(60),
    organization: name,
    email,
    name: name.optional(),
    password: newPassword,
  }),
  signIn: z.object({ email, password: z.string().max(MAX_PASSWORD_LENGTH) }),
  signOut: z.object({}),
  link: z.object({ token }),
  join: z.object({ token, name: name.optional(), password: newPassword.optional() }),
  password: z.object({ current: z.string().max(MAX_PASSWORD_LENGTH), next: newPassword }),
  endSession: z.object({ id }),
  switchOrganization: z.object({ id }),
  nothing: z.object({}),
  /** A code of an authenticator app, a recovery code, or what a passkey signed. */
  secondFactor: z.object({
    token,
    code: z.string().max(20).optional(),
    recovery_code: z.string().max(60).optional(),
    passkey: passkeyResponse.optional(),
  }),
  passkey: z.object({ token, response: passkeyResponse }),
  /** The password, asked again before what opens the account is changed. */
  confirmed: z.object({ password: z.string().max(MAX_PASSWORD_LENGTH) }),
  totpCode: z.object({ code: z.string().max(20) }),
  newPasskey: z.object({ token, name, response: passkeyResponse }),
  removePasskey: z.object({ id: passkeyId, password: z.string().max(MAX_PASSWORD_LENGTH) }),
  person: z.object({ name, email, password: z.string().max(MAX_PASSWORD_LENGTH).optional() }),
  requireSecondFactor: z.object({ required: z.boolean() }),
  invite: z.object({ email, role: z.enum(MEMBER_ROLES) }),
  withdrawInvitation: z.object({ id }),
  changeRole: z.object({ id, role: z.enum(MEMBER_ROLES) }),
  removeMember: z.object({ id }),
  createKey: z.object({
    name,
    tier: z.enum(TIERS),
    expires_on: z.iso.date().nullable(),
    limit_per_minute: keyRateLimit.optional(),
    allowed_addresses: addresses.optional(),
  }),
  changeKey: z.object({ id, name, limit_per_minute: keyRateLimit, allowed_addresses: addresses }),
  rotateKey: z.object({ id, overlap_days: z.int().min(0).max(MAX_OVERLAP_DAYS) }),
  revokeKey: z.object({ id }),
  createWebhook: z.object({ url: z.string().max(1_000), types: z.array(z.string().max(60)).max(20) }),
  rotateWebhook: z.object({ id, overlap_hours: z.int().min(0).max(720) }),
  changeWebhook: z.object({ id }),
  replayDelivery: z.object({ id, event_id: id }),
  endWatch: z.object({ id }),
  previewAppraisal: z.object({
    /** The lookup that was made of the identifier; null without one. */
    lookup_id: id.nullable(),
    /** As for `POST /api/appraisals`, without the identifier. */
    request: z.record(z.string(), z.unknown()),
  }),
  shareAppraisal: z.object({ appraisal_id: id, shown: z.array(z.enum(SHARED_FACTS)).min(1).max(SHARED_FACTS.length) }),
  withdrawShare: z.object({ id }),
  /** Terms by their names; null takes one back. */
  changePolicy: z.object({ terms: z.record(z.string(), z.unknown()) }),
} as const

/** Whether the service waits for its first owner. */
export type SetupStatusWire = { needed: boolean }

export type PersonWire = { id: string; email: string; name: string }

export type SessionWire = {
  person: PersonWire
  organization: { id: string; name: string; tier: Tier; limits: Record<Tier, number> } | null
  role: MemberRole | null
  /** Whether the person has one, and whether their organization asks for it. */
  second_factor: { has: boolean; required: boolean }
  organizations: { id: string; name: string; role: MemberRole }[]
  base_url: string
  sample_data: boolean
}

/** The answer to a right password where more is asked for. */
export type SecondFactorChallengeWire = {
  token: string
  totp: boolean
  /** What a browser's authenticator is asked with; null where there is no passkey. */
  passkey: object | null
  recovery_codes: boolean
}

export type SecondFactorsWire = {
  totp: boolean
  passkeys: { id: string; name: string; created_at: string; last_used_at: string | null }[]
  recovery_codes_left: number
  /** The host name that passkeys belong to; null where there can be none. */
  passkey_host: string | null
}

export type LinkWire = {
  purpose: 'sign_in' | 'invitation'
  email: string
  organization: string | null
  role: MemberRole | null
  /** Whether the person has yet to choose a password. */
  new_person: boolean
}

/** `ending`: within two weeks. `blocked`: above what its organization may use. */
export type WebhookWire = {
  id: string
  url: string
  /** All of them when empty. */
  types: string[]
  created_at: string
  disabled_at: string | null
  disabled_reason: string | null
  overlap_until: string | null
}

export type DeliveryWire = {
  event_id: string
  payload: EventWire
  state: 'pending' | 'delivered' | 'failed'
  attempts: number
  status: number | null
  answer: string
  next_at: string | null
  settled_at: string | null
}

export type KeyState = 'active' | 'ending' | 'expired' | 'revoked' | 'blocked'

export type KeyWire = {
  id: string
  name: string
  tier: Tier
  prefix: string
  last_four: string
  state: KeyState
  created_at: string
  created_by: string | null
  expires_at: string | null
  last_used_at: string | null
  revoked_at: string | null
  rotated_from: string | null
  limit_per_minute: number | null
  /** In CIDR form; empty where it may be used from everywhere. */
  allowed_addresses: string[]
}

export type MemberWire = { id: string; email: string; name: string; role: MemberRole; joined_at: string; you: boolean }
export type InvitationWire = {
  id: string
  email: string
  role: MemberRole
  invited_by: string
  created_at: string
  expires_at: string
}
export type MembersWire = { members: MemberWire[]; invitations: InvitationWire[] }

export type ActiveSessionWire = {
  id: string
  created_at: string
  seen_at: string
  address: string
  agent: string
  current: boolean
}

export type ActivityWire = {
  id: string
  at: string
  who: string
  action: string
  subject: string
  detail: Record<string, string>
}

export type UsageWire = {
  from: string
  to: string
  /** One entry per day, endpoint, key and status that had requests. */
  rows: { day: string; key_id: string; route: string; status: number; count: number }[]
  /** Most requests that a key made in one minute of the day, and what it was allowed. */
  peaks: { day: string; key_id: string; peak_per_minute: number }[]
  keys: { id: string; name: string; tier: Tier; limit_per_minute: number }[]
  lookups: { day: string; risk_level: RiskLevel; count: number }[]
}

/** The last two weeks by the hour. */
export type UsageHoursWire = {
  /** Hours since 1970, UTC: the first and the last that are shown. */
  from: number
  to: number
  /** Upper ends of the classes of time in milliseconds; the last class has none. */
  latency_classes: number[]
  rows: { hour: number; key_id: string; route: string; status: number; latency: number; count: number }[]
}

export type RequestLogEntryWire = {
  id: string
  at: string
  key_id: string
  method: string
  route: string
  status: number
  ms: number
  request_id: string
}

export type ImportRunWire = {
  id: string
  format: string
  started_at: string
  finished_at: string | null
  /** `unfinished`: running still, or cut off. */
  state: 'done' | 'failed' | 'unfinished'
  /** `rows` read, `rejected`, and what they came to; which figures there are depends on the format. */
  figures: Record<string, number>
  /** From here on for the organization that runs the service. */
  file?: string
  failure?: string | null
  rejected_by?: Record<string, number>
  /** Whether there is a file with the rejected rows. */
  has_report?: boolean
}

export type FeedWire = {
  name: string
  format: string
  /** Cron text; null for one that runs by hand alone. */
  schedule: string | null
  time_zone: string | null
  last_run_at: string | null
  /** `unfinished`: running still, or cut off; null: it never ran. */
  outcome: 'imported' | 'unchanged' | 'failed' | 'stopped' | 'unfinished' | null
  last_success_at: string | null
  last_failure_at: string | null
  next_run_at: string | null
}

/** A code on a printed sheet, by which anybody who holds it sees what was chosen. The code itself is shown once. */
export type ShareWire = {
  id: string
  shown: SharedFact[]
  created_at: string
  created_by: string
  withdrawn_at: string | null
}
export type NewShareWire = { share: ShareWire; address: string }

/** What an organization wants of a deal, term by term. */
export type PolicyPageWire = {
  policy: PolicyWire
  /** The terms that the organization said for itself; the rest holds for all. */
  own: (keyof PolicyWire)[]
  for_all: PolicyWire
  /** What each term means. */
  says: Record<keyof PolicyWire, string>
  currencies: string[]
}

/** A device that was appraised, and how often. */
export type AppraisedDeviceWire = { device_id: string; device_name: string; total: number }

/** What the cheapest configuration of each device sells for in grade Good, in US cents; null without a basis. */
export type LowestUsedPricesWire = Record<string, number | null>

/** Something that an owner should look at, worst first. */
export type AttentionWire = {
  kind: 'source_down' | 'list_stale' | 'feed_failing' | 'import_failed' | 'key_expiring'
  /** The name of the source, key, feed or list, or the format of the import. */
  subject: string
  /** When it runs out, failed or was last renewed, or since when it does not answer. */
  at: string | null
}

/** What the registry can be filtered by. */
export type CatalogueFiltersWire = { makes: string[]; categories: string[] }

/** A test identifier with a fixed answer. */
export type SandboxWire = { identifier: string; identifier_type: string; outcome: string; about: string }
