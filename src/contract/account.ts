import { z } from 'zod'
import { MEMBER_ROLES } from './account-limits.ts'
import { LANGUAGES } from './languages.ts'
import { SELLER_RECORD_MODES } from './sellers.ts'
import { TIERS } from './tiers.ts'

/** Responses of requests under /account: sessions, sign-in and second factors. */

/** What the sign-in page shows. */
export const signInOptionsSchema = z.strictObject({
  /** Whether the service waits for its first owner. */
  setup_needed: z.boolean(),
  /** Whether the service sends mail, such as links to choose a new password. */
  sends_mail: z.boolean(),
  service_market: z.string(),
  /** Markets to choose from; empty once the service is set up. */
  markets: z.array(z.strictObject({ code: z.string(), name: z.string() })),
  /** Name of the OpenID Connect issuer to sign in with; null if there is none. */
  issuer: z.string().nullable(),
})
export type SignInOptionsWire = z.infer<typeof signInOptionsSchema>

const personSchema = z.strictObject({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  /** Language the person chose; null: that of the browser. */
  language: z.enum(LANGUAGES).nullable(),
})

export const sessionSchema = z.strictObject({
  person: personSchema,
  organization: z.strictObject({
    id: z.string(),
    name: z.string(),
    tier: z.enum(TIERS),
    limits: z.record(z.enum(TIERS), z.number()),
    /** The one currency of its pages, and the rate by which amounts in US cents are shown in it. */
    currency: z.string(),
    units_per_usd: z.number(),
    /** Code of its market, or of the service's if it has none of its own. */
    market: z.string(),
    /** The share of tax that prices of the market are shown with, such as 0.25; 0 if they are shown without. */
    market_tax: z.number(),
    /** What the counter asks about the seller of a device. */
    seller_record: z.enum(SELLER_RECORD_MODES),
    /** Whether the menu has the developer pages. */
    developer_pages: z.boolean(),
    /** Minutes without use after which a shop device asks who is there; null: never. */
    till_idle_minutes: z.number().nullable(),
  }),
  /** Name of the shop device that the session is on; null on a person's own. */
  shop_device: z.string().nullable(),
  role: z.enum(MEMBER_ROLES),
  /** Whether plans, costs and expected profit are shown. */
  sees_margins: z.boolean(),
  /** Highest offer the person may save, in minor units of the organization's currency; null: no limit. */
  offer_limit: z.number().nullable(),
  /** Whether the person has one, and whether their organization asks for it. */
  second_factor: z.strictObject({
    has: z.boolean(),
    required: z.boolean(),
  }),
  base_url: z.string(),
  sample_data: z.boolean(),
  /** Whether the service sends mail, such as the link that proves a new address. */
  sends_mail: z.boolean(),
  /** Whether the person may change the settings of the whole service. */
  runs_service: z.boolean(),
})
export type SessionWire = z.infer<typeof sessionSchema>

/** A colleague, for a till that several people use. */
export const colleagueSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  role: z.enum(MEMBER_ROLES),
})
export type ColleagueWire = z.infer<typeof colleagueSchema>

/** A session on a device of the shop. */
export const shopDeviceSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  person: z.string(),
  role: z.enum(MEMBER_ROLES),
  seen_at: z.string(),
  current: z.boolean(),
})

/** Response to a password that opens several accounts of the address. The token works once, for ten minutes. */
export const organizationChoiceSchema = z.strictObject({
  token: z.string(),
  organizations: z.array(z.strictObject({ id: z.string(), name: z.string() })),
})
export type OrganizationChoiceWire = z.infer<typeof organizationChoiceSchema>

/** Response to a correct password of a person with a second factor. */
export const secondFactorChallengeSchema = z.strictObject({
  token: z.string(),
  totp: z.boolean(),
  /** Options for the browser's passkey request; null without a passkey. */
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
  /** Host name that passkeys belong to; null if passkeys cannot be used. */
  passkey_host: z.string().nullable(),
})
export type SecondFactorsWire = z.infer<typeof secondFactorsSchema>

export const linkSchema = z.strictObject({
  purpose: z.enum(['invitation', 'password_reset', 'email_change']),
  /** The invited or the account's address; of an e-mail change the new one. */
  email: z.string(),
  organization: z.string(),
  /** Role of an invited person; null for other links. */
  role: z.enum(MEMBER_ROLES).nullable(),
})
export type LinkWire = z.infer<typeof linkSchema>

export const activeSessionSchema = z.strictObject({
  id: z.string(),
  created_at: z.string(),
  seen_at: z.string(),
  address: z.string(),
  agent: z.string(),
  current: z.boolean(),
})
