import type { Registry } from '../../catalog/device.ts'
import { DAY_MS, MINUTE_MS } from '../../time.ts'
import { METHOD } from '../engine/method.ts'
import { PRIOR_COEFFICIENTS } from '../engine/prior-coefficients.ts'
import { deviceFacts } from './configuration.ts'
import { writeFit } from './fit-record.ts'
import { learnMarkets } from './learning.ts'
import type { PricingStore, StoredFit } from './store.ts'

const NIGHT_HOUR = 3
const LOOK_EVERY_MS = 10 * MINUTE_MS
/** So much more than was learnt from is another market, whatever the hour. */
const GROWN_BY = 1.25

export type PassResult = { readonly devices: number; readonly observations: number; readonly milliseconds: number }

type FitStore = Pick<PricingStore, 'countObservations' | 'fits' | 'observedDevices' | 'sampleOf' | 'saveFits'>

/** The full pass: learns both markets from everything observed and tells every process. */
export async function reprice(
  store: FitStore,
  registry: Registry,
  now: number,
  progress?: (done: number, of: number) => void,
): Promise<PassResult> {
  const started = performance.now()
  const total = await store.countObservations()
  const observed = await store.observedDevices()
  const { markets, observations } = await learnMarkets(store, {
    factsOf(deviceId) {
      const device = registry.findDevice(deviceId)
      return device && deviceFacts(device, registry)
    },
    prior: PRIOR_COEFFICIENTS,
    now,
    ...(progress ? { progress } : {}),
  })
  await store.saveFits(
    [markets.resale, markets.buyback].map((market) => ({
      trade: market.trade,
      method: METHOD,
      fittedAt: now,
      observations: total,
      document: writeFit(market),
    })),
  )
  return { devices: observed.length, observations, milliseconds: Math.round(performance.now() - started) }
}

/** A fit is renewed at night, when much has come in since, or when it is a day old. */
export function isDue(
  fits: readonly Pick<StoredFit, 'method' | 'fittedAt' | 'observations'>[],
  total: number,
  now: number,
): boolean {
  if (total === 0) return false
  const fit = fits.find(({ method }) => method === METHOD)
  if (!fit) return true
  if (total > fit.observations * GROWN_BY) return true
  const isNight = new Date(now).getUTCHours() === NIGHT_HOUR
  return now - fit.fittedAt > (isNight ? DAY_MS / 2 : DAY_MS)
}

export type RepricingParts = {
  readonly store: FitStore
  readonly registry: () => Registry
  readonly now: () => number
  readonly learnt: (pass: PassResult) => void
  readonly failed: (error: unknown) => void
}

/**
 * Looks now and then whether a full pass is due. Every process does; the first to finish settles it, and two at once only
 * do the same work twice.
 */
export function keepRepriced({ store, registry, now, learnt, failed }: RepricingParts): () => void {
  async function look(): Promise<void> {
    const [fits, total] = [await store.fits(), await store.countObservations()]
    if (isDue(fits, total, now())) learnt(await reprice(store, registry(), now()))
  }
  const timer = setInterval(() => look().catch(failed), LOOK_EVERY_MS)
  return () => clearInterval(timer)
}
