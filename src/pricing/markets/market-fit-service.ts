import { runTimeSliced, yieldToEventLoop } from '../../lib/event-loop.ts'
import { DAY_MS } from '../../lib/time.ts'
import { type CountryMarkets, fitCountriesSteps, marketsOf } from '../model/country-markets.ts'
import type { DeviceInput, Observation } from '../model/observation.ts'
import type { PriorCoefficients } from '../model/prior-coefficients.ts'
import { withoutQuarantined } from '../model/source-quarantine.ts'
import { isContributed } from '../model/source-weights.ts'

/** Older observations are ignored. */
export const OBSERVATION_WINDOW_MS = 400 * DAY_MS
const DEVICES_PER_BATCH = 25

export type MarketObservations = {
  observedDevices(): Promise<readonly string[]>
  sampleOf(
    deviceIds: readonly string[],
    since: number,
  ): Promise<readonly (Observation & { readonly deviceId: string })[]>
}

export type MarketFitOptions = {
  readonly deviceInput: (deviceId: string) => DeviceInput | undefined
  readonly prior: PriorCoefficients
  /** Current markets; contributed prices far outside their ranges are excluded from the fit. */
  readonly current: CountryMarkets
  readonly now: number
  readonly progress?: (done: number, of: number) => void
}

/** Removes contributed rows that are far outside the prices of their own country. */
function withoutQuarantinedAnywhere(
  markets: CountryMarkets,
  device: DeviceInput,
  rows: readonly Observation[],
  now: number,
): readonly Observation[] {
  const countries = new Set(rows.filter(({ source }) => isContributed(source)).map(({ market }) => market))
  return [...countries].reduce(
    (remaining, country) => withoutQuarantined(marketsOf(markets, country), device, remaining, now),
    rows,
  )
}

/** Fits both markets to the observations of all devices, time-sliced. */
export async function fitMarkets(
  source: MarketObservations,
  options: MarketFitOptions,
): Promise<{ markets: CountryMarkets; observations: number }> {
  const ids = await source.observedDevices()
  const devices: DeviceInput[] = []
  const rows = new Map<string, readonly Observation[]>()
  let observations = 0
  for (let from = 0; from < ids.length; from += DEVICES_PER_BATCH) {
    const batch = ids.slice(from, from + DEVICES_PER_BATCH)
    const sampled = Map.groupBy(
      await source.sampleOf(batch, options.now - OBSERVATION_WINDOW_MS),
      ({ deviceId }) => deviceId,
    )
    for (const id of batch) {
      const device = options.deviceInput(id)
      const deviceRows = sampled.get(id) ?? []
      observations += deviceRows.length
      if (!device) continue
      devices.push(device)
      rows.set(id, withoutQuarantinedAnywhere(options.current, device, deviceRows, options.now))
    }
    options.progress?.(Math.min(from + DEVICES_PER_BATCH, ids.length), ids.length)
    await yieldToEventLoop()
  }
  const input = {
    devices,
    observationsOf: (device: DeviceInput) => rows.get(device.deviceId) ?? [],
    now: options.now,
    prior: options.prior,
  }
  return { markets: await runTimeSliced(fitCountriesSteps(input)), observations }
}
