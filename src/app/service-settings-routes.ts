import type { AuditEntry } from '../auth/audit-store.ts'
import { baseUrlOf, type Config, type Environment, findSettingError, listSettings } from '../config.ts'
import { type ServiceSettingsWire, STORED_SETTINGS, type StoredSettingName } from '../contract/service-settings.ts'
import type { FeedOverview } from '../import/feeds/feed-schedule.ts'
import type { FeedSettings } from '../import/feeds/feed-settings.ts'
import { presentFeed } from '../import/present-import.ts'
import type { Encryption } from '../lib/encryption.ts'
import { conflict, DomainError, invalid, notFound } from '../lib/errors.ts'
import { isoInstant, isoInstantOrNull } from '../lib/time.ts'
import type { MailService } from '../mail/mail-service.ts'
import { mailLanguage } from '../people/mail-language.ts'
import { type DashboardRoute, dashboardRoute, type SessionContext } from '../people/session-route.ts'
import { COUNTRY_MARKETS } from '../pricing/country-market.ts'
import type { SourceOutage } from '../risk/sources/source-health.ts'
import type { Backups } from './backups.ts'
import { isLoopback } from './phone-access.ts'
import { checkBaseUrl, sendTestMail, testSource } from './service-checks.ts'
import {
  type ConfiguredSource,
  type EntrySecrets,
  encryptSecrets,
  feedRow,
  InvalidEntryError,
  parseFeed,
  parseSource,
  type ServiceSettingsService,
  type StoredEntry,
  sourceRow,
} from './service-settings.ts'
import type { ServiceSettingsStore } from './service-settings-store.ts'

export type ServiceSettingsDependencies = {
  readonly config: Config
  readonly environment: Environment
  readonly encryption: Encryption
  readonly settings: ServiceSettingsService
  readonly store: ServiceSettingsStore
  readonly backups: Backups
  readonly mail: MailService
  readonly lastBackupAt: () => Promise<number | null>
  readonly feeds: () => Promise<readonly FeedOverview[]>
  readonly runFeed: (name: string) => void
  readonly sourcesDown: () => readonly SourceOutage[]
}

const MARKETS = COUNTRY_MARKETS.map(({ code, name }) => ({ code, name })).sort((left, right) =>
  left.name.localeCompare(right.name, 'en'),
)

/** Settings of the whole service, for owners of the organization that runs it. Secrets are written, never read. */
export function serviceSettingsRoutes(dependencies: ServiceSettingsDependencies): DashboardRoute[] {
  const { config, environment, encryption, settings, store, backups, mail } = dependencies

  /** Writes a row with its audit entry, and applies it before the response. */
  async function write(c: SessionContext, name: string, value: string | null, entry: AuditEntry): Promise<void> {
    const audit = { organizationId: c.get('organization').id, actor: c.get('principal').actor, entry }
    await store.write(name, value, { ...audit, now: c.get('facts').now })
    await settings.refresh()
  }
  const record = (c: SessionContext, entry: AuditEntry) =>
    store.record(c.get('organization').id, c.get('principal').actor, entry, c.get('facts').now)

  function presentSetting(name: StoredSettingName): ServiceSettingsWire['settings'][number] {
    const { config: current, storedNames } = settings.current()
    const values = {
      MARKET: current.market,
      SAMPLE_DATA: current.sampleData ? 'on' : 'off',
      LOOKUP_RETENTION_DAYS: String(current.lookupRetentionDays),
    }
    const defaults = Object.fromEntries(listSettings({}).map((setting) => [setting.name, setting.value]))
    const source = environment[name]?.trim() ? 'environment' : storedNames.has(name) ? 'page' : 'default'
    return { name, value: values[name], default_value: defaults[name] ?? '', source }
  }

  async function present(): Promise<ServiceSettingsWire> {
    const { sources, feeds } = settings.current()
    const [overviews, lastBackupAt, backupFiles, formats] = await Promise.all([
      dependencies.feeds(),
      dependencies.lastBackupAt(),
      backups.list(),
      feedFormats(),
    ])
    const outages = dependencies.sourcesDown()
    const url = baseUrlOf(config)
    return {
      settings: STORED_SETTINGS.map(presentSetting),
      environment: listSettings(environment).flatMap(({ name, value, source, description }) =>
        source === 'environment' ? [{ name, value, description }] : [],
      ),
      sources: sources.map((source) => presentSource(source, outages)),
      feeds: overviews.flatMap((overview) => {
        const feed = feeds.find((candidate) => candidate.settings.name === overview.name)
        if (!feed) return []
        return {
          ...presentFeed(overview, false),
          schedule: feed.settings.schedule?.cron ?? null,
          time_zone: feed.settings.schedule?.timeZone ?? null,
          origin: feed.origin,
          address: overview.address,
          options: presentOptions(feed.settings, formats),
          is_paused: feed.isPaused,
          failure: overview.failure,
          header_names: Object.keys(feed.settings.headers),
        }
      }),
      feed_formats: formats,
      backup: {
        is_supported: backups.isSupported,
        is_running: backups.isRunning(),
        last_at: isoInstantOrNull(lastBackupAt),
        folder: backups.folder,
        files: backupFiles.map(({ name, bytes, createdAt }) => ({ name, bytes, created_at: isoInstant(createdAt) })),
        failure: backups.failure(),
      },
      mail: mail.isConfigured ? { server: mail.server, from: mail.from } : null,
      base_url: {
        url,
        is_set: config.baseUrl !== '',
        is_secure: url.startsWith('https:'),
        is_loopback: isLoopback(new URL(url).hostname),
      },
      markets: MARKETS,
    }
  }

  function requireStored(kind: 'source' | 'feed', name: string) {
    const { sources, feeds } = settings.current()
    const entry = (kind === 'source' ? sources : feeds).find((candidate) => candidate.settings.name === name)
    if (!entry) throw notFound(`The ${kind} ${name}`)
    if (entry.origin === 'file') {
      const variable = kind === 'source' ? 'SOURCES_FILE' : 'FEEDS_FILE'
      throw conflict('name', `The ${kind} ${name} is described in the file that ${variable} names. Change it there.`)
    }
    return entry
  }

  const toRow = (row: string, entry: Omit<StoredEntry, keyof EntrySecrets>, secrets: EntrySecrets) =>
    JSON.stringify({ ...entry, ...encryptSecrets(encryption, row, secrets) } satisfies StoredEntry)

  /** The source of an entered definition; secrets that were not entered are those stored for the same name. */
  async function readSource(input: {
    readonly definition: string
    readonly headers: Readonly<Record<string, string>>
    readonly client_secret?: string | undefined
  }) {
    const definition = parseJsonObject(input.definition)
    const name = typeof definition.name === 'string' ? definition.name : ''
    const existing = settings.current().sources.find((source) => source.settings.name === name)
    if (existing) requireStored('source', name)
    const stored = existing?.settings.request
    const { oauth } = (definition.request ?? {}) as { readonly oauth?: { readonly token_url?: unknown } }
    const secrets = {
      headers: hasEntries(input.headers) ? input.headers : (stored?.headers ?? {}),
      clientSecret: input.client_secret ?? (oauth ? stored?.oauth?.client_secret : undefined),
    }
    const provider = await entryOrThrow(() => parseSource(definition, secrets))
    if (!hasEntries(input.headers)) requireSameHost(stored?.headers, stored?.url, provider.request.url)
    if (!input.client_secret && stored?.oauth) {
      requireSameHost(stored.oauth, stored.oauth.token_url, provider.request.oauth?.token_url)
    }
    return { definition, secrets, provider }
  }

  return [
    dashboardRoute('GET /account/service', async () => ({ data: await present() })),

    dashboardRoute('POST /account/service', async (c, { name, value }) => {
      if (environment[name]?.trim()) {
        throw conflict('name', `${name} is set in the environment of the service. Change it there.`)
      }
      const error = value === null ? null : findSettingError(name, value)
      if (error !== null) throw invalid('value', value, error)
      const detail = { before: presentSetting(name).value, value: value ?? 'default' }
      await write(c, name, value, { action: 'setting.changed', subject: name, detail })
      return { data: await present() }
    }),

    dashboardRoute('POST /account/service/sources', async (c, input) => {
      const { definition, secrets, provider } = await readSource(input)
      const row = sourceRow(provider.name)
      const detail = { host: hostOf(provider.request.url) }
      await write(c, row, toRow(row, { definition: withoutSecrets(definition) }, secrets), {
        ...{ action: 'source.changed', subject: provider.name, detail },
      })
      return { data: await present() }
    }),

    dashboardRoute('POST /account/service/sources/remove', async (c, { name }) => {
      requireStored('source', name)
      await write(c, sourceRow(name), null, { action: 'source.removed', subject: name })
      return { data: await present() }
    }),

    dashboardRoute('POST /account/service/sources/test', async (c, { name, identifier, definition, ...secrets }) => {
      const saved = settings.current().sources.find((candidate) => candidate.settings.name === name)
      const provider =
        definition === undefined ? saved?.settings : (await readSource({ definition, ...secrets })).provider
      if (!provider) throw notFound(`The source ${name}`)
      await record(c, {
        ...{ action: 'source.tested', subject: provider.name, detail: { host: hostOf(provider.request.url) } },
      })
      return { data: await testSource(provider, identifier) }
    }),

    dashboardRoute('POST /account/service/feeds', async (c, { headers: enteredHeaders, schedule, ...fields }) => {
      const existing = settings.current().feeds.find((feed) => feed.settings.name === fields.name)
      if (existing) requireStored('feed', fields.name)
      const stored = existing?.settings
      const headers = hasEntries(enteredHeaders) ? enteredHeaders : (stored?.headers ?? {})
      const definition = { ...fields, ...(schedule ? { schedule } : {}) }
      const feed = await entryOrThrow(() => parseFeed(definition, headers))
      if (!hasEntries(enteredHeaders)) requireSameHost(stored?.headers, stored?.url, feed.url)
      const row = feedRow(feed.name)
      const detail = { address: feed.address, schedule: schedule ?? 'by hand' }
      await write(c, row, toRow(row, { definition, isPaused: existing?.isPaused ?? false }, { headers }), {
        ...{ action: 'feed.changed', subject: feed.name, detail },
      })
      return { data: await present() }
    }),

    dashboardRoute('POST /account/service/feeds/pause', async (c, { name, is_paused: isPaused }) => {
      requireStored('feed', name)
      const row = feedRow(name)
      const entry = JSON.parse((await store.read()).get(row) ?? '{}') as StoredEntry
      await write(c, row, JSON.stringify({ ...entry, isPaused }), {
        ...{ action: isPaused ? 'feed.paused' : 'feed.resumed', subject: name },
      })
      return { data: await present() }
    }),

    dashboardRoute('POST /account/service/feeds/run', async (c, { name }) => {
      if (!settings.current().feeds.some((feed) => feed.settings.name === name)) throw notFound(`The feed ${name}`)
      await record(c, { action: 'feed.started', subject: name })
      dependencies.runFeed(name)
    }),

    dashboardRoute('POST /account/service/feeds/remove', async (c, { name }) => {
      requireStored('feed', name)
      await write(c, feedRow(name), null, { action: 'feed.removed', subject: name })
      return { data: await present() }
    }),

    dashboardRoute('POST /account/service/backup', async (c) => {
      const file = backups.start(c.get('facts').now)
      await record(c, { action: 'backup.started', subject: file })
      return { data: await present() }
    }),

    dashboardRoute('POST /account/service/mail/test', async (c, { to }) => {
      if (!mail.isConfigured) {
        throw conflict('to', 'Mail is not configured. Set SMTP_URL and SMTP_FROM, and restart the service.')
      }
      const result = await sendTestMail(mail, { email: to, language: mailLanguage(c, null) })
      await record(c, { action: 'mail.tested', subject: to, detail: { outcome: result.outcome } })
      return { data: result }
    }),

    dashboardRoute('POST /account/service/base-url', async () => ({ data: await checkBaseUrl(baseUrlOf(config)) })),
  ]
}

async function feedFormats(): Promise<ServiceSettingsWire['feed_formats']> {
  const { IMPORTERS } = await import('../import/importers.ts')
  return IMPORTERS.map(({ format, options, flags }) => ({
    name: format,
    options: Object.keys(options ?? {}),
    flags: Object.keys(flags ?? {}),
  }))
}

function parseJsonObject(text: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new DomainError('invalid', `definition is not valid JSON: ${error instanceof Error ? error.message : ''}.`, [
      { field: 'definition', message: 'not valid JSON' },
    ])
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid('definition', value, 'a JSON object')
  }
  return value as Record<string, unknown>
}

async function entryOrThrow<Entry>(parse: () => Entry | Promise<Entry>): Promise<Entry> {
  try {
    return await parse()
  } catch (error) {
    if (!(error instanceof InvalidEntryError)) throw error
    const { message } = error
    const field = message.split(':', 1)[0] ?? 'definition'
    throw new DomainError('invalid', `This cannot be used: ${message}.`, [{ field, message }])
  }
}

const hasEntries = (record: object) => Object.keys(record).length > 0
const hostOf = (url: string) => new URL(url.replace(/[{}]/g, '')).host

/** A stored secret is never sent to another host, where somebody who cannot read it could receive it. */
function requireSameHost(secrets: object | undefined, storedUrl: string | undefined, url: string | undefined): void {
  if (!secrets || !hasEntries(secrets) || !storedUrl || !url || hostOf(storedUrl) === hostOf(url)) return
  throw conflict('headers', `The address has another host than before (${hostOf(storedUrl)}). Enter the secret again.`)
}

/** Options without a value are `true`, as in a feed that is entered. */
function presentOptions({ format, options }: FeedSettings, formats: ServiceSettingsWire['feed_formats']) {
  const flags = formats.find(({ name }) => name === format)?.flags ?? []
  return Object.fromEntries(
    Object.entries(options).map(([name, value]) => [name, flags.includes(name) ? (true as const) : value]),
  )
}

/** Headers and client secrets are never shown. */
function withoutSecrets(definition: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { headers: _, ...request } = (definition.request ?? {}) as Record<string, unknown>
  const { client_secret: __, ...oauth } = (request.oauth ?? {}) as Record<string, unknown>
  return { ...definition, request: { ...request, ...(hasEntries(oauth) ? { oauth } : {}) } }
}

function presentSource(
  { origin, settings }: ConfiguredSource,
  outages: readonly SourceOutage[],
): ServiceSettingsWire['sources'][number] {
  return {
    name: settings.name,
    origin,
    definition: JSON.stringify(withoutSecrets(settings), null, 2),
    host: hostOf(settings.request.url),
    identifiers: [...settings.identifiers],
    speaks_for: [...settings.speaks_for],
    header_names: Object.keys(settings.request.headers),
    has_client_secret: settings.request.oauth !== undefined,
    outage: outages.find(({ name }) => name === settings.name)?.reason ?? null,
  }
}
