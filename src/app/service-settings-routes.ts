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
import type { ServiceSettingsService } from './service-settings.ts'
import { serviceSettingsPage } from './service-settings-page.ts'
import type { ServiceSettingsStore } from './service-settings-store.ts'
import {
  type EnteredEntry,
  feedRow,
  formatEntry,
  hasEntries,
  hostOf,
  parseFeedRow,
  prepareFeed,
  prepareSource,
  sourceRow,
} from './stored-entries.ts'

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
    const author = {
      organizationId: c.get('organization').id,
      actor: c.get('principal').actor,
      now: c.get('facts').now,
    }
    await store.writeAll([{ name, value, entry }], author)
    await settings.refresh()
  }
  const record = (c: SessionContext, entry: AuditEntry) =>
    store.record(c.get('organization').id, c.get('principal').actor, entry, c.get('facts').now)

  const findSource = (name: unknown) => settings.current().sources.find((source) => source.name === name)
  const findFeed = (name: string) => settings.current().feeds.find((feed) => feed.settings.name === name)
  const requireSource = (name: string) => findSource(name) ?? throwNotFound(`The source ${name}`)
  const requireFeed = (name: string) => findFeed(name) ?? throwNotFound(`The feed ${name}`)

  /** The source of an entered definition; secrets that were not entered are those stored for the same name. */
  function readSource(input: {
    readonly definition: string
    readonly headers: Readonly<Record<string, string>>
    readonly client_secret?: string | undefined
  }) {
    const definition = parseJsonObject(input.definition)
    const entered: EnteredEntry = {
      definition,
      ...(hasEntries(input.headers) ? { headers: input.headers } : {}),
      clientSecret: input.client_secret,
    }
    return prepareSource(entered, findSource(definition.name))
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
      const source = readSource(input)
      const { name, request } = source.settings
      const row = sourceRow(name)
      await write(c, row, formatEntry(encryption, row, source), {
        action: 'source.changed',
        subject: name,
        detail: { host: hostOf(request.url) },
      })
      return { data: await present() }
    }),

    dashboardRoute('POST /account/service/sources/remove', async (c, { name }) => {
      requireSource(name)
      await write(c, sourceRow(name), null, { action: 'source.removed', subject: name })
      return { data: await present() }
    }),

    dashboardRoute('POST /account/service/sources/test', async (c, { name, identifier, definition, ...secrets }) => {
      const provider = definition === undefined ? requireSource(name) : readSource({ definition, ...secrets }).settings
      await record(c, {
        action: 'source.tested',
        subject: provider.name,
        detail: { host: hostOf(provider.request.url) },
      })
      return { data: await testSource(provider, identifier) }
    }),

    dashboardRoute('POST /account/service/feeds', async (c, { headers: enteredHeaders, schedule, ...fields }) => {
      const stored = findFeed(fields.name)
      const entered: EnteredEntry = {
        definition: { ...fields, ...(schedule ? { schedule } : {}) },
        ...(hasEntries(enteredHeaders) ? { headers: enteredHeaders } : {}),
      }
      const feed = await prepareFeed(entered, stored?.settings)
      const row = feedRow(fields.name)
      await write(c, row, formatEntry(encryption, row, { ...feed, isPaused: stored?.isPaused ?? false }), {
        action: 'feed.changed',
        subject: fields.name,
        detail: { address: feed.settings.url, schedule: schedule ?? 'by hand' },
      })
      return { data: await present() }
    }),

    dashboardRoute('POST /account/service/feeds/pause', async (c, { name, is_paused: isPaused }) => {
      requireFeed(name)
      const row = feedRow(name)
      const entry = await parseFeedRow(encryption, row, (await store.read()).get(row) ?? '{}')
      await write(c, row, formatEntry(encryption, row, { ...entry, isPaused }), {
        action: isPaused ? 'feed.paused' : 'feed.resumed',
        subject: name,
      })
      return { data: await present() }
    }),

    dashboardRoute('POST /account/service/feeds/run', async (c, { name }) => {
      requireFeed(name)
      await record(c, { action: 'feed.started', subject: name })
      dependencies.runFeed(name)
    }),

    dashboardRoute('POST /account/service/feeds/remove', async (c, { name }) => {
      requireFeed(name)
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

function throwNotFound(subject: string): never {
  throw notFound(subject)
}
