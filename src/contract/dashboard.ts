import { z } from 'zod'
import {
  MAX_KEY_LIMIT,
  MAX_OVERLAP_DAYS,
  MAX_PASSWORD_LENGTH,
  MEMBER_ROLES,
  type MemberRole,
  MIN_PASSWORD_LENGTH,
} from './account-limits.ts'
import { RATE_SOURCES } from './currency.ts'
import { eventSchema } from './events.ts'
import { LANGUAGES } from './languages.ts'
import { RISK_LEVELS } from './lookups.ts'
import { outcomesRequestSchema } from './outcome.ts'
import { policySchema } from './policy.ts'
import { SHARED_FACTS } from './shared-facts.ts'
import { TIERS } from './tiers.ts'
import { quotaSchema } from './usage.ts'

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
  language: z.object({ language: z.enum(LANGUAGES).nullable() }),
  person: z.object({ name, email, password: z.string().max(MAX_PASSWORD_LENGTH).optional() }),
  requireSecondFactor: z.object({ required: z.boolean() }),
  invite: z.object({ email, role: z.enum(MEMBER_ROLES) }),
  withdrawInvitation: z.object({ id }),
  changeRole: z.object({ id, role: z.enum(MEMBER_ROLES) }),
  removeMember: z.object({ id }),
  resetMember: z.object({ id }),
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
  /** Events from `from` on and before `to`. */
  replayDeliveries: z.object({ id, from: z.iso.datetime(), to: z.iso.datetime(), only_failed: z.boolean() }),
  endWatch: z.object({ id }),
  previewAppraisal: z.object({
    /** The lookup that was made of the identifier; null without one. */
    lookup_id: id.nullable(),
    /** As for `POST /api/appraisals`, without the identifier. */
    request: z.record(z.string(), z.unknown()),
  }),
  shareAppraisal: z.object({ appraisal_id: id, shown: z.array(z.enum(SHARED_FACTS)).min(1).max(SHARED_FACTS.length) }),
  withdrawShare: z.object({ id }),
  /** `outcome`: as for `POST /api/appraisals/{id}/outcome`; null removes it. */
  recordOutcome: z.object({ appraisal_id: id, outcome: z.record(z.string(), z.unknown()).nullable() }),
  recordOutcomes: outcomesRequestSchema,
  forgetTac: z.object({ tac: z.string().regex(/^\d{8}$/, 'a TAC of 8 digits'), device_id: z.string().max(200) }),
  /** Terms by their names; null takes one back. */
  changePolicy: z.object({ terms: z.record(z.string(), z.unknown()) }),
  changeSettings: z.object({
    name: z.string().optional(),
    market: z.string().nullable().optional(),
    currency: z.string().optional(),
  }),
} as const

/** Whether the service waits for its first owner. */
export const setupStatusSchema = z.strictObject({
  needed: z.boolean(),
})
export type SetupStatusWire = z.infer<typeof setupStatusSchema>

const personSchema = z.strictObject({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  /** Language the person chose; null: that of the browser. */
  language: z.enum(LANGUAGES).nullable(),
})

/** How a phone opens the dashboard. */
export const phoneAccessSchema = z.strictObject({
  /** Addresses that work outside this machine; empty if there is none. */
  urls: z.array(z.string()),
  is_loopback_only: z.boolean(),
  /** Whether browsers give the page the camera, passkeys and installation. */
  is_secure: z.boolean(),
  has_base_url: z.boolean(),
  port: z.number(),
})
export type PhoneAccessWire = z.infer<typeof phoneAccessSchema>

export const sessionSchema = z.strictObject({
  person: personSchema,
  organization: z
    .strictObject({
      id: z.string(),
      name: z.string(),
      tier: z.enum(TIERS),
      limits: z.record(z.enum(TIERS), z.number()),
      /** The one currency of its pages, and the rate by which amounts in US cents are shown in it. */
      currency: z.string(),
      units_per_usd: z.number(),
      /** Code of its market, or of the service's if it has none of its own. */
      market: z.string(),
    })
    .nullable(),
  role: z.enum(MEMBER_ROLES).nullable(),
  /** Whether plans, costs and expected profit are shown. */
  sees_margins: z.boolean(),
  /** Highest offer the person may save, in minor units of the organization's currency; null: no limit. */
  offer_limit: z.number().nullable(),
  /** Whether the person has one, and whether their organization asks for it. */
  second_factor: z.strictObject({
    has: z.boolean(),
    required: z.boolean(),
  }),
  organizations: z.array(
    z.strictObject({
      id: z.string(),
      name: z.string(),
      role: z.enum(MEMBER_ROLES),
    }),
  ),
  base_url: z.string(),
  sample_data: z.boolean(),
  /** Whether the person may change the settings of the whole service. */
  runs_service: z.boolean(),
})
export type SessionWire = z.infer<typeof sessionSchema>

/** The answer to a right password where more is asked for. */
export const secondFactorChallengeSchema = z.strictObject({
  token: z.string(),
  totp: z.boolean(),
  /** What a browser's authenticator is asked with; null where there is no passkey. */
  passkey: z.custom<object>((value) => typeof value === 'object').nullable(),
  recovery_codes: z.boolean(),
})
export type SecondFactorChallengeWire = z.infer<typeof secondFactorChallengeSchema>

export const secondFactorsSchema = z.strictObject({
  totp: z.boolean(),
  passkeys: z.array(
    z.strictObject({
      id: z.string(),
      name: z.string(),
      created_at: z.string(),
      last_used_at: z.string().nullable(),
    }),
  ),
  recovery_codes_left: z.number(),
  /** The host name that passkeys belong to; null where there can be none. */
  passkey_host: z.string().nullable(),
})
export type SecondFactorsWire = z.infer<typeof secondFactorsSchema>

export const linkSchema = z.strictObject({
  purpose: z.enum(['sign_in', 'invitation', 'password_reset']),
  email: z.string(),
  organization: z.string().nullable(),
  role: z.enum(MEMBER_ROLES).nullable(),
  /** Whether the person has yet to choose a password. */
  new_person: z.boolean(),
})
export type LinkWire = z.infer<typeof linkSchema>

/** `ending`: within two weeks. `blocked`: above what its organization may use. */
export const webhookSchema = z.strictObject({
  id: z.string(),
  url: z.string(),
  /** All of them when empty. */
  types: z.array(z.string()),
  created_at: z.string(),
  disabled_at: z.string().nullable(),
  disabled_reason: z.string().nullable(),
  overlap_until: z.string().nullable(),
})
export type WebhookWire = z.infer<typeof webhookSchema>

export const deliverySchema = z.strictObject({
  event_id: z.string(),
  payload: eventSchema,
  state: z.enum(['pending', 'delivered', 'failed']),
  attempts: z.number(),
  status: z.number().nullable(),
  answer: z.string(),
  next_at: z.string().nullable(),
  settled_at: z.string().nullable(),
})
export type DeliveryWire = z.infer<typeof deliverySchema>

export const keyStateSchema = z.enum(['active', 'ending', 'expired', 'revoked', 'blocked'])
export type KeyState = z.infer<typeof keyStateSchema>

export const keySchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  tier: z.enum(TIERS),
  prefix: z.string(),
  last_four: z.string(),
  state: keyStateSchema,
  created_at: z.string(),
  created_by: z.string().nullable(),
  expires_at: z.string().nullable(),
  last_used_at: z.string().nullable(),
  revoked_at: z.string().nullable(),
  rotated_from: z.string().nullable(),
  limit_per_minute: z.number().nullable(),
  /** In CIDR form; empty where it may be used from everywhere. */
  allowed_addresses: z.array(z.string()),
})
export type KeyWire = z.infer<typeof keySchema>

export const memberSchema = z.strictObject({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  role: z.enum(MEMBER_ROLES),
  joined_at: z.string(),
  /** Last use of a session; null if there is none. */
  seen_at: z.string().nullable(),
  second_factor: z.boolean(),
  /** Whether an owner may reset password and second factor: only of people who belong to no other organization. */
  may_reset: z.boolean(),
  you: z.boolean(),
})
export type MemberWire = z.infer<typeof memberSchema>
const invitationSchema = z.strictObject({
  id: z.string(),
  email: z.string(),
  role: z.enum(MEMBER_ROLES),
  invited_by: z.string(),
  created_at: z.string(),
  expires_at: z.string(),
})
export const membersSchema = z.strictObject({
  members: z.array(memberSchema),
  invitations: z.array(invitationSchema),
})
export type MembersWire = z.infer<typeof membersSchema>

export const activeSessionSchema = z.strictObject({
  id: z.string(),
  created_at: z.string(),
  seen_at: z.string(),
  address: z.string(),
  agent: z.string(),
  current: z.boolean(),
})
export type ActiveSessionWire = z.infer<typeof activeSessionSchema>

export const activitySchema = z.strictObject({
  id: z.string(),
  at: z.string(),
  who: z.string(),
  action: z.string(),
  subject: z.string(),
  detail: z.record(z.string(), z.string()),
})
export type ActivityWire = z.infer<typeof activitySchema>

export const usageSchema = z.strictObject({
  from: z.string(),
  to: z.string(),
  quota: quotaSchema.nullable(),
  /** One entry per day, endpoint, key and status that had requests. */
  rows: z.array(
    z.strictObject({
      day: z.string(),
      key_id: z.string(),
      route: z.string(),
      status: z.number(),
      count: z.number(),
    }),
  ),
  /** Most requests that a key made in one minute of the day, and what it was allowed. */
  peaks: z.array(
    z.strictObject({
      day: z.string(),
      key_id: z.string(),
      peak_per_minute: z.number(),
    }),
  ),
  keys: z.array(
    z.strictObject({
      id: z.string(),
      name: z.string(),
      tier: z.enum(TIERS),
      limit_per_minute: z.number(),
    }),
  ),
  lookups: z.array(
    z.strictObject({
      day: z.string(),
      risk_level: z.enum(RISK_LEVELS),
      count: z.number(),
    }),
  ),
})
export type UsageWire = z.infer<typeof usageSchema>

/** The last two weeks by the hour. */
export const usageHoursSchema = z.strictObject({
  /** Hours since 1970, UTC: the first and the last that are shown. */
  from: z.number(),
  to: z.number(),
  /** Upper ends of the classes of time in milliseconds; the last class has none. */
  latency_classes: z.array(z.number()),
  rows: z.array(
    z.strictObject({
      hour: z.number(),
      key_id: z.string(),
      route: z.string(),
      status: z.number(),
      latency: z.number(),
      count: z.number(),
    }),
  ),
})
export type UsageHoursWire = z.infer<typeof usageHoursSchema>

export const requestLogEntrySchema = z.strictObject({
  id: z.string(),
  at: z.string(),
  key_id: z.string(),
  method: z.string(),
  route: z.string(),
  status: z.number(),
  ms: z.number(),
  request_id: z.string(),
})
export type RequestLogEntryWire = z.infer<typeof requestLogEntrySchema>

export const importRunSchema = z.strictObject({
  id: z.string(),
  format: z.string(),
  started_at: z.string(),
  finished_at: z.string().nullable(),
  /** `unfinished`: running still, or cut off. */
  state: z.enum(['done', 'failed', 'unfinished']),
  /** `rows` read, `rejected`, and what they came to; which figures there are depends on the format. */
  figures: z.record(z.string(), z.number()),
  /** From here on for the organization that runs the service. */
  file: z.string().optional(),
  failure: z.string().nullable().optional(),
  rejected_by: z.record(z.string(), z.number()).optional(),
  /** Whether there is a file with the rejected rows. */
  has_report: z.boolean().optional(),
  /** Whether its prices can be removed: it stored some and they were not removed before. */
  can_undo: z.boolean().optional(),
  undone_at: z.string().nullable().optional(),
})
export type ImportRunWire = z.infer<typeof importRunSchema>

export const feedSchema = z.strictObject({
  name: z.string(),
  format: z.string(),
  /** Cron text; null for one that runs by hand alone. */
  schedule: z.string().nullable(),
  time_zone: z.string().nullable(),
  last_run_at: z.string().nullable(),
  /** `unfinished`: running still, or cut off; null: it never ran. */
  outcome: z.enum(['imported', 'unchanged', 'failed', 'stopped', 'unfinished']).nullable(),
  last_success_at: z.string().nullable(),
  last_failure_at: z.string().nullable(),
  next_run_at: z.string().nullable(),
})
export type FeedWire = z.infer<typeof feedSchema>

export const ratesPageSchema = z.strictObject({
  /** Whether the session's organization runs this service; rates are shared by all organizations. */
  may_update: z.boolean(),
  currencies: z.array(
    z.strictObject({
      currency: z.string(),
      /** Units for one US dollar. */
      rate: z.number(),
      date: z.string(),
      stale: z.boolean(),
      source: z.enum(RATE_SOURCES),
    }),
  ),
})
export type RatesPageWire = z.infer<typeof ratesPageSchema>

export const organizationSettingsSchema = z.strictObject({
  name: z.string(),
  /** Null: the market of the service. */
  market: z.string().nullable(),
  currency: z.string(),
  service_market: z.string(),
  markets: z.array(z.strictObject({ code: z.string(), name: z.string(), currency: z.string() })),
  currencies: z.array(z.string()),
  /** Amounts of the buying policy that this change converted; empty if the currency stayed. */
  converted: z.array(
    z.strictObject({
      field: z.string(),
      before: z.strictObject({ amount: z.number(), currency: z.string() }),
      after: z.strictObject({ amount: z.number(), currency: z.string() }),
    }),
  ),
})
export type OrganizationSettingsWire = z.infer<typeof organizationSettingsSchema>

/** A model that the organization confirmed for a type allocation code. */
export const confirmedTacSchema = z.strictObject({
  tac: z.string(),
  device_id: z.string(),
  /** Null if the device is no longer in the registry. */
  device_name: z.string().nullable(),
  /** Number of devices for which it was confirmed. */
  units: z.int().min(1),
  confirmed_at: z.string(),
})
export type ConfirmedTacWire = z.infer<typeof confirmedTacSchema>

/** A code on a printed sheet, by which anybody who holds it sees what was chosen. The code itself is shown once. */
export const shareSchema = z.strictObject({
  id: z.string(),
  shown: z.array(z.enum(SHARED_FACTS)),
  created_at: z.string(),
  created_by: z.string(),
  withdrawn_at: z.string().nullable(),
})
export type ShareWire = z.infer<typeof shareSchema>
export const newShareSchema = z.strictObject({
  share: shareSchema,
  address: z.string(),
})
export type NewShareWire = z.infer<typeof newShareSchema>

const POLICY_FIELDS = policySchema.keyof().options

/** The organization's buying policy, field by field. */
export const policyPageSchema = z.strictObject({
  policy: policySchema,
  /** The terms that the organization said for itself; the rest holds for all. */
  own: z.array(z.enum(POLICY_FIELDS)),
  for_all: policySchema,
  /** What each term means. */
  says: z.record(z.enum(POLICY_FIELDS), z.string()),
  currencies: z.array(z.string()),
})
export type PolicyPageWire = z.infer<typeof policyPageSchema>

/** A device that was appraised, and how often. */
export const appraisedDeviceSchema = z.strictObject({
  device_id: z.string(),
  device_name: z.string(),
  total: z.number(),
})
export type AppraisedDeviceWire = z.infer<typeof appraisedDeviceSchema>

/** What the cheapest configuration of each device sells for in grade Good, in US cents; null without a basis. */
export const lowestUsedPricesSchema = z.record(z.string(), z.number().nullable())
export type LowestUsedPricesWire = z.infer<typeof lowestUsedPricesSchema>

/** Something that an owner should look at, worst first. */
export const attentionSchema = z.strictObject({
  kind: z.enum(['clock_jumped', 'source_down', 'list_stale', 'feed_failing', 'import_failed', 'key_expiring']),
  /** The name of the source, key, feed or list, or the format of the import. */
  subject: z.string(),
  /** When it runs out, failed or was last renewed, or since when it does not answer. */
  at: z.string().nullable(),
})
export type AttentionWire = z.infer<typeof attentionSchema>

/** What the registry can be filtered by. */
export const catalogueFiltersSchema = z.strictObject({
  makes: z.array(z.string()),
  categories: z.array(z.string()),
})
export type CatalogueFiltersWire = z.infer<typeof catalogueFiltersSchema>

/** A test identifier with a fixed answer. */
export const sandboxSchema = z.strictObject({
  identifier: z.string(),
  identifier_type: z.string(),
  outcome: z.string(),
  about: z.string(),
})
export type SandboxWire = z.infer<typeof sandboxSchema>
