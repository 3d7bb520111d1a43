import { z } from 'zod'
import { envelopeSchema } from './envelope.ts'
import { EXAMPLE_TIME } from './examples.ts'
import { bodyOf, DONE, defineManagementEndpoint } from './management-shared.ts'
import {
  feedSettingsSchema,
  mailTestSchema,
  type ServiceSettingsWire,
  serviceChangesSchema,
  serviceSettingsSchema,
  sourceSettingsSchema,
  sourceTestRequestSchema,
  sourceTestSchema,
} from './service-settings.ts'

const OPERATOR_ONLY = 'For owners of the organization that runs the service, and for keys with the right to `operate`.'
/** Settings belong to the service, not to an organization. */
const operator = { permission: 'service:operate', query: z.object({}) } as const
const settingsResponse = envelopeSchema(serviceSettingsSchema)
/** Enough for every source and feed. */
const LIST_MAX_BYTES = 1024 * 1024

const entryName = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,39}$/, 'a name of lower-case letters, digits, - and _')
const ofSource = z.object({ name: entryName.describe('Name of the source.') })
const ofFeed = z.object({ name: entryName.describe('Name of the feed.') })

const exampleDefinition = {
  name: 'registry',
  speaks_for: ['blacklist'],
  request: { url: 'https://registry.example/{identifier}' },
  answer: {
    identifier: 'imei',
    facts: { blacklist: { path: 'status', words: { ok: 'clean', stolen: 'blacklisted' } } },
  },
}
const exampleFeed = { format: 'observations', url: 'https://supplier.example/prices.csv', schedule: '0 3 * * *' }

const exampleMarketplace = {
  template: { name: 'ebay', market: 'DE', client_id: 'shop-prices' },
  client_secret: '…',
  schedule: '17 * * * *',
} as const

const exampleSettings: ServiceSettingsWire = {
  settings: [{ name: 'MARKET', value: 'de', default_value: 'us', source: 'page' }],
  environment: [{ name: 'BASE_URL', value: 'https://shop.example', description: 'Public address of the service.' }],
  sources: [
    {
      name: 'registry',
      definition: exampleDefinition,
      host: 'registry.example',
      identifiers: ['imei'],
      speaks_for: ['blacklist'],
      header_names: ['Authorization'],
      has_client_secret: false,
      outage: null,
    },
  ],
  feeds: [],
  feed_formats: [{ name: 'observations', options: ['source', 'side', 'currency'], flags: ['clears'] }],
  backup: {
    is_supported: true,
    is_running: false,
    last_at: EXAMPLE_TIME,
    folder: '/data/backups',
    files: [{ name: 'backup-2026-03-02T09-30-00-000Z.db', bytes: 8_192_000, created_at: EXAMPLE_TIME }],
    failure: null,
  },
  mail: null,
  base_url: { url: 'https://shop.example', is_set: true, is_secure: true, is_loopback: false },
  markets: [{ code: 'de', name: 'Germany' }],
  replaced: { sources: null, feeds: null },
}

export const getServiceSettings = defineManagementEndpoint('GET /api/manage/service', {
  ...operator,
  id: 'getServiceSettings',
  summary: 'Get the settings of the service',
  description: `Settings, identifier sources, feeds, backups and mail of the whole service. Secrets are never returned. ${OPERATOR_ONLY}`,
  response: settingsResponse,
  examples: [{ summary: 'A service with one source', data: exampleSettings }],
})

export const changeServiceSettings = defineManagementEndpoint('PATCH /api/manage/service', {
  ...operator,
  id: 'changeServiceSettings',
  summary: 'Change settings of the service',
  description: `Null goes back to the default. A setting of the environment cannot be changed here. All settings are changed, or none. \`sources\` and \`feeds\` make a document the whole list: entries that are not in it are removed, secrets that it leaves out stay as they are stored; a list is replaced as a whole, or not at all. ${OPERATOR_ONLY}`,
  body: bodyOf(serviceChangesSchema, LIST_MAX_BYTES),
  response: settingsResponse,
  examples: [
    { summary: 'Another market', body: { MARKET: 'de' }, data: exampleSettings },
    {
      summary: 'One source instead of all',
      body: { sources: [exampleDefinition] },
      data: {
        ...exampleSettings,
        replaced: { sources: { added: [], changed: ['registry'], removed: [], unchanged: [] }, feeds: null },
      },
    },
  ],
})

export const putSource = defineManagementEndpoint('PUT /api/manage/service/sources/{name}', {
  ...operator,
  id: 'putSource',
  params: ofSource,
  summary: 'Add or change an identifier source',
  description: `Secrets that are not sent stay as they are stored, unless the host changes. ${OPERATOR_ONLY}`,
  body: bodyOf(sourceSettingsSchema),
  response: settingsResponse,
  examples: [
    {
      summary: 'A registry',
      params: { name: 'registry' },
      body: { definition: exampleDefinition, headers: { Authorization: 'Bearer …' } },
      data: exampleSettings,
    },
  ],
})

export const removeSource = defineManagementEndpoint('DELETE /api/manage/service/sources/{name}', {
  ...operator,
  id: 'removeSource',
  params: ofSource,
  summary: 'Remove an identifier source',
  description: `Lookups no longer query it. ${OPERATOR_ONLY}`,
  response: settingsResponse,
  examples: [{ summary: 'A registry', params: { name: 'registry' }, data: { ...exampleSettings, sources: [] } }],
})

export const testSource = defineManagementEndpoint('POST /api/manage/service/sources/test', {
  ...operator,
  id: 'testSource',
  summary: 'Query a source once',
  description: `Queries an identifier source about one \`identifier\`, or a price service about one device (\`query\`): a stored one, or a definition before it is stored. Nothing is imported. ${OPERATOR_ONLY}`,
  isIdempotent: true,
  body: bodyOf(sourceTestRequestSchema),
  response: envelopeSchema(sourceTestSchema),
  examples: [
    {
      summary: 'A stored source',
      body: { name: 'registry', identifier: '356938035643809' },
      data: {
        outcome: 'answered',
        reason: null,
        failure_reason: null,
        duration_ms: 210,
        facts: { blacklist: 'clean' },
        findings: [],
        results: null,
        listings: [],
      },
    },
    {
      summary: 'A marketplace before it is stored',
      body: { feed: exampleMarketplace, query: 'iPhone 13 128 GB' },
      data: {
        outcome: 'answered',
        reason: null,
        failure_reason: null,
        duration_ms: 640,
        facts: {},
        findings: [],
        results: 1_204,
        listings: [
          {
            listing_id: 'v1|256000000001|0',
            title: 'Apple iPhone 13 128GB Midnight',
            price: '289.00',
            currency: 'EUR',
            condition: 'Very Good - Refurbished',
            device: 'Apple iPhone 13 128GB',
            grade: 'Good',
            reason: null,
          },
        ],
      },
    },
  ],
})

export const putFeed = defineManagementEndpoint('PUT /api/manage/service/feeds/{name}', {
  ...operator,
  id: 'putFeed',
  params: ofFeed,
  summary: 'Add or change a feed',
  description: `A file by its address, a marketplace by its \`template\`, or another price service by its \`api\`. Secrets that are not sent stay as they are stored, unless the host changes. ${OPERATOR_ONLY}`,
  body: bodyOf(feedSettingsSchema),
  response: settingsResponse,
  examples: [
    { summary: 'A nightly price list', params: { name: 'market' }, body: exampleFeed, data: exampleSettings },
    { summary: 'A marketplace', params: { name: 'ebay-de' }, body: exampleMarketplace, data: exampleSettings },
  ],
})

export const removeFeed = defineManagementEndpoint('DELETE /api/manage/service/feeds/{name}', {
  ...operator,
  id: 'removeFeed',
  params: ofFeed,
  summary: 'Remove a feed',
  description: `Its imports stay. ${OPERATOR_ONLY}`,
  response: settingsResponse,
  examples: [{ summary: 'A price list', params: { name: 'market' }, data: exampleSettings }],
})

export const runFeed = defineManagementEndpoint('POST /api/manage/service/feeds/{name}/run', {
  ...operator,
  id: 'runFeed',
  params: ofFeed,
  summary: 'Run a feed now',
  description: `Starts fetching and importing a feed; \`listFeeds\` shows the result. Has no effect on a feed that is already running. ${OPERATOR_ONLY}`,
  isIdempotent: true,
  examples: [{ summary: 'A price list', params: { name: 'market' }, data: DONE }],
})

export const startBackup = defineManagementEndpoint('POST /api/manage/service/backup', {
  ...operator,
  id: 'startBackup',
  summary: 'Start a backup',
  description: `Copies the embedded database to the folder of backups; \`backup\` of the settings shows when it is complete. ${OPERATOR_ONLY}`,
  response: settingsResponse,
  examples: [{ summary: 'A backup', data: exampleSettings }],
})

export const sendTestMail = defineManagementEndpoint('POST /api/manage/service/mail/test', {
  ...operator,
  id: 'sendTestMail',
  summary: 'Send a test message',
  description: `Sends a message by the mail server of \`SMTP_URL\` and returns its error, if there is one. ${OPERATOR_ONLY}`,
  isIdempotent: true,
  body: bodyOf(z.strictObject({ to: z.email().max(254).describe('Recipient.') })),
  response: envelopeSchema(mailTestSchema),
  examples: [
    { summary: 'An accepted message', body: { to: 'owner@shop.example' }, data: { outcome: 'sent', reason: null } },
  ],
})

export const serviceEndpoints = [
  getServiceSettings,
  changeServiceSettings,
  putSource,
  removeSource,
  testSource,
  putFeed,
  removeFeed,
  runFeed,
  startBackup,
  sendTestMail,
] as const
