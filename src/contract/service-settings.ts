import { z } from 'zod'
import { feedSchema } from './imports.ts'

/** Settings of the whole service that the organization that runs it may change in the dashboard. */
export const STORED_SETTINGS = ['MARKET', 'SAMPLE_DATA', 'LOOKUP_RETENTION_DAYS'] as const
export type StoredSettingName = (typeof STORED_SETTINGS)[number]

const name = z.string().min(1).max(40)
/** Values are written only: responses name the headers. */
const secretHeaders = z.record(z.string().min(1).max(100), z.string().min(1).max(4_000))

const sourceDefinition = {
  definition: z.string().max(20_000),
  headers: secretHeaders.default({}),
  /** Of `request.oauth`. Written only. */
  client_secret: z.string().min(1).max(4_000).optional(),
}
/** `true`: an option without a value, such as `clears`. */
const feedOptions = z.record(z.string().max(40), z.union([z.string().max(200), z.literal(true)]))

const settingSchema = z.strictObject({
  name: z.enum(STORED_SETTINGS),
  value: z.string(),
  default_value: z.string(),
  /** A setting from the environment cannot be changed in the dashboard. */
  source: z.enum(['environment', 'page', 'default']),
})

const environmentSettingSchema = z.strictObject({
  name: z.string(),
  /** Secrets are masked. */
  value: z.string(),
  description: z.string(),
})

const sourceSchema = z.strictObject({
  name: z.string(),
  /** JSON without headers and client secret. */
  definition: z.string(),
  host: z.string(),
  identifiers: z.array(z.string()),
  speaks_for: z.array(z.string()),
  header_names: z.array(z.string()),
  has_client_secret: z.boolean(),
  /** Why it does not respond at the moment; null if it does or was not asked yet. */
  outage: z.string().nullable(),
})

const serviceFeedSchema = feedSchema.extend({
  address: z.string(),
  options: feedOptions,
  is_paused: z.boolean(),
  failure: z.string().nullable(),
  header_names: z.array(z.string()),
})

const backupSchema = z.strictObject({
  /** PostgreSQL is backed up with its own tools. */
  is_supported: z.boolean(),
  is_running: z.boolean(),
  last_at: z.string().nullable(),
  folder: z.string(),
  files: z.array(z.strictObject({ name: z.string(), bytes: z.number(), created_at: z.string() })),
  failure: z.string().nullable(),
})

export const serviceSettingsSchema = z.strictObject({
  settings: z.array(settingSchema),
  environment: z.array(environmentSettingSchema),
  sources: z.array(sourceSchema),
  feeds: z.array(serviceFeedSchema),
  feed_formats: z.array(
    z.strictObject({
      name: z.string(),
      options: z.array(z.string()),
      /** Options without a value. */
      flags: z.array(z.string()),
    }),
  ),
  backup: backupSchema,
  /** Mail server of SMTP_URL; null if it is not set. */
  mail: z.strictObject({ server: z.string(), from: z.string() }).nullable(),
  base_url: z.strictObject({ url: z.string(), is_set: z.boolean(), is_secure: z.boolean(), is_loopback: z.boolean() }),
  markets: z.array(z.strictObject({ code: z.string(), name: z.string() })),
})
export type ServiceSettingsWire = z.infer<typeof serviceSettingsSchema>

export const sourceTestSchema = z.strictObject({
  outcome: z.enum(['answered', 'failed', 'not_asked']),
  reason: z.string().nullable(),
  duration_ms: z.number(),
  facts: z.record(z.string(), z.string()),
  findings: z.array(z.string()),
})
export type SourceTestWire = z.infer<typeof sourceTestSchema>

export const mailTestSchema = z.strictObject({
  outcome: z.enum(['sent', 'failed']),
  /** Error with the response of the mail server; null if it accepted the message. */
  reason: z.string().nullable(),
})
export type MailTestWire = z.infer<typeof mailTestSchema>

export const baseUrlCheckSchema = z.strictObject({
  outcome: z.enum(['ok', 'unreachable', 'another_service']),
  reason: z.string().nullable(),
})
export type BaseUrlCheckWire = z.infer<typeof baseUrlCheckSchema>

export const serviceSettingsBodies = {
  change: z.strictObject({ name: z.enum(STORED_SETTINGS), value: z.string().trim().max(100).nullable() }),
  source: z.strictObject(sourceDefinition),
  named: z.strictObject({ name }),
  /** A saved source by its name, or a definition that is not saved yet. */
  testSource: z.strictObject({
    ...sourceDefinition,
    name,
    definition: sourceDefinition.definition.optional(),
    identifier: z.string().trim().min(1).max(64),
  }),
  testMail: z.strictObject({ to: z.email().max(254) }),
  feed: z.strictObject({
    name,
    format: z.string().max(40),
    url: z.string().trim().max(2_000),
    schedule: z.string().trim().max(100).nullable(),
    time_zone: z.string().max(60).default('UTC'),
    options: feedOptions.default({}),
    headers: secretHeaders.default({}),
  }),
  pauseFeed: z.strictObject({ name, is_paused: z.boolean() }),
}
