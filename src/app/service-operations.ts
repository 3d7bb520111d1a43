import type { Actor } from '../auth/actor.ts'
import type { AuditEntry } from '../auth/audit-store.ts'
import { type Environment, findSettingError } from '../config.ts'
import {
  type FeedSettingsWire,
  type MailTestWire,
  type SourceTestWire,
  STORED_SETTINGS,
  type StoredSettingName,
} from '../contract/service-settings.ts'
import { isPriceFeed, type PriceFeed } from '../import/feeds/price-client-service.ts'
import type { PriceTest } from '../import/feeds/price-test-service.ts'
import type { Encryption } from '../lib/encryption.ts'
import { conflict, invalid, notFound } from '../lib/errors.ts'
import { reason } from '../lib/reasons.ts'
import type { Recipient } from '../mail/mail.ts'
import type { MailService } from '../mail/mail-service.ts'
import type { Backups } from './backups.ts'
import type { NetworkAccess } from './network-access.ts'
import { type EntryChanges, replaceFeeds, replaceSources } from './replace-entries.ts'
import { sendTestMail, testPrices, testSource } from './service-checks.ts'
import type { ServiceSettingsService } from './service-settings.ts'
import type { ServiceSettingsStore } from './service-settings-store.ts'
import {
  type EnteredEntry,
  feedRow,
  formatEntry,
  hostOf,
  parseFeedRow,
  prepareFeed,
  prepareSource,
  sourceRow,
} from './stored-entries.ts'

export type ServiceOperationDependencies = {
  readonly environment: Environment
  readonly encryption: Encryption
  readonly settings: ServiceSettingsService
  readonly store: ServiceSettingsStore
  readonly backups: Backups
  readonly mail: MailService
  readonly network: Pick<NetworkAccess, 'state' | 'turn'>
  /** Queues a run of a feed. */
  readonly runFeed: (name: string) => Promise<void>
  /** Asks a price service about one device. */
  readonly testPrices: (feed: PriceFeed, query: string) => Promise<PriceTest>
  /** The value of a setting that is in effect. */
  readonly currentValue: (name: StoredSettingName) => string
}

/** Who changes the settings, for the audit trail. */
export type SettingsAuthor = { readonly organizationId: string; readonly actor: Actor; readonly now: number }

type Definition = Readonly<Record<string, unknown>>

export type ServiceOperations = ReturnType<typeof serviceOperations>

/** Changes of the whole service by its operator. Every change is audited and applied before it returns. */
export function serviceOperations(dependencies: ServiceOperationDependencies) {
  const { environment, encryption, settings, store, backups, mail } = dependencies

  async function write(
    author: SettingsAuthor,
    changes: Parameters<ServiceSettingsStore['writeAll']>[0],
  ): Promise<void> {
    await store.writeAll(changes, author)
    await settings.refresh()
  }
  const record = ({ organizationId, actor, now }: SettingsAuthor, entry: AuditEntry) =>
    store.record(organizationId, actor, entry, now)

  const findSource = (name: unknown) => settings.current().sources.find((source) => source.name === name)
  const findFeed = (name: string) => settings.current().feeds.find((feed) => feed.settings.name === name)
  function requireFeed(name: string): void {
    if (!findFeed(name)) throw notFound(`The feed ${name}`)
  }
  function requireSource(name: string) {
    const source = findSource(name)
    if (!source) throw notFound(`The source ${name}`)
    return source
  }

  /** Fields of a stored feed that only a document of all feeds has, such as its time-out; a change of the feed keeps them. */
  async function readOtherFields(name: string): Promise<Definition> {
    const value = (await store.read()).get(feedRow(name))
    if (value === undefined) return {}
    const { definition } = await parseFeedRow(encryption, feedRow(name), value)
    const { preset: _, schedule: __, format: ___, url: ____, template: _____, api: ______, ...fields } = definition
    return fields
  }

  return {
    /** Sets settings or, with null, resets them; all of them or none. A value that is stored already is not written again. */
    async changeSettings(
      author: SettingsAuthor,
      changes: Readonly<Partial<Record<StoredSettingName, string | null | undefined>>>,
    ): Promise<void> {
      const stored = await store.read()
      const writes = STORED_SETTINGS.flatMap((name) => {
        const value = changes[name]
        if (value === undefined) return []
        if (environment[name]?.trim()) {
          throw conflict(
            name,
            `${name} is set in the environment of the service. Change it there.`,
            reason('set_by_environment', { name }),
          )
        }
        const error = value === null ? null : findSettingError(name, value)
        if (error !== null) throw invalid(name, value, error)
        if (value === (stored.get(name) ?? null)) return []
        const detail = { before: dependencies.currentValue(name), value: value ?? 'default' }
        return { name, value, entry: { action: 'setting.changed' as const, subject: name, detail } }
      })
      if (writes.length > 0) await write(author, writes)
    },

    /** Adds or changes a source; secrets that are not entered are those stored for the same name. */
    async putSource(author: SettingsAuthor, name: string, entered: EnteredEntry): Promise<void> {
      const definedName = entered.definition.name ?? name
      if (definedName !== name) throw invalid('definition.name', definedName, `the name of the source, ${name}`)
      const source = prepareSource({ ...entered, definition: { ...entered.definition, name } }, findSource(name))
      const row = sourceRow(name)
      const detail = { host: hostOf(source.settings.request.url) }
      const entry = { action: 'source.changed' as const, subject: name, detail }
      await write(author, [{ name: row, value: formatEntry(encryption, row, source), entry }])
    },

    async removeSource(author: SettingsAuthor, name: string): Promise<void> {
      requireSource(name)
      await write(author, [{ name: sourceRow(name), value: null, entry: { action: 'source.removed', subject: name } }])
    },

    /** Queries a stored source by its name, or a definition that is not stored. */
    async testSource(
      author: SettingsAuthor,
      tested: { readonly name: string } | EnteredEntry,
      identifier: string,
    ): Promise<SourceTestWire> {
      const provider =
        'definition' in tested
          ? prepareSource(tested, findSource(tested.definition.name)).settings
          : requireSource(tested.name)
      const detail = { host: hostOf(provider.request.url) }
      await record(author, { action: 'source.tested', subject: provider.name, detail })
      return testSource(provider, identifier)
    },

    /** Asks a stored price service, or one that is not stored, about one device. */
    async testFeed(author: SettingsAuthor, name: string, input: FeedSettingsWire | undefined, query: string) {
      const stored = findFeed(name)
      const feed = input
        ? (await prepareFeed(toEnteredFeed(name, input, {}), stored?.settings)).settings
        : stored?.settings
      if (!feed) throw notFound(`The feed ${name}`)
      if (!isPriceFeed(feed)) throw invalid('feed', name, 'a price service, not a file', reason('not_a_price_service'))
      await record(author, { action: 'source.tested', subject: name, detail: { host: hostOf(feed.url) } })
      return testPrices(() => dependencies.testPrices(feed, query))
    },

    /** Opens or closes the port for devices of the local network. */
    async turnNetwork(author: SettingsAuthor, isOn: boolean): Promise<void> {
      const before = dependencies.network.state().isOn
      if (isOn === before) return
      await dependencies.network.turn(isOn)
      const detail = { before: before ? 'on' : 'off', value: isOn ? 'on' : 'off' }
      await record(author, { action: 'setting.changed', subject: 'network', detail })
    },

    async replaceSources(author: SettingsAuthor, sources: readonly Definition[]): Promise<EntryChanges> {
      const changes = await replaceSources({ store, encryption }, sources, author)
      await settings.refresh()
      return changes
    },

    /** Adds or changes a feed; secrets and the pause that are not entered stay. */
    async putFeed(author: SettingsAuthor, name: string, input: FeedSettingsWire): Promise<void> {
      const { schedule, is_paused } = input
      const stored = findFeed(name)
      const feed = await prepareFeed(toEnteredFeed(name, input, await readOtherFields(name)), stored?.settings)
      const isPaused = is_paused ?? stored?.isPaused ?? false
      const isPauseChanged = isPaused !== (stored?.isPaused ?? false)
      const action = !isPauseChanged ? 'feed.changed' : isPaused ? 'feed.paused' : 'feed.resumed'
      const detail = { address: feed.settings.url, schedule: schedule ?? 'by hand' }
      const row = feedRow(name)
      const value = formatEntry(encryption, row, { ...feed, isPaused })
      await write(author, [{ name: row, value, entry: { action, subject: name, detail } }])
    },

    async removeFeed(author: SettingsAuthor, name: string): Promise<void> {
      requireFeed(name)
      await write(author, [{ name: feedRow(name), value: null, entry: { action: 'feed.removed', subject: name } }])
    },

    async runFeed(author: SettingsAuthor, name: string): Promise<void> {
      requireFeed(name)
      await record(author, { action: 'feed.started', subject: name })
      await dependencies.runFeed(name)
    },

    async replaceFeeds(author: SettingsAuthor, feeds: readonly Definition[]): Promise<EntryChanges> {
      const changes = await replaceFeeds({ store, encryption }, feeds, author)
      await settings.refresh()
      return changes
    },

    async startBackup(author: SettingsAuthor): Promise<void> {
      const file = backups.start(author.now)
      await record(author, { action: 'backup.started', subject: file })
    },

    async sendTestMail(author: SettingsAuthor, to: Recipient): Promise<MailTestWire> {
      if (!mail.isConfigured)
        throw conflict(
          'to',
          'Mail is not configured. Set SMTP_URL and restart the service.',
          reason('mail_not_configured'),
        )
      const result = await sendTestMail(mail, to)
      await record(author, { action: 'mail.tested', subject: to.email, detail: { outcome: result.outcome } })
      return result
    },
  }
}

/** A feed as it is entered: a file, or a price service. */
function toEnteredFeed(
  name: string,
  { headers, client_secret: clientSecret, schedule, is_paused: _, ...fields }: FeedSettingsWire,
  otherFields: Definition,
): EnteredEntry {
  const definition = { ...otherFields, name, ...fields, ...(schedule ? { schedule } : {}) }
  return { definition: withoutUndefined(definition), clientSecret, ...(headers ? { headers } : {}) }
}

const withoutUndefined = (record: Definition): Definition =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined))
