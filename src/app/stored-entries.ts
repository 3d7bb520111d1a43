import { type FeedSettings, parseFeed } from '../import/feeds/feed-settings.ts'
import type { Encryption } from '../lib/encryption.ts'
import { conflict, DomainError } from '../lib/errors.ts'
import { reason } from '../lib/reasons.ts'
import { type ProviderSettings, parseProvider } from '../risk/sources/provider-settings.ts'

/** Identifier sources and feeds as they are stored: one row each, secrets encrypted and apart from the definition. */

type Definition = Readonly<Record<string, unknown>>

export type EntrySecrets = {
  readonly headers: Readonly<Record<string, string>>
  /** Of `request.oauth`. */
  readonly clientSecret?: string | undefined
}

/** A source or feed as it is entered, with its secrets apart or in the definition. Those that are not entered stay. */
export type EnteredEntry = Partial<EntrySecrets> & { readonly definition: Definition }

/** A source or feed that can be stored. */
export type Entry<Settings> = {
  readonly definition: Definition
  readonly secrets: EntrySecrets
  readonly settings: Settings
}

type StoredEntry = {
  readonly definition: Definition
  /** Encrypted JSON. */
  readonly headers: string
  /** Encrypted. */
  readonly clientSecret?: string
  readonly isPaused?: boolean
}

const SOURCE = 'source:'
const FEED = 'feed:'
export const sourceRow = (name: string) => SOURCE + name
export const feedRow = (name: string) => FEED + name
export const isSourceRow = (row: string) => row.startsWith(SOURCE)
export const isFeedRow = (row: string) => row.startsWith(FEED)

const hasEntries = (record: object) => Object.keys(record).length > 0
export const hostOf = (url: string) => new URL(url.replace(/[{}]/g, '')).host

/** Throws if the source cannot be used, or if a stored secret would be sent to another host. */
export function prepareSource(entered: EnteredEntry, stored: ProviderSettings | undefined): Entry<ProviderSettings> {
  const { headers: ownHeaders, oauth } = requestOf(entered.definition)
  const headers = entered.headers ?? ownHeaders
  const clientSecret = entered.clientSecret ?? oauth?.client_secret
  const definition = withoutSecrets(entered.definition)
  const secrets = {
    headers: headers ?? stored?.request.headers ?? {},
    clientSecret: clientSecret ?? (oauth ? stored?.request.oauth?.client_secret : undefined),
  }
  const settings = parseSource(definition, secrets)
  if (!headers) requireSameHost(stored?.request.headers, stored?.request.url, settings.request.url)
  if (!clientSecret) {
    const { oauth: storedOauth } = stored?.request ?? {}
    requireSameHost(storedOauth, storedOauth?.token_url, settings.request.oauth?.token_url)
  }
  return { definition, secrets, settings }
}

/** The same for a feed. */
export async function prepareFeed(
  entered: EnteredEntry,
  stored: FeedSettings | undefined,
): Promise<Entry<FeedSettings>> {
  const { headers: ownHeaders, ...definition } = withoutApiSecret(entered.definition)
  const enteredHeaders = entered.headers ?? (ownHeaders as EntrySecrets['headers'] | undefined)
  const enteredSecret = entered.clientSecret ?? apiOf(entered.definition).oauth?.client_secret
  const storedOauth = stored?.api?.oauth
  const secrets = {
    headers: enteredHeaders ?? stored?.headers ?? {},
    clientSecret: enteredSecret ?? (usesOauth(definition) ? storedOauth?.client_secret : undefined),
  }
  const settings = await parseStoredFeed(definition, secrets)
  if (!enteredHeaders) requireSameHost(stored?.headers, stored?.url, settings.url)
  if (!enteredSecret) requireSameHost(storedOauth, storedOauth?.token_url, settings.api?.oauth?.token_url)
  return { definition, secrets, settings }
}

const apiOf = (definition: Definition) => (definition.api ?? {}) as EnteredRequest

const usesOauth = (definition: Definition) => definition.template !== undefined || apiOf(definition).oauth !== undefined

/** The definition of a price service as it may be shown. */
export function withoutApiSecret(definition: Definition): Definition {
  const { oauth, ...api } = apiOf(definition)
  if (!oauth) return definition
  const { client_secret: _, ...client } = oauth
  return { ...definition, api: { ...api, oauth: client } }
}

/** Headers and client secrets are never shown. */
export function withoutSecrets(definition: Definition): Record<string, unknown> {
  const { headers: _, oauth, ...request } = requestOf(definition)
  const { client_secret: __, ...client } = oauth ?? {}
  return { ...definition, request: { ...request, ...(oauth ? { oauth: client } : {}) } }
}

type EnteredRequest = Definition & {
  readonly headers?: EntrySecrets['headers']
  readonly oauth?: Definition & { readonly client_secret?: string }
}

/** Not checked yet: the parser of sources does that. */
const requestOf = (definition: Definition) => (definition.request ?? {}) as EnteredRequest

/** The value of a row. */
export function formatEntry(
  encryption: Encryption,
  row: string,
  { definition, secrets, isPaused }: Pick<Entry<unknown>, 'definition' | 'secrets'> & { readonly isPaused?: boolean },
): string {
  const { headers, clientSecret } = secrets
  const entry: StoredEntry = {
    definition,
    headers: encryption.encrypt(JSON.stringify(headers), row),
    ...(clientSecret ? { clientSecret: encryption.encrypt(clientSecret, row) } : {}),
    ...(isPaused === undefined ? {} : { isPaused }),
  }
  return JSON.stringify(entry)
}

export async function parseSourceRow(
  encryption: Encryption,
  row: string,
  value: string,
): Promise<Entry<ProviderSettings>> {
  const { definition, secrets } = parseRow(encryption, row, value)
  return { definition, secrets, settings: parseSource(definition, secrets) }
}

export async function parseFeedRow(
  encryption: Encryption,
  row: string,
  value: string,
): Promise<Entry<FeedSettings> & { readonly isPaused: boolean }> {
  const { definition, secrets, isPaused } = parseRow(encryption, row, value)
  return { definition, secrets, isPaused, settings: await parseStoredFeed(definition, secrets) }
}

function parseRow(encryption: Encryption, row: string, value: string) {
  const { definition, headers, clientSecret, isPaused } = JSON.parse(value) as StoredEntry
  const secrets: EntrySecrets = {
    headers: JSON.parse(encryption.decrypt(headers, row)),
    ...(clientSecret ? { clientSecret: encryption.decrypt(clientSecret, row) } : {}),
  }
  return { definition, secrets, isPaused: isPaused === true }
}

function parseSource(definition: Definition, { headers, clientSecret }: EntrySecrets): ProviderSettings {
  const { oauth, ...request } = requestOf(definition)
  if (oauth && !clientSecret) throw unusable(['client_secret: required for OAuth'])
  const authorization = oauth ? { oauth: { ...oauth, client_secret: clientSecret } } : {}
  const { provider, mistakes } = parseProvider({ ...definition, request: { ...request, ...authorization, headers } })
  if (!provider) throw unusable(mistakes)
  return provider
}

async function parseStoredFeed(definition: Definition, { headers, clientSecret }: EntrySecrets): Promise<FeedSettings> {
  if (usesOauth(definition) && !clientSecret) throw unusable(['client_secret: required for OAuth'])
  const { oauth, ...api } = apiOf(definition)
  const withSecret = usesOauth(definition) ? { api: { ...api, oauth: { ...oauth, client_secret: clientSecret } } } : {}
  // Importers are loaded only if there are feeds, for a faster start.
  const { IMPORTERS } = await import('../import/importers.ts')
  const { feed, errors } = parseFeed({ ...definition, ...withSecret, headers }, { formats: IMPORTERS, now: Date.now() })
  if (!feed) throw unusable(errors)
  return feed
}

function unusable(mistakes: readonly string[]): DomainError {
  const details = mistakes.map((message) => ({ field: message.split(':', 1)[0] ?? 'definition', message }))
  return new DomainError('invalid', `This cannot be used: ${mistakes.join('; ')}.`, reason('technical'), details)
}

/** A stored secret is never sent to another host, where somebody who cannot read it could receive it. */
function requireSameHost(secrets: object | undefined, storedUrl: string | undefined, url: string | undefined): void {
  if (!secrets || !hasEntries(secrets) || !storedUrl || !url || hostOf(storedUrl) === hostOf(url)) return
  throw conflict(
    'headers',
    `The address has another host than before (${hostOf(storedUrl)}). Enter the secret again.`,
    reason('secret_needed_again', { host: hostOf(storedUrl) }),
  )
}
