import type { DeviceRegistry } from '../../catalog/device.ts'
import { DAY_MS, MINUTE_MS } from '../../lib/time.ts'
import { toDeviceInput } from '../configuration.ts'
import { PRICING_METHOD } from '../model/method.ts'
import { PRIOR_COEFFICIENTS } from '../model/prior-coefficients.ts'
import { serializeMarket } from './market-document.ts'
import { fitMarkets } from './market-fit-service.ts'
import type { PricingStore, StoredMarketFit } from './pricing-store.ts'

const NIGHT_HOUR = 3
const CHECK_EVERY_MS = 10 * MINUTE_MS
/** So much more than was learnt from is another market, whatever the hour. */
const REFIT_GROWTH = 1.25

export type RepricingResult = { readonly devices: number; readonly observations: number; readonly milliseconds: number }

type FitStore = Pick<PricingStore, 'countObservations' | 'fits' | 'observedDevices' | 'sampleOf' | 'saveFits'>

/** The full pass: learns both markets from everything observed and tells every process. */
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
    now,
    ...(progress ? { progress } : {}),
  })
  await store.saveFits(
    [markets.resale, markets.buyback].map((market) => ({
      trade: market.trade,
      method: PRICING_METHOD,
      fittedAt: now,
      observations: total,
      document: serializeMarket(market),
    })),
  )
  return { devices: observed.length, observations, milliseconds: Math.round(performance.now() - started) }
}

/** A fit is renewed at night, when much has come in since, or when it is a day old. */
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

export type RepricingOptions = {
  readonly store: FitStore
  readonly registry: () => DeviceRegistry
  readonly now: () => number
  readonly onRepriced: (pass: RepricingResult) => void
  readonly onFailure: (error: unknown) => void
}

/**
 * Looks now and then whether a full pass is due. Every process does; the first to finish settles it, and two at once only
 * do the same work twice.
 */
export function startRepricing({
  store,
  registry,
  now,
  onRepriced: learnt,
  onFailure: failed,
}: RepricingOptions): () => void {
  async function look(): Promise<void> {
    const [fits, total] = [await store.fits(), await store.countObservations()]
    if (isRepricingDue(fits, total, now())) learnt(await reprice(store, registry(), now()))
  }
  const timer = setInterval(() => look().catch(failed), CHECK_EVERY_MS)
  return () => clearInterval(timer)
}
