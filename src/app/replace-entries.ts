import { isDeepStrictEqual } from 'node:util'
import type { Actor } from '../auth/actor.ts'
import type { AuditEntry } from '../auth/audit-store.ts'
import type { FeedSettings } from '../import/feeds/feed-settings.ts'
import type { Encryption } from '../lib/encryption.ts'
import { DomainError } from '../lib/errors.ts'
import { reason } from '../lib/reasons.ts'
import type { ProviderSettings } from '../risk/sources/provider-settings.ts'
import type { ServiceSettingsStore } from './service-settings-store.ts'
import {
  type Entry,
  feedRow,
  formatEntry,
  hostOf,
  isFeedRow,
  isSourceRow,
  parseFeedRow,
  parseSourceRow,
  prepareFeed,
  prepareSource,
  sourceRow,
} from './stored-entries.ts'

/**
 * Makes a JSON document the whole list of identifier sources or feeds, so that a file under version control can be applied
 * again and again. Entries that are not in the document are removed, those that did not change are not written. Secrets that
 * the document leaves out stay as they are stored.
 */

const MAX_SOURCES = 32
const MAX_FEEDS = 100

type Definition = Readonly<Record<string, unknown>>

type Dependencies = { readonly store: ServiceSettingsStore; readonly encryption: Encryption }

type Author = { readonly organizationId: string; readonly actor: Actor; readonly now: number }

/** Names of the entries. */
export type EntryChanges = {
  readonly added: readonly string[]
  readonly changed: readonly string[]
  readonly removed: readonly string[]
  readonly unchanged: readonly string[]
}

type StorableEntry<Settings> = Entry<Settings> & { readonly isPaused?: boolean }

type EntryKind<Settings> = {
  readonly kind: 'source' | 'feed'
  readonly maxEntries: number
  readonly toRow: (name: string) => string
  readonly isRow: (row: string) => boolean
  readonly nameOf: (definition: Definition) => unknown
  readonly parseRow: (encryption: Encryption, row: string, value: string) => Promise<StorableEntry<Settings>>
  readonly prepare: (
    definition: Definition,
    stored: StorableEntry<Settings> | undefined,
  ) => Promise<StorableEntry<Settings>>
  /** For the audit trail. */
  readonly describe: (settings: Settings) => Readonly<Record<string, string>>
}

const SOURCES: EntryKind<ProviderSettings> = {
  kind: 'source',
  maxEntries: MAX_SOURCES,
  toRow: sourceRow,
  isRow: isSourceRow,
  nameOf: ({ name }) => name,
  parseRow: parseSourceRow,
  prepare: async (definition, stored) => prepareSource({ definition }, stored?.settings),
  describe: ({ request }) => ({ host: hostOf(request.url) }),
}

const FEEDS: EntryKind<FeedSettings> = {
  kind: 'feed',
  maxEntries: MAX_FEEDS,
  toRow: feedRow,
  isRow: isFeedRow,
  nameOf: ({ name, preset }) => name ?? preset,
  parseRow: parseFeedRow,
  async prepare({ is_paused: isPaused, ...definition }, stored) {
    const entry = await prepareFeed({ definition }, stored?.settings)
    return { ...entry, isPaused: typeof isPaused === 'boolean' ? isPaused : (stored?.isPaused ?? false) }
  },
  describe: ({ url, schedule }) => ({ address: url, schedule: schedule?.cron ?? 'by hand' }),
}

export const replaceSources = (dependencies: Dependencies, sources: readonly Definition[], author: Author) =>
  replaceEntries(SOURCES, dependencies, sources, author)

export const replaceFeeds = (dependencies: Dependencies, feeds: readonly Definition[], author: Author) =>
  replaceEntries(FEEDS, dependencies, feeds, author)

async function replaceEntries<Settings extends { readonly name: string }>(
  entryKind: EntryKind<Settings>,
  { store, encryption }: Dependencies,
  definitions: readonly Definition[],
  { organizationId, actor, now }: Author,
): Promise<EntryChanges> {
  const { kind, toRow } = entryKind
  const storedRows = [...(await store.read())].filter(([row]) => entryKind.isRow(row))
  const stored = new Map<string, StorableEntry<Settings>>()
  for (const [row, value] of storedRows) {
    const entry = await entryKind.parseRow(encryption, row, value).catch(() => undefined)
    if (entry) stored.set(row, entry)
  }
  const entries = await prepareEntries(entryKind, definitions, stored)
  const writes: { readonly name: string; readonly value: string | null; readonly entry: AuditEntry }[] = []
  const changes = { added: [] as string[], changed: [] as string[], removed: [] as string[], unchanged: [] as string[] }
  for (const entry of entries) {
    const { name } = entry.settings
    const row = toRow(name)
    const before = stored.get(row)
    if (before && isSame(before, entry)) {
      changes.unchanged.push(name)
      continue
    }
    changes[before ? 'changed' : 'added'].push(name)
    const detail = entryKind.describe(entry.settings)
    const value = formatEntry(encryption, row, entry)
    writes.push({ name: row, value, entry: { action: `${kind}.changed`, subject: name, detail } })
  }
  const kept = new Set(entries.map(({ settings }) => toRow(settings.name)))
  for (const [row] of storedRows.filter(([row]) => !kept.has(row))) {
    const name = row.slice(toRow('').length)
    changes.removed.push(name)
    writes.push({ name: row, value: null, entry: { action: `${kind}.removed`, subject: name } })
  }
  if (writes.length > 0) await store.writeAll(writes, { organizationId, actor, now })
  return changes
}

/** All definitions as entries; throws with the mistakes of all of them. */
async function prepareEntries<Settings extends { readonly name: string }>(
  { kind, maxEntries, toRow, nameOf, prepare }: EntryKind<Settings>,
  definitions: readonly Definition[],
  stored: ReadonlyMap<string, StorableEntry<Settings>>,
): Promise<StorableEntry<Settings>[]> {
  const mistakes: { readonly field: string; readonly message: string }[] = []
  const entries: StorableEntry<Settings>[] = []
  if (definitions.length > maxEntries) {
    mistakes.push({ field: `${kind}s`, message: `${maxEntries} at most, got ${definitions.length}` })
  }
  for (const [at, definition] of definitions.slice(0, maxEntries).entries()) {
    try {
      const entry = await prepare(definition, stored.get(toRow(String(nameOf(definition)))))
      const isDuplicate = entries.some(({ settings }) => settings.name === entry.settings.name)
      if (isDuplicate) mistakes.push({ field: `${kind}s.${at}.name`, message: `two ${kind}s of one name` })
      entries.push(entry)
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      for (const { field, message } of error.details) mistakes.push({ field: `${kind}s.${at}.${field}`, message })
    }
  }
  if (mistakes.length > 0) {
    const list = mistakes.map(({ field, message }) => `${field}: ${message}`).join('; ')
    throw new DomainError('invalid', `Nothing was changed: ${list}.`, reason('technical'), mistakes)
  }
  return entries
}

const isSame = (left: StorableEntry<unknown>, right: StorableEntry<unknown>) =>
  isDeepStrictEqual(comparable(left), comparable(right))

const comparable = ({ definition, secrets, isPaused }: StorableEntry<unknown>) => ({
  definition,
  headers: secrets.headers,
  clientSecret: secrets.clientSecret ?? null,
  isPaused: isPaused ?? false,
})
