import { baseUrlOf, type Config, type Environment, listSettings } from '../config.ts'
import { type ServiceSettingsWire, STORED_SETTINGS, type StoredSettingName } from '../contract/service-settings.ts'
import type { FeedOverview } from '../import/feeds/feed-schedule.ts'
import type { FeedSettings } from '../import/feeds/feed-settings.ts'
import type { PriceApi } from '../import/feeds/price-api.ts'
import { presentFeed } from '../import/present-import.ts'
import { presentFailure } from '../lib/failure.ts'
import { isoInstant, isoInstantOrNull } from '../lib/time.ts'
import type { MailService } from '../mail/mail-service.ts'
import { COUNTRY_MARKETS } from '../pricing/country-market.ts'
import type { ProviderSettings } from '../risk/sources/provider-settings.ts'
import type { SourceOutage } from '../risk/sources/source-health.ts'
import type { Backups } from './backups.ts'
import { isLoopback } from './lan-addresses.ts'
import type { ServiceSettingsService } from './service-settings.ts'
import { hostOf, withoutApiSecret, withoutSecrets } from './stored-entries.ts'

const MARKETS = COUNTRY_MARKETS.map(({ code, name }) => ({ code, name })).sort((left, right) =>
  left.name.localeCompare(right.name, 'en'),
)

export type ServiceSettingsPageDependencies = {
  readonly config: Config
  readonly environment: Environment
  readonly settings: ServiceSettingsService
  readonly backups: Backups
  readonly mail: MailService
  readonly lastBackupAt: () => Promise<number | null>
  readonly feeds: () => Promise<readonly FeedOverview[]>
  readonly sourcesDown: () => readonly SourceOutage[]
}

/** The service settings as they are now; secrets are never part of them. */
export function serviceSettingsPage(dependencies: ServiceSettingsPageDependencies) {
  const { config, environment, settings, backups, mail } = dependencies

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
          address: overview.address,
          options: presentOptions(feed.settings, formats),
          is_paused: feed.isPaused,
          ...presentFailure(overview.failure),
          header_names: Object.keys(feed.settings.headers),
          template: feed.settings.template,
          api: feed.settings.template || !feed.settings.api ? null : presentApi(feed.settings.api),
          has_client_secret: feed.settings.api?.oauth !== undefined,
        }
      }),
      feed_formats: formats,
      backup: {
        is_supported: backups.isSupported,
        is_running: backups.isBusy(),
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
      replaced: { sources: null, feeds: null },
    }
  }

  return { present, presentSetting }
}

/** Without the client secret. */
const presentApi = (api: PriceApi): Record<string, unknown> => ({ ...(withoutApiSecret({ api }).api as object) })

async function feedFormats(): Promise<ServiceSettingsWire['feed_formats']> {
  const { IMPORTERS } = await import('../import/importers.ts')
  return IMPORTERS.map(({ format, options, flags }) => ({
    name: format,
    options: Object.keys(options ?? {}),
    flags: Object.keys(flags ?? {}),
  }))
}

/** Options without a value are `true`, as in a feed that is entered. */
function presentOptions({ format, options }: FeedSettings, formats: ServiceSettingsWire['feed_formats']) {
  const flags = formats.find(({ name }) => name === format)?.flags ?? []
  return Object.fromEntries(
    Object.entries(options).map(([name, value]) => [name, flags.includes(name) ? (true as const) : value]),
  )
}

function presentSource(
  settings: ProviderSettings,
  outages: readonly SourceOutage[],
): ServiceSettingsWire['sources'][number] {
  return {
    name: settings.name,
    definition: withoutSecrets(settings),
    host: hostOf(settings.request.url),
    identifiers: [...settings.identifiers],
    speaks_for: [...settings.speaks_for],
    header_names: Object.keys(settings.request.headers),
    has_client_secret: settings.request.oauth !== undefined,
    outage: outages.find(({ name }) => name === settings.name)?.reason ?? null,
  }
}
