import type { Catalogue } from '../catalog/catalogue-service.ts'
import { LARGE_REGISTRY_DEVICES, type Registry } from '../catalog/registry.ts'
import { reloadOnChange } from '../db/reload-on-change.ts'
import { runTimeSliced } from '../lib/event-loop.ts'
import type { Log } from '../lib/log.ts'
import { fitLaunchPrices } from '../pricing/launch-price-estimate.ts'

/** An import changes the registry several times a second, and a fit reads all of its devices. */
const MIN_INTERVAL_MS = 5_000
const LARGE_REGISTRY_INTERVAL_MS = 30_000

/** Fits the launch prices again after every change of the catalogue. */
export const openLaunchPrices = (catalogue: Pick<Catalogue, 'registry' | 'onChange'>, log: Log) =>
  reloadOnChange({
    subscribe: catalogue.onChange,
    onFailure: (error) => log.warn('fitting launch prices failed; retrying', { cause: String(error) }),
    onRecovery: (tries) => log.info('fitting launch prices succeeded after retries', { tries }),
  })(() => fitLaunchPricesOf(catalogue.registry()), {
    minIntervalMs: () => (isLarge(catalogue.registry()) ? LARGE_REGISTRY_INTERVAL_MS : MIN_INTERVAL_MS),
  })

const isLarge = (registry: Registry) => registry.deviceCount() > LARGE_REGISTRY_DEVICES

/** Ahead of the first request for a device without a list price. */
export const fitLaunchPricesOf = (registry: Registry) =>
  runTimeSliced(
    fitLaunchPrices(
      registry,
      registry.countLabels('categories').map(({ name }) => name),
    ),
  )
