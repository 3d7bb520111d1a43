import type { Config, Environment } from '../config.ts'
import type { Database } from '../db/database.ts'
import type { ApiRoute } from '../http/context.ts'
import type { Encryption } from '../lib/encryption.ts'
import type { MailService } from '../mail/mail-service.ts'
import type { SourceOutage } from '../risk/sources/source-health.ts'
import type { Backups } from './backups.ts'
import type { Feeds } from './feeds.ts'
import type { NetworkAccess } from './network-access.ts'
import { readLastBackup } from './operator-metrics.ts'
import { serviceOperations } from './service-operations.ts'
import type { ServiceSettingsService } from './service-settings.ts'
import { serviceSettingsPage } from './service-settings-page.ts'
import { serviceSettingsRoutes } from './service-settings-routes.ts'
import { serviceSettingsStore } from './service-settings-store.ts'

type ServiceDependencies = {
  readonly db: Database
  readonly config: Config
  readonly environment: Environment
  readonly encryption: Encryption
  readonly settings: ServiceSettingsService
  readonly backups: Backups
  readonly mail: MailService
  readonly network: NetworkAccess
  readonly feeds: Pick<Feeds, 'overview' | 'runNow' | 'testPrices'>
  readonly sourcesDown: () => readonly SourceOutage[]
}

/** Settings of the whole service and what its operator does with them. */
export function serviceRoutes({
  db,
  config,
  environment,
  encryption,
  settings,
  backups,
  mail,
  network,
  feeds,
  sourcesDown,
}: ServiceDependencies): ApiRoute[] {
  const { present, presentSetting } = serviceSettingsPage({
    config,
    environment,
    settings,
    backups,
    mail,
    lastBackupAt: () => readLastBackup(db),
    feeds: feeds.overview,
    sourcesDown,
  })
  const operations = serviceOperations({
    environment,
    encryption,
    settings,
    store: serviceSettingsStore(db),
    backups,
    mail,
    network,
    runFeed: feeds.runNow,
    testPrices: feeds.testPrices,
    currentValue: (name) => presentSetting(name).value,
  })
  return serviceSettingsRoutes({ operations, present })
}
