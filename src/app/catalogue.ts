import { bundledCatalogueVersion, bundledDevices, bundledTacs } from '../catalog/bundled-catalogue-service.ts'
import { type BuildProgress, type Catalogue, openCatalogue } from '../catalog/catalogue-service.ts'
import { catalogueStore } from '../catalog/catalogue-store.ts'
import { registryIndexFile } from '../catalog/index/index-file-store.ts'
import { baseUrlOf, type Config } from '../config.ts'
import type { Database } from '../db/database.ts'
import type { ReloadOnTopic } from '../db/reload-on-change.ts'
import type { MetricRegistry } from '../http/metric-registry.ts'
import { seedCatalogueOnStart } from '../import/catalogue/seed-catalogue-service.ts'
import type { Log } from '../lib/log.ts'

type CatalogueDependencies = {
  readonly db: Database
  readonly config: Config
  readonly reloadOn: ReloadOnTopic
  readonly metrics: MetricRegistry
  readonly log: Log
}

/** The bundled catalogue takes less, 500,000 devices take half a minute or more. */
const BUILD_LOG_SECONDS = 3

/** The catalogue, after the bundled one was loaded into the database and the index of this machine is up to date. */
export async function openServedCatalogue({
  db,
  config,
  reloadOn,
  metrics,
  log,
}: CatalogueDependencies): Promise<Catalogue> {
  const bundled = { version: bundledCatalogueVersion(), devices: bundledDevices, tacs: bundledTacs }
  await seedCatalogueOnStart(db, bundled, () => log.info('waiting for another process to load the bundled catalogue'))
  const catalogue = await openCatalogue({
    source: catalogueStore(db, (id, error) =>
      log.error('skipping unreadable device', { device_id: id, cause: String(error) }),
    ),
    file: registryIndexFile(config.dataDir, config.databaseUrl, baseUrlOf(config)),
    reloadOnChange: reloadOn('registry', 'catalogue'),
    onWait: () => log.info('waiting for another process to build the registry index'),
    onBuild: logEverySeconds(BUILD_LOG_SECONDS, (progress: BuildProgress) =>
      log.info('building the registry index', progress),
    ),
    onDamaged: () => log.error('the registry index is damaged; building it again', {}),
  })
  let changedAt = performance.now()
  catalogue.onChange(() => {
    changedAt = performance.now()
  })
  metrics.gauge(
    'catalogue_age_seconds',
    'Time since the served registry last changed.',
    () => (performance.now() - changedAt) / 1000,
  )
  return catalogue
}

/** Logs the first progress after this time, and then no more often. */
function logEverySeconds<Progress>(seconds: number, write: (progress: Progress) => void): (progress: Progress) => void {
  let loggedAt = performance.now()
  return (progress) => {
    if (performance.now() - loggedAt < seconds * 1000) return
    loggedAt = performance.now()
    write(progress)
  }
}
