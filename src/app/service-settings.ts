import { applyStoredSettings, type Config, type Environment } from '../config.ts'
import type { Database } from '../db/database.ts'
import type { ReloadOnChange } from '../db/reload-on-change.ts'
import type { FeedSettings } from '../import/feeds/feed-settings.ts'
import type { Encryption } from '../lib/encryption.ts'
import type { ProviderSettings } from '../risk/sources/provider-settings.ts'
import { serviceSettingsStore } from './service-settings-store.ts'
import { isFeedRow, isSourceRow, parseFeedRow, parseSourceRow } from './stored-entries.ts'

export type ConfiguredFeed = { readonly isPaused: boolean; readonly settings: FeedSettings }

export type ServiceSettings = {
  /** The configuration with the stored settings that the environment does not override. */
  readonly config: Config
  /** Names of the settings that are stored. */
  readonly storedNames: ReadonlySet<string>
  readonly sources: readonly ProviderSettings[]
  readonly feeds: readonly ConfiguredFeed[]
}

export type SettingsContext = {
  readonly config: Config
  readonly environment: Environment
  readonly encryption: Encryption
  readonly onInvalid: (name: string, reasons: readonly string[]) => void
}

/** The settings in effect. Entries that cannot be read are reported and skipped. */
export async function readServiceSettings(db: Database, context: SettingsContext): Promise<ServiceSettings> {
  const { config, environment, encryption } = context
  const rows = await serviceSettingsStore(db).read()
  const sources: ProviderSettings[] = []
  const feeds: ConfiguredFeed[] = []
  for (const [row, value] of rows) {
    try {
      if (isSourceRow(row)) sources.push((await parseSourceRow(encryption, row, value)).settings)
      if (isFeedRow(row)) {
        const { settings, isPaused } = await parseFeedRow(encryption, row, value)
        feeds.push({ settings, isPaused })
      }
    } catch (error) {
      context.onInvalid(row, [error instanceof Error ? error.message : String(error)])
    }
  }
  return { config: applyStoredSettings(config, rows, environment), storedNames: new Set(rows.keys()), sources, feeds }
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
