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
import { optionalText } from './endpoint.ts'
import { eventSchema } from './events.ts'
import { LANGUAGES } from './languages.ts'
import { RISK_LEVELS } from './lookups.ts'
import { outcomesRequestSchema } from './outcome.ts'
import { policySchema } from './policy.ts'
import { SHARED_FACTS } from './shared-facts.ts'
import { KEY_RIGHT_NAMES, KEY_RIGHTS, TIERS } from './tiers.ts'
import { quotaSchema } from './usage.ts'
import { dateValue, instant } from './values.ts'

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
export const idValue = z.string().regex(/^[A-Za-z0-9_]{1,64}$/, 'expected an id')
const id = idValue
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
    market: z.string().max(40).optional(),
    email,
    name: name.optional(),
    password: newPassword,
  }),
  signIn: z.object({ email, password: z.string().max(MAX_PASSWORD_LENGTH) }),
  signOut: z.object({}),
  forgotPassword: z.object({ email }),
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
  requireSignOn: z.object({
    required: z.boolean(),
    /** The owner who may still sign in with password and second factor; the person who asks if absent. */
    break_glass_id: id.optional(),
  }),
  invite: z.object({
    email: email.describe('E-mail address.'),
    role: z.enum(MEMBER_ROLES).describe('Role after joining.'),
  }),
  withdrawInvitation: z.object({ id }),
  changeRole: z.object({ id, role: z.enum(MEMBER_ROLES).describe('New role.') }),
  removeMember: z.object({ id }),
  resetMember: z.object({ id }),
  createKey: z.object({
    name: name.describe('Name.'),
    tier: z.enum(TIERS).describe('Tier; at most that of the organization and of the key that creates it.'),
    expires_on: z.iso.date().nullish().describe('Last day (UTC) on which it works; without end if absent.'),
    rights: z.array(z.enum(KEY_RIGHTS)).max(KEY_RIGHTS.length).optional().describe('Rights; none if absent.'),
    limit_per_minute: keyRateLimit.optional().describe('Requests per minute; null for those of its tier.'),
    allowed_addresses: addresses.optional().describe('Addresses and networks it may be used from; all if absent.'),
  }),
  changeKey: z.object({
    id,
    name: name.optional().describe('New name.'),
    limit_per_minute: keyRateLimit.optional().describe('Requests per minute; null for those of its tier.'),
    allowed_addresses: addresses.optional().describe('Addresses and networks it may be used from; empty for all.'),
  }),
  rotateKey: z.object({
    id,
    overlap_days: z.int().min(0).max(MAX_OVERLAP_DAYS).describe('Days for which the old key keeps working.'),
  }),
  revokeKey: z.object({ id }),
  createWebhook: z.object({
    url: z.string().max(1_000).describe('Address that events are sent to: https, on the internet.'),
    types: z.array(z.string().max(60)).max(20).describe('Event types to send; all if empty.'),
  }),
  rotateWebhook: z.object({
    id,
    overlap_hours: z.int().min(0).max(720).describe('Hours for which deliveries are also signed with the old secret.'),
  }),
  changeWebhook: z.object({ id }),
  replayDelivery: z.object({ id, event_id: id }),
  replayDeliveries: z.object({
    id,
    from: z.iso.datetime().describe('Time of the first event.'),
    to: z.iso.datetime().describe('End of the range, exclusive.'),
    only_failed: z.boolean().describe('Whether to send only what failed.'),
  }),
  endWatch: z.object({ id }),
  previewAppraisal: z.object({
    /** The lookup that was made of the identifier; null without one. */
    lookup_id: id.nullable(),
    /** As for `POST /api/appraisals`, without the identifier. */
    request: z.record(z.string(), z.unknown()),
  }),
  /** The credentials of a manager, for an offer above the limit of a clerk; `request` as for `POST /api/appraisals`. */
  approveAppraisal: z.object({
    email,
    password: z.string().max(MAX_PASSWORD_LENGTH),
    code: z.string().max(20).optional(),
    request: z.record(z.string(), z.unknown()),
  }),
  shareAppraisal: z.object({ appraisal_id: id, shown: z.array(z.enum(SHARED_FACTS)).min(1).max(SHARED_FACTS.length) }),
  withdrawShare: z.object({ id }),
  /** `outcome`: as for `POST /api/appraisals/{id}/outcome`; null removes it. */
  recordOutcome: z.object({ appraisal_id: id, outcome: z.record(z.string(), z.unknown()).nullable() }),
  recordOutcomes: outcomesRequestSchema,
  includeDeals: z.object({ included: z.boolean() }),
  tacModel: z.object({ tac: z.string().regex(/^\d{8}$/, 'a TAC of 8 digits'), device_id: z.string().max(200) }),
  changePolicy: z.object({
    terms: z.record(z.string(), z.unknown()).describe('Fields of the policy to set; null goes back to the default.'),
  }),
  changeSettings: z.object({
    name: z.string().optional().describe('Name of the organization.'),
    market: z
      .string()
      .nullable()
      .optional()
      .describe('Country whose prices it gets, such as `de`; null for the market of the service.'),
    currency: z.string().optional().describe('Currency of its policy and of its dashboard.'),
  }),
} as const

export const DEVICE_SORTS = ['name', 'price_low', 'price_high', 'frequent'] as const
export type DeviceSort = (typeof DEVICE_SORTS)[number]
/** Beside the parameters of `GET /api/devices`. */
export const sortedDevicesQuery = z.object({
  sort: z
    .enum(DEVICE_SORTS)
    .describe(
      'Prices are the lowest list prices; `frequent`: devices that the organization appraised and checked most come first; of the checks, the newest 500 count.',
    ),
})

export const deliveriesQuery = z.object({
  id: z.string().default(''),
  state: optionalText().describe('Only deliveries in this state: `pending`, `delivered` or `failed`.'),
  type: optionalText().describe('Only deliveries of this event type.'),
})

/** The prices of an organization's own deals. */
export const ownDealsSchema = z.strictObject({
  included: z.boolean(),
  prices: z.int(),
  /** Deals whose prices never count, such as those of devices with defects. */
  excluded: z.int(),
  newest_on: z.string().nullable(),
})

/** Whether the service waits for its first owner. */
export const setupStatusSchema = z.strictObject({
  needed: z.boolean(),
  /** Whether the service sends mail, such as links to choose a new password. */
  sends_mail: z.boolean(),
  service_market: z.string(),
  /** Markets to choose from; empty once the service is set up. */
  markets: z.array(z.strictObject({ code: z.string(), name: z.string() })),
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

export const signInOptionsSchema = z.strictObject({
  /** The issuer to sign in with; null if there is none. */
  oidc: z.strictObject({ name: z.string() }).nullable(),
})

export const signOnSchema = z.strictObject({
  /** Name of the issuer; null if the service has none. */
  available: z.string().nullable(),
  /** Whether members must sign in there. */
  required: z.boolean(),
  /** The owner who may still sign in with password and second factor. */
  break_glass_id: z.string().nullable(),
})

export const linkSchema = z.strictObject({
  purpose: z.enum(['sign_in', 'invitation', 'password_reset']),
  email: z.string(),
  organization: z.string().nullable(),
  role: z.enum(MEMBER_ROLES).nullable(),
  /** Whether the person has yet to choose a password. */
  new_person: z.boolean(),
})
export type LinkWire = z.infer<typeof linkSchema>

export const webhookSchema = z
  .strictObject({
    id: z.string().describe('Webhook id.'),
    organization_id: z.string().describe('Organization whose events it gets.'),
    url: z.string().describe('Address that events are sent to.'),
    types: z.array(z.string()).describe('Event types that are sent; all if empty.'),
    created_at: instant.describe('Time of creation.'),
    disabled_at: instant.nullable().describe('Time since which nothing is sent; null while it is in use.'),
    disabled_reason: z.string().nullable().describe('Why nothing is sent.'),
    overlap_until: instant.nullable().describe('Until then deliveries are also signed with the previous secret.'),
  })
  .describe('A webhook endpoint.')
  .meta({ id: 'Webhook' })
export type WebhookWire = z.infer<typeof webhookSchema>

export const deliverySchema = z
  .strictObject({
    event_id: z.string().describe('Event id.'),
    payload: eventSchema.describe('The event.'),
    state: z.enum(['pending', 'delivered', 'failed']).describe('State of the delivery.'),
    attempts: z.int().min(0).describe('Attempts so far.'),
    status: z.int().nullable().describe('HTTP status of the last response; null without one.'),
    response: z.string().describe('Start of the last response, or why there was none.'),
    next_at: instant.nullable().describe('Time of the next attempt; null if none follows.'),
    settled_at: instant.nullable().describe('Time at which it was delivered or given up.'),
  })
  .describe('Delivery of one event to one webhook endpoint.')
  .meta({ id: 'WebhookDelivery' })
export type DeliveryWire = z.infer<typeof deliverySchema>

export const keyStateSchema = z
  .enum(['active', 'ending', 'expired', 'revoked', 'blocked'])
  .describe('`ending`: expires within two weeks; `blocked`: above the tier of its organization.')
export type KeyState = z.infer<typeof keyStateSchema>

export const keySchema = z
  .strictObject({
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
  .describe('An API key. The key itself is shown once, when it is created.')
  .meta({ id: 'ApiKey' })
export type KeyWire = z.infer<typeof keySchema>

export const memberSchema = z
  .strictObject({
    id: z.string().describe('Person id.'),
    email: z.string().describe('E-mail address.'),
    name: z.string().describe('Name.'),
    role: z.enum(MEMBER_ROLES).describe('Role in the organization.'),
    joined_at: instant.describe('Time of joining.'),
    seen_at: instant.nullable().describe('Last use of a session; null if there is none.'),
    second_factor: z.boolean().describe('Whether the person has a second factor.'),
    may_reset: z
      .boolean()
      .describe('Whether password and second factor can be reset: only of people who belong to no other organization.'),
    you: z.boolean().describe('Whether this is the person who asks; false for API keys.'),
  })
  .describe('A member of an organization.')
  .meta({ id: 'Member' })
export type MemberWire = z.infer<typeof memberSchema>
const invitationSchema = z
  .strictObject({
    id: z.string().describe('Invitation id.'),
    email: z.string().describe('E-mail address.'),
    role: z.enum(MEMBER_ROLES).describe('Role after joining.'),
    invited_by: z.string().describe('Who invited them.'),
    created_at: instant.describe('Time of the invitation.'),
    expires_at: instant.describe('Time at which its link stops working.'),
  })
  .describe('An open invitation.')
  .meta({ id: 'Invitation' })
export const membersSchema = z.strictObject({
  members: z.array(memberSchema).describe('Members.'),
  invitations: z.array(invitationSchema).describe('Open invitations.'),
})
export const newLinkSchema = z.strictObject({
  link: z.string().describe('Link for the person; shown once.'),
  expires_at: instant.describe('Time at which the link stops working.'),
  mailed: z.boolean().describe('Whether it was sent to the person by e-mail.'),
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

export const usageSchema = z.strictObject({
  from: z.string().describe('First day in the rows.'),
  to: z.string(),
  is_cut: z.boolean().describe('Whether older days are left out, because there are too many rows. The CSV has all.'),
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

export const importRunSchema = z
  .strictObject({
    id: z.string().describe('Import id.'),
    format: z.string().describe('Format of the file.'),
    started_at: instant.describe('Time of the start.'),
    finished_at: instant.nullable().describe('Time of the end; null before it.'),
    state: z.enum(['done', 'failed', 'unfinished']).describe('`unfinished`: running, or interrupted.'),
    figures: z
      .record(z.string(), z.number())
      .describe('Counts by name: `rows` read, `rejected`, and further ones by format.'),
    file: z.string().optional().describe('Name of the file. This and the fields below: for the operator only.'),
    failure: z.string().nullable().optional().describe('Why it failed.'),
    rejected_by: z.record(z.string(), z.number()).optional().describe('Rejected rows by reason.'),
    has_report: z.boolean().optional().describe('Whether the rejected rows can be downloaded.'),
    can_undo: z.boolean().optional().describe('Whether its prices can be removed.'),
    undone_at: z.string().nullable().optional().describe('Time at which its prices were removed.'),
  })
  .describe('One import.')
  .meta({ id: 'Import' })
export const undoneImportSchema = z.strictObject({
  observations: z.int().min(0).describe('Prices removed.'),
  restored: z.int().min(0).describe('Prices that were restored.'),
  devices: z.int().min(0).describe('Devices whose prices are recalculated.'),
})
export type ImportRunWire = z.infer<typeof importRunSchema>

export const feedSchema = z
  .strictObject({
    name: z.string().describe('Name.'),
    format: z.string().describe('Format of the file.'),
    schedule: z.string().nullable().describe('Cron expression; null for a feed without a schedule.'),
    time_zone: z.string().nullable().describe('Time zone of the schedule.'),
    last_run_at: instant.nullable().describe('Time of the last run; null if it never ran.'),
    outcome: z
      .enum(['imported', 'unchanged', 'failed', 'stopped', 'unfinished'])
      .nullable()
      .describe('Result of the last run; `unfinished`: running, or interrupted.'),
    last_success_at: instant.nullable().describe('Time of the last success.'),
    last_failure_at: instant.nullable().describe('Time of the last failure.'),
    next_run_at: instant.nullable().describe('Time of the next run.'),
    url: z.string().optional().describe('Address without secrets. This and the fields below: for the operator only.'),
    finished_at: instant.nullable().optional().describe('End of the last run; null while it runs.'),
    failure: z.string().nullable().optional().describe('Why the last failed run failed.'),
    failures: z.int().min(0).optional().describe('Failed runs since the last success.'),
  })
  .describe('A file that the service fetches and imports by schedule.')
  .meta({ id: 'Feed' })
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

/** A confirmed model of a type allocation code over all organizations, for the operator. */
export const tacAgreementSchema = confirmedTacSchema.extend({
  /** Number of devices for which organizations confirmed it; 0 if only the operator did. */
  units: z.int().min(0),
  organizations: z.int().min(0),
  confirmed_for_all: z.boolean(),
})
export type TacAgreementWire = z.infer<typeof tacAgreementSchema>

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
