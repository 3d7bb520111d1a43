/**
 * The pricing engine by itself, on a simulated market: how fast everything is priced anew, and how long one new observation
 * takes to become a new price. Times are processor time, which others on the machine disturb least.
 */
import type { Device } from '../src/catalog/device.ts'
import { toDeviceInput } from '../src/pricing/configuration.ts'
import { sampleObservations } from '../src/pricing/markets/sample-market.ts'
import { fitMarket, priorMarket } from '../src/pricing/model/market-fit.ts'
import type { DeviceInput, Observation } from '../src/pricing/model/observation.ts'
import { PRIOR_COEFFICIENTS } from '../src/pricing/model/prior-coefficients.ts'
import { presentPricing } from '../src/pricing/quotes/present.ts'
import { quoteDevice } from '../src/pricing/quotes/quote.ts'
import { median } from './support/load.ts'
import { STORAGES, syntheticDevice } from './support/synthetic-market.ts'
import { atLeast, below, reportTargets } from './support/targets.ts'

const NOW = Date.parse('2026-06-01')
const DEVICES = 1_250
const OBSERVATIONS = 1_000_000
/** The middle of several: one of them may fall together with a collection of garbage. */
const PASSES = 7

const prior = {
  resale: priorMarket('resale', PRIOR_COEFFICIENTS, NOW),
  buyback: priorMarket('buyback', PRIOR_COEFFICIENTS, NOW),
}

/** Simulated rows under another name, repeated with small shifts until there are enough. */
function observations(facts: DeviceInput, count: number): Observation[] {
  const some = sampleObservations(prior, facts, NOW)
  return Array.from({ length: count }, (_, at) => {
    const row = some[at % some.length] as Observation
    const shift = 1 + 0.01 * ((Math.floor(at / some.length) % 7) - 3)
    return {
      ...row,
      source: at % 3 ? 'market-a' : 'market-b',
      cents: Math.round(row.cents * shift),
      listingId: `${at}`,
    }
  })
}

function cpuMs(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

const devices = Array.from({ length: DEVICES }, (_, number) => syntheticDevice(number))
const facts = devices.map((device) => toDeviceInput(device))
const rows = new Map(facts.map((one) => [one.deviceId, observations(one, OBSERVATIONS / DEVICES)]))
const observationsOf = (one: DeviceInput) => rows.get(one.deviceId) ?? []

function fullPass() {
  const input = { devices: facts, observationsOf, now: NOW, prior: PRIOR_COEFFICIENTS }
  const resale = fitMarket(input, 'resale')
  const markets = { resale, buyback: fitMarket(input, 'buyback', { resale }) }
  let bytes = 0
  for (const [at, one] of facts.entries()) {
    const quotes = quoteDevice(markets, one, observationsOf(one), NOW)
    const priced = devices[at] as Device
    for (const [place, quote] of quotes.entries()) {
      const variant = priced.variants[place]
      if (variant) bytes += JSON.stringify(presentPricing(priced, variant, quote, 'both')).length
    }
  }
  return { markets, bytes }
}

const warm = fullPass()
const passMs = median(Array.from({ length: PASSES }, () => cpuMs(fullPass)))
console.log(
  `full pass: ${OBSERVATIONS.toLocaleString('en')} observations, ${DEVICES * STORAGES.length} variants, ${passMs.toFixed(0)} ms, ${(warm.bytes / 1e6).toFixed(0)} MB of answers`,
)

const single: number[] = []
for (let at = 0; at < 2_000; at += 1) {
  const number = (at * 7) % DEVICES
  const one = facts[number] as DeviceInput
  const own = observationsOf(one)
  const began = process.cpuUsage()
  const more = [...own, { ...(own[0] as Observation), listingId: `new ${at}`, observedAt: NOW }]
  const [quote] = quoteDevice(warm.markets, one, more, NOW)
  const priced = devices[number] as Device
  if (quote && priced.variants[0]) JSON.stringify(presentPricing(priced, priced.variants[0], quote, 'both'))
  const { user, system } = process.cpuUsage(began)
  single.push((user + system) / 1_000)
}
single.sort((a, b) => a - b)
const p99 = single[Math.floor(single.length * 0.99)] as number
console.log(`one new observation: median ${(single[1_000] as number).toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`)

reportTargets([
  atLeast('observations repriced per second of one core', OBSERVATIONS / (passMs / 1_000), 1_000_000, 0),
  below('new observation to new price, p99', p99, 5, 'ms', 2),
])
