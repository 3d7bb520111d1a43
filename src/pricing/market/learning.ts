import { inSlices, yieldToRequests } from '../../in-slices.ts'
import { DAY_MS } from '../../time.ts'
import type { Markets } from '../engine/estimate.ts'
import { fitMarketInSteps } from '../engine/market-fit.ts'
import type { DeviceFacts, Observation } from '../engine/observation.ts'
import type { PriorCoefficients } from '../engine/prior-coefficients.ts'

/** Observations older than this say nothing about today that newer ones do not. */
export const MEMORY_MS = 400 * DAY_MS
const DEVICES_AT_ONCE = 50

export type MarketSource = {
  observedDevices(): Promise<readonly string[]>
  sampleOf(
    deviceIds: readonly string[],
    since: number,
  ): Promise<readonly (Observation & { readonly deviceId: string })[]>
}

export type Pass = {
  readonly factsOf: (deviceId: string) => DeviceFacts | undefined
  readonly prior: PriorCoefficients
  readonly now: number
  readonly progress?: (done: number, of: number) => void
}

/** Learns both markets anew from what was observed of all devices, a few milliseconds at a time. */
export async function learnMarkets(
  source: MarketSource,
  pass: Pass,
): Promise<{ markets: Markets; observations: number }> {
  const ids = await source.observedDevices()
  const devices: DeviceFacts[] = []
  const rows = new Map<string, Observation[]>()
  let observations = 0
  for (let from = 0; from < ids.length; from += DEVICES_AT_ONCE) {
    const some = ids.slice(from, from + DEVICES_AT_ONCE)
    for (const id of some) {
      const facts = pass.factsOf(id)
      if (facts) devices.push(facts)
    }
    for (const row of await source.sampleOf(some, pass.now - MEMORY_MS)) {
      observations++
      const known = rows.get(row.deviceId)
      if (known) known.push(row)
      else rows.set(row.deviceId, [row])
    }
    pass.progress?.(Math.min(from + DEVICES_AT_ONCE, ids.length), ids.length)
    await yieldToRequests()
  }
  const input = {
    devices,
    observationsOf: (device: DeviceFacts) => rows.get(device.deviceId) ?? [],
    now: pass.now,
    prior: pass.prior,
  }
  const resale = await inSlices(fitMarketInSteps(input, 'resale'))
  const buyback = await inSlices(fitMarketInSteps(input, 'buyback', resale))
  return { markets: { resale, buyback }, observations }
}
