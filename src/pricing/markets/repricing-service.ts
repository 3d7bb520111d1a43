import type { DeviceRegistry } from '../../catalog/device.ts'
import { DAY_MS } from '../../lib/time.ts'
import { toDeviceInput } from '../configuration.ts'
import { PRICING_METHOD } from '../model/method.ts'
import { PRIOR_COEFFICIENTS } from '../model/prior-coefficients.ts'
import { loadFittedMarkets, serializeMarkets } from './fitted-markets.ts'
import { fitMarkets } from './market-fit-service.ts'
import { REFIT_GROWTH } from './market-fit-state.ts'
import type { PricingStore, StoredMarketFit } from './pricing-store.ts'

const NIGHT_HOUR = 3

export type RepricingResult = { readonly devices: number; readonly observations: number; readonly milliseconds: number }

type FitStore = Pick<PricingStore, 'countObservations' | 'fits' | 'observedDevices' | 'sampleOf' | 'saveFits'>

/** Fits both markets to all observations and stores them for all processes. */
export async function reprice(
  store: FitStore,
  registry: DeviceRegistry,
  now: number,
  progress?: (done: number, of: number) => void,
): Promise<RepricingResult> {
  const started = performance.now()
  const total = await store.countObservations()
  const observed = await store.observedDevices()
  const { markets, observations } = await fitMarkets(store, {
    deviceInput(deviceId) {
      const device = registry.findDevice(deviceId)
      return device && toDeviceInput(device, registry)
    },
    prior: PRIOR_COEFFICIENTS,
    current: (await loadFittedMarkets(store, now)).markets,
    now,
    ...(progress ? { progress } : {}),
  })
  await store.saveFits(
    serializeMarkets(markets).map((fit) => ({
      ...fit,
      method: PRICING_METHOD,
      fittedAt: now,
      observations: total,
    })),
  )
  return { devices: observed.length, observations, milliseconds: Math.round(performance.now() - started) }
}

/** Refit at night, after a day, or as soon as many observations were added. */
export function isRepricingDue(
  fits: readonly Pick<StoredMarketFit, 'method' | 'fittedAt' | 'observations'>[],
  total: number,
  now: number,
): boolean {
  if (total === 0) return false
  const fit = fits.find(({ method }) => method === PRICING_METHOD)
  if (!fit) return true
  if (total > fit.observations * REFIT_GROWTH) return true
  const isNight = new Date(now).getUTCHours() === NIGHT_HOUR
  return now - fit.fittedAt > (isNight ? DAY_MS / 2 : DAY_MS)
}

/** A fit of so many observations takes a few seconds, which an import can wait for. */
const MAX_OBSERVATIONS_OF_IMPORT = 20_000
/** Fewer new prices than this share change no level. */
const MIN_IMPORTED_SHARE = 0.01

/** The fit at the end of an import, unless that would take long or change nothing; returns its result. */
export async function repriceAfterImport(
  store: FitStore,
  registry: DeviceRegistry,
  imported: number,
  now: number,
): Promise<RepricingResult | undefined> {
  const total = await store.countObservations()
  if (imported === 0 || total > MAX_OBSERVATIONS_OF_IMPORT || imported < total * MIN_IMPORTED_SHARE) return undefined
  return reprice(store, registry, now)
}

/** Runs a full fit if one is due; returns its result. */
export async function repriceIfDue(
  store: FitStore,
  registry: DeviceRegistry,
  now: number,
): Promise<RepricingResult | undefined> {
  if (!isRepricingDue(await store.fits(), await store.countObservations(), now)) return undefined
  return reprice(store, registry, now)
}
