import { runTimeSliced, yieldToEventLoop } from '../../lib/event-loop.ts'
import { DAY_MS } from '../../lib/time.ts'
import type { FittedMarkets } from '../model/estimate.ts'
import { fitMarketSteps } from '../model/market-fit.ts'
import type { DeviceInput, Observation } from '../model/observation.ts'
import type { PriorCoefficients } from '../model/prior-coefficients.ts'

/** Observations older than this say nothing about today that newer ones do not. */
export const OBSERVATION_WINDOW_MS = 400 * DAY_MS
const DEVICES_PER_BATCH = 50

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
  readonly now: number
  readonly progress?: (done: number, of: number) => void
}

/** Learns both markets anew from what was observed of all devices, a few milliseconds at a time. */
export async function fitMarkets(
  source: MarketObservations,
  pass: MarketFitOptions,
): Promise<{ markets: FittedMarkets; observations: number }> {
  const ids = await source.observedDevices()
  const devices: DeviceInput[] = []
  const rows = new Map<string, Observation[]>()
  let observations = 0
  for (let from = 0; from < ids.length; from += DEVICES_PER_BATCH) {
    const some = ids.slice(from, from + DEVICES_PER_BATCH)
    for (const id of some) {
      const facts = pass.deviceInput(id)
      if (facts) devices.push(facts)
    }
    for (const row of await source.sampleOf(some, pass.now - OBSERVATION_WINDOW_MS)) {
      observations++
      const known = rows.get(row.deviceId)
      if (known) known.push(row)
      else rows.set(row.deviceId, [row])
    }
    pass.progress?.(Math.min(from + DEVICES_PER_BATCH, ids.length), ids.length)
    await yieldToEventLoop()
  }
  const input = {
    devices,
    observationsOf: (device: DeviceInput) => rows.get(device.deviceId) ?? [],
    now: pass.now,
    prior: pass.prior,
  }
  const resale = await runTimeSliced(fitMarketSteps(input, 'resale'))
  const buyback = await runTimeSliced(fitMarketSteps(input, 'buyback', resale))
  return { markets: { resale, buyback }, observations }
}
