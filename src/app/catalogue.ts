import { bundledCatalogueVersion, bundledDevices, bundledTacs } from '../catalog/bundled-catalogue-service.ts'
import { type Catalogue, openCatalogue } from '../catalog/catalogue-service.ts'
import { catalogueStore } from '../catalog/catalogue-store.ts'
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

/** The catalogue in memory, after the bundled one was loaded into the database. */
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
    baseUrl: baseUrlOf(config),
    reloadOnChange: reloadOn('registry', 'catalogue'),
  })
  let swappedAt = performance.now()
  catalogue.onChange(() => {
    swappedAt = performance.now()
  })
  metrics.gauge(
    'catalogue_snapshot_age_seconds',
    'Time since the registry served from memory was last swapped.',
    () => (performance.now() - swappedAt) / 1000,
  )
  return catalogue
}
