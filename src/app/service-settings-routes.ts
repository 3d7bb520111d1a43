import type { AuditEntry } from '../auth/audit-store.ts'
import { baseUrlOf, type Config, type Environment, findSettingError } from '../config.ts'
import type { FeedOverview } from '../import/feeds/feed-schedule.ts'
import type { Encryption } from '../lib/encryption.ts'
import { conflict, DomainError, invalid, notFound } from '../lib/errors.ts'
import type { MailService } from '../mail/mail-service.ts'
import { mailLanguage } from '../people/mail-language.ts'
import { type DashboardRoute, dashboardRoute, type SessionContext } from '../people/session-route.ts'
import type { SourceOutage } from '../risk/sources/source-health.ts'
import type { Backups } from './backups.ts'
import { checkBaseUrl, sendTestMail, testSource } from './service-checks.ts'
import {
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
import { hasEntries, hostOf, serviceSettingsPage, withoutSecrets } from './service-settings-page.ts'
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

/** Settings of the whole service, for owners of the organization that runs it. Secrets are written, never read. */
export function serviceSettingsRoutes(dependencies: ServiceSettingsDependencies): DashboardRoute[] {
  const { config, environment, encryption, settings, store, backups, mail } = dependencies
  const { present, presentSetting } = serviceSettingsPage(dependencies)

  /** Writes a row with its audit entry, and applies it before the response. */
  async function write(c: SessionContext, name: string, value: string | null, entry: AuditEntry): Promise<void> {
    const audit = { organizationId: c.get('organization').id, actor: c.get('principal').actor, entry }
    await store.write(name, value, { ...audit, now: c.get('facts').now })
    await settings.refresh()
  }
  const record = (c: SessionContext, entry: AuditEntry) =>
    store.record(c.get('organization').id, c.get('principal').actor, entry, c.get('facts').now)

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
        action: 'source.changed',
        subject: provider.name,
        detail,
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
        action: 'source.tested',
        subject: provider.name,
        detail: { host: hostOf(provider.request.url) },
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
        action: 'feed.changed',
        subject: feed.name,
        detail,
      })
      return { data: await present() }
    }),

    dashboardRoute('POST /account/service/feeds/pause', async (c, { name, is_paused: isPaused }) => {
      requireStored('feed', name)
      const row = feedRow(name)
      const entry = JSON.parse((await store.read()).get(row) ?? '{}') as StoredEntry
      await write(c, row, JSON.stringify({ ...entry, isPaused }), {
        action: isPaused ? 'feed.paused' : 'feed.resumed',
        subject: name,
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
        throw conflict('to', 'Mail is not configured. Set SMTP_URL and restart the service.')
      }
      const result = await sendTestMail(mail, { email: to, language: mailLanguage(c, null) })
      await record(c, { action: 'mail.tested', subject: to, detail: { outcome: result.outcome } })
      return { data: result }
    }),

    dashboardRoute('POST /account/service/base-url', async () => ({ data: await checkBaseUrl(baseUrlOf(config)) })),
  ]
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

/** A stored secret is never sent to another host, where somebody who cannot read it could receive it. */
function requireSameHost(secrets: object | undefined, storedUrl: string | undefined, url: string | undefined): void {
  if (!secrets || !hasEntries(secrets) || !storedUrl || !url || hostOf(storedUrl) === hostOf(url)) return
  throw conflict('headers', `The address has another host than before (${hostOf(storedUrl)}). Enter the secret again.`)
}
