import { z } from 'zod'
import { failureReason } from './errors.ts'
import { feedSchema } from './imports.ts'
import { priceTemplateSchema, testedListingSchema } from './price-services.ts'
import { component, instant } from './values.ts'

/** Settings of the whole service that its operator may change. */
export const STORED_SETTINGS = ['MARKET', 'SAMPLE_DATA', 'LOOKUP_RETENTION_DAYS'] as const
export type StoredSettingName = (typeof STORED_SETTINGS)[number]

const secretHeaders = z
  .record(z.string().min(1).max(100), z.string().min(1).max(4_000))
  .describe('Secret headers of the request. Written only: responses name them.')

const sourceDefinitionSchema = z
  .record(z.string(), z.unknown())
  .describe('Definition of a source, as docs/risk.md describes it.')

const feedOptions = z
  .record(z.string().max(40), z.union([z.string().max(200), z.literal(true)]))
  .describe('Options of the import by name; `true` for one without a value, such as `clears`.')

const apiDefinition = z
  .record(z.string(), z.unknown())
  .describe('Requests and response of a price service, as docs/examples/price-services.md describes them.')

const settingSchema = component('ServiceSetting', 'A setting of the service.', {
  name: z.enum(STORED_SETTINGS).describe('Name.'),
  value: z.string().describe('Value in effect.'),
  default_value: z.string().describe('Default.'),
  source: z
    .enum(['environment', 'page', 'default'])
    .describe('Where the value comes from. One of the environment cannot be changed here.'),
})

const environmentSettingSchema = z.strictObject({
  name: z.string().describe('Variable.'),
  value: z.string().describe('Value; secrets are masked.'),
  description: z.string().describe('Meaning.'),
})

const sourceSchema = component('IdentifierSource', 'A source that lookups query.', {
  name: z.string().describe('Name.'),
  definition: sourceDefinitionSchema.describe('Definition without headers and client secret.'),
  host: z.string().describe('Host of its address.'),
  identifiers: z.array(z.string()).describe('Types of identifiers it is queried about.'),
  speaks_for: z.array(z.string()).describe('Lists it speaks for.'),
  header_names: z.array(z.string()).describe('Names of its secret headers.'),
  has_client_secret: z.boolean().describe('Whether a client secret is stored.'),
  outage: z.string().nullable().describe('Why it does not respond; null if it does or was not queried yet.'),
})

const serviceFeedSchema = component('ServiceFeed', 'A feed with its settings.', {
  ...feedSchema.shape,
  address: z.string().describe('Address.'),
  options: feedOptions,
  is_paused: z.boolean().describe('Whether its schedule is paused.'),
  failure: z.string().nullable().describe('Why the last failed run failed.'),
  failure_reason: failureReason,
  header_names: z.array(z.string()).describe('Names of its secret headers.'),
  template: priceTemplateSchema.nullable().describe('Template of a price service; null if it has none.'),
  api: apiDefinition.nullable().describe('Definition of a price service without a template, without its secret.'),
  has_client_secret: z.boolean().describe('Whether a client secret is stored.'),
})

const backupSchema = component('Backups', 'Backups of the embedded database.', {
  is_supported: z.boolean().describe('False with PostgreSQL, which is backed up with its own tools.'),
  is_running: z.boolean().describe('Whether a backup is running.'),
  last_at: instant.nullable().describe('Time of the last backup.'),
  folder: z.string().describe('Folder of the files.'),
  files: z
    .array(
      z.strictObject({
        name: z.string().describe('Name.'),
        bytes: z.int().min(0).describe('Size.'),
        created_at: instant.describe('Time of its end.'),
      }),
    )
    .describe('Files, newest first.'),
  failure: z.string().nullable().describe('Why the last backup failed.'),
})

const entryNames = (description: string) => z.array(z.string()).describe(description)

const entryChangesSchema = component('EntryChanges', 'Changes of a list, by the names of its entries.', {
  added: entryNames('New entries.'),
  changed: entryNames('Changed entries.'),
  removed: entryNames('Removed entries.'),
  unchanged: entryNames('Entries that stayed as they were.'),
})

export const serviceSettingsSchema = component('ServiceSettings', 'Settings of the whole service.', {
  settings: z.array(settingSchema).describe('Settings that can be changed.'),
  environment: z.array(environmentSettingSchema).describe('Settings of the environment.'),
  sources: z.array(sourceSchema).describe('Identifier sources.'),
  feeds: z.array(serviceFeedSchema).describe('Feeds.'),
  feed_formats: z
    .array(
      z.strictObject({
        name: z.string().describe('Format.'),
        options: z.array(z.string()).describe('Its options.'),
        flags: z.array(z.string()).describe('Its options without a value.'),
      }),
    )
    .describe('Formats of feeds.'),
  backup: backupSchema.describe('Backups.'),
  mail: z
    .strictObject({ server: z.string().describe('Mail server.'), from: z.string().describe('Sender.') })
    .nullable()
    .describe('Mail server of `SMTP_URL`; null if it is not set.'),
  base_url: z
    .strictObject({
      url: z.string().describe('Address.'),
      is_set: z.boolean().describe('Whether `BASE_URL` is set.'),
      is_secure: z.boolean().describe('Whether it is HTTPS.'),
      is_loopback: z.boolean().describe('Whether it works on this machine only.'),
    })
    .describe('Public address of the service.'),
  markets: z
    .array(z.strictObject({ code: z.string().describe('Code.'), name: z.string().describe('Name.') }))
    .describe('Values of `MARKET`.'),
  replaced: z
    .strictObject({
      sources: entryChangesSchema.nullable().describe('Changes of the identifier sources.'),
      feeds: entryChangesSchema.nullable().describe('Changes of the feeds.'),
    })
    .describe('Lists that this request replaced; null for others.'),
})
export type ServiceSettingsWire = z.infer<typeof serviceSettingsSchema>

export const sourceTestSchema = component('SourceTest', 'Result of one query of a source.', {
  outcome: z.enum(['answered', 'failed', 'not_asked']).describe('Result.'),
  reason: z.string().nullable().describe('Why there is no result.'),
  failure_reason: failureReason,
  duration_ms: z.number().describe('Duration.'),
  facts: z.record(z.string(), z.string()).describe('Facts by name.'),
  findings: z.array(z.string()).describe('Codes of findings.'),
  results: z.int().min(0).nullable().describe('Results that a price service states; null if it states none.'),
  listings: z.array(testedListingSchema).describe('Listings of a price service.'),
})
export type SourceTestWire = z.infer<typeof sourceTestSchema>

export const mailTestSchema = component('MailTest', 'Result of a test message.', {
  outcome: z.enum(['sent', 'failed']).describe('Result.'),
  reason: z.string().nullable().describe('Error with the response of the mail server; null if it took the message.'),
})
export type MailTestWire = z.infer<typeof mailTestSchema>

const settingValue = z.string().trim().max(100).nullable().optional()
const sourceSecrets = {
  headers: secretHeaders.optional(),
  client_secret: z.string().min(1).max(4_000).optional().describe('Secret of `request.oauth`. Written only.'),
}

export const sourceSettingsSchema = z.strictObject({ definition: sourceDefinitionSchema, ...sourceSecrets })

export const feedSettingsSchema = z.strictObject({
  format: z.string().max(40).optional().describe('Format of the file; required for a file.'),
  url: z
    .string()
    .trim()
    .max(2_000)
    .optional()
    .describe('Address of the file or of a price service without a template.'),
  template: priceTemplateSchema.optional(),
  api: apiDefinition.optional(),
  schedule: z.string().trim().max(100).nullable().default(null).describe('Cron expression; null: run by hand.'),
  time_zone: z.string().max(60).default('UTC').describe('Time zone of the schedule.'),
  options: feedOptions.default({}),
  ...sourceSecrets,
  is_paused: z.boolean().optional().describe('Whether its schedule is paused; absent: as before.'),
})
export type FeedSettingsWire = z.infer<typeof feedSettingsSchema>

export const sourceTestRequestSchema = z.strictObject({
  name: z.string().min(1).max(40).optional().describe('A stored source or price service; it may be changed below.'),
  definition: sourceDefinitionSchema.optional(),
  ...sourceSecrets,
  identifier: z.string().trim().min(1).max(64).optional().describe('Identifier to query.'),
  feed: feedSettingsSchema.optional().describe('A price service that is not stored yet.'),
  query: z.string().trim().min(1).max(200).optional().describe('Device to ask a price service about.'),
})

export const serviceChangesSchema = z.strictObject({
  MARKET: settingValue.describe('Market of organizations without their own.'),
  SAMPLE_DATA: settingValue.describe('`on` or `off`.'),
  LOOKUP_RETENTION_DAYS: settingValue.describe('Days after which lookups are deleted; 0: never.'),
  network: z
    .boolean({ error: 'true or false' })
    .optional()
    .describe(
      'Whether devices of the local network are served: on a port beside that of the service, with TLS and a certificate whose authority this service creates (`/network.crt`). Not possible where `TLS_CERT` or `BASE_URL` is set.',
    ),
  sources: z.array(sourceDefinitionSchema).optional().describe('Definitions of all identifier sources.'),
  feeds: z
    .array(z.record(z.string(), z.unknown()))
    .optional()
    .describe('All feeds with their `name`, as in `putFeed`.'),
})
