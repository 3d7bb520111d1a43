import { applyStoredSettings, type Config, type Environment } from '../config.ts'
import type { Database } from '../db/database.ts'
import type { ReloadOnChange } from '../db/reload-on-change.ts'
import { type FeedSettings, isLocalPath, parseFeedFile } from '../import/feeds/feed-settings.ts'
import type { Encryption } from '../lib/encryption.ts'
import { type ProviderSettings, parseProviders } from '../risk/sources/provider-settings.ts'
import { serviceSettingsStore } from './service-settings-store.ts'

/** `file`: described by SOURCES_FILE or FEEDS_FILE; `page`: added in the dashboard. */
type Origin = 'file' | 'page'
export type ConfiguredSource = { readonly origin: Origin; readonly settings: ProviderSettings }
export type ConfiguredFeed = { readonly origin: Origin; readonly isPaused: boolean; readonly settings: FeedSettings }

export type ServiceSettings = {
  /** The configuration with the stored settings that the environment does not override. */
  readonly config: Config
  /** Names of the settings that are stored. */
  readonly storedNames: ReadonlySet<string>
  readonly sources: readonly ConfiguredSource[]
  readonly feeds: readonly ConfiguredFeed[]
}

/** A source or feed as it is stored: its headers hold secrets and are encrypted. */
export type StoredEntry = {
  readonly definition: Readonly<Record<string, unknown>>
  readonly headers: string
  /** Client secret of `request.oauth`, encrypted. */
  readonly clientSecret?: string
  readonly isPaused?: boolean
}

const SOURCE = 'source:'
const FEED = 'feed:'
export const sourceRow = (name: string) => SOURCE + name
export const feedRow = (name: string) => FEED + name

export type SettingsContext = {
  readonly config: Config
  readonly environment: Environment
  readonly encryption: Encryption
  /** Sources and feeds of the operator's files. */
  readonly files: { readonly providers: readonly ProviderSettings[]; readonly feeds: readonly FeedSettings[] }
  readonly onInvalid: (name: string, reasons: readonly string[]) => void
}

/** The settings in effect. Entries that cannot be read are reported and skipped. */
export async function readServiceSettings(db: Database, context: SettingsContext): Promise<ServiceSettings> {
  const { config, environment, files } = context
  const rows = await serviceSettingsStore(db).read()
  const sources: ConfiguredSource[] = files.providers.map((settings) => ({ origin: 'file', settings }))
  const feeds: ConfiguredFeed[] = files.feeds.map((settings) => ({ origin: 'file', isPaused: false, settings }))
  const isNew = (name: string, configured: readonly { readonly settings: { readonly name: string } }[]) =>
    !configured.some(({ settings }) => settings.name === name)
  for (const [name, value] of rows) {
    if (!name.startsWith(SOURCE) && !name.startsWith(FEED)) continue
    try {
      const entry = JSON.parse(value) as StoredEntry
      const secrets = decryptSecrets(context.encryption, name, entry)
      if (name.startsWith(SOURCE)) {
        const settings = parseSource(entry.definition, secrets)
        if (isNew(settings.name, sources)) sources.push({ origin: 'page', settings })
      } else {
        const settings = await parseFeed(entry.definition, secrets.headers)
        const isPaused = entry.isPaused === true
        if (isNew(settings.name, feeds)) feeds.push({ origin: 'page', isPaused, settings })
      }
    } catch (error) {
      context.onInvalid(name, [error instanceof Error ? error.message : String(error)])
    }
  }
  return { config: applyStoredSettings(config, rows, environment), storedNames: new Set(rows.keys()), sources, feeds }
}

export type EntrySecrets = {
  readonly headers: Readonly<Record<string, string>>
  /** Of `request.oauth`. */
  readonly clientSecret?: string | undefined
}

export const encryptSecrets = (encryption: Encryption, row: string, { headers, clientSecret }: EntrySecrets) => ({
  headers: encryption.encrypt(JSON.stringify(headers), row),
  ...(clientSecret ? { clientSecret: encryption.encrypt(clientSecret, row) } : {}),
})

const decryptSecrets = (encryption: Encryption, row: string, entry: StoredEntry): EntrySecrets => ({
  headers: JSON.parse(encryption.decrypt(entry.headers, row)),
  clientSecret: entry.clientSecret && encryption.decrypt(entry.clientSecret, row),
})

/** A source or feed of the dashboard that cannot be used, with every reason. */
export class InvalidEntryError extends Error {}

/** No variables of the environment are filled in: the dashboard must not reveal secrets of the machine. */
const NO_ENVIRONMENT: Environment = {}
const CLIENT_SECRET = 'CLIENT_SECRET'

export function parseSource(
  definition: Readonly<Record<string, unknown>>,
  { headers, clientSecret }: EntrySecrets,
): ProviderSettings {
  const { oauth, ...request } = (definition.request ?? {}) as { readonly oauth?: Readonly<Record<string, unknown>> }
  if (oauth?.client_secret !== undefined) {
    throw new InvalidEntryError('request.oauth.client_secret: enter it as the client secret, not in the definition')
  }
  if (oauth && !clientSecret) throw new InvalidEntryError('client_secret: required for OAuth')
  const authorization = oauth ? { oauth: { ...oauth, client_secret: `\${${CLIENT_SECRET}}` } } : {}
  const source = { ...definition, request: { ...request, ...authorization, headers } }
  const { providers, mistakes } = parseProviders(
    JSON.stringify({ sources: [source] }),
    clientSecret ? { [CLIENT_SECRET]: clientSecret } : NO_ENVIRONMENT,
  )
  const [provider] = providers
  if (!provider || mistakes.length > 0) {
    throw new InvalidEntryError(mistakes.map((mistake) => mistake.replace(/^sources\.0\./, '')).join('; '))
  }
  return provider
}

export async function parseFeed(
  definition: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>>,
): Promise<FeedSettings> {
  // Importers are loaded only if there are feeds, for a faster start.
  const { IMPORTERS } = await import('../import/importers.ts')
  const { feeds, errors } = parseFeedFile(JSON.stringify({ feeds: [{ ...definition, headers }] }), {
    formats: IMPORTERS,
    environment: NO_ENVIRONMENT,
    now: Date.now(),
  })
  const [feed] = feeds
  const problems = errors.map((error) => error.replace(/^feed [^:]*: /, ''))
  if (feed && isLocalPath(feed.url)) problems.push('url: expected an http or https address')
  if (!feed || problems.length > 0) throw new InvalidEntryError(problems.join('; '))
  return feed
}

export type ServiceSettingsService = Awaited<ReturnType<typeof openServiceSettings>>

/** Keeps the settings of the service in memory and reloads them when any process changes them. */
export async function openServiceSettings(db: Database, context: SettingsContext, reloadOnChange: ReloadOnChange) {
  let current = await readServiceSettings(db, context)
  const listeners = new Set<(settings: ServiceSettings) => void>()
  const reloader = reloadOnChange(async () => {
    current = await readServiceSettings(db, context)
    for (const notify of listeners) notify(current)
  })
  return {
    current: () => current,
    onChange(listener: (settings: ServiceSettings) => void): void {
      listeners.add(listener)
    },
    refresh: reloader.refresh,
    close: reloader.close,
  }
}
