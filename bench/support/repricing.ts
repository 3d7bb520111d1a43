import type { Device } from '../../src/catalog/device.ts'
import { toDeviceInput } from '../../src/pricing/configuration.ts'
import { sampleObservations } from '../../src/pricing/markets/sample-market.ts'
import { fitMarket, priorMarket } from '../../src/pricing/model/market-fit.ts'
import type { DeviceInput, Observation } from '../../src/pricing/model/observation.ts'
import { PRIOR_COEFFICIENTS } from '../../src/pricing/model/prior-coefficients.ts'
import { presentPricing } from '../../src/pricing/quotes/present.ts'
import { quoteDevice } from '../../src/pricing/quotes/quote.ts'
import { median } from './load.ts'
import { STORAGES, syntheticDevice } from './synthetic-market.ts'
import { atLeast, type BenchTarget, below } from './targets.ts'

const NOW = Date.parse('2026-06-01')
const DEVICES = 1_250
const OBSERVATIONS = 1_000_000
/** The median pass counts: a pass may include a garbage collection. */
const PASSES = 7

const prior = {
  resale: priorMarket('resale', PRIOR_COEFFICIENTS, NOW),
  buyback: priorMarket('buyback', PRIOR_COEFFICIENTS, NOW),
}

/** Simulated observations, repeated with small price shifts until there are `count`. */
function repeatObservations(facts: DeviceInput, count: number): Observation[] {
  const samples = sampleObservations(prior, facts, NOW)
  return Array.from({ length: count }, (_, at) => {
    const row = samples[at % samples.length] as Observation
    const shift = 1 + 0.01 * ((Math.floor(at / samples.length) % 7) - 3)
    return {
      ...row,
      source: at % 3 ? 'market-a' : 'market-b',
      cents: Math.round(row.cents * shift),
      listingId: `${at}`,
    }
  })
}

function cpuMs(work: () => void): number {
  const startUsage = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(startUsage)
  return (user + system) / 1_000
}

/**
 * The pricing engine alone, on a simulated market: speed of repricing everything, and time from one new observation to a new
 * price. Measures processor time, which other load on the machine disturbs least.
 */
export function measureRepricing(): BenchTarget[] {
  const devices = Array.from({ length: DEVICES }, (_, number) => syntheticDevice(number))
  const inputs = devices.map((device) => toDeviceInput(device))
  const rows = new Map(inputs.map((input) => [input.deviceId, repeatObservations(input, OBSERVATIONS / DEVICES)]))
  const observationsOf = (input: DeviceInput) => rows.get(input.deviceId) ?? []

  function fullPass() {
    const marketInput = { devices: inputs, observationsOf, now: NOW, prior: PRIOR_COEFFICIENTS }
    const resale = fitMarket(marketInput, 'resale')
    const markets = { resale, buyback: fitMarket(marketInput, 'buyback', { resale }) }
    let bytes = 0
    for (const [index, input] of inputs.entries()) {
      const quotes = quoteDevice(markets, input, observationsOf(input), NOW)
      const device = devices[index] as Device
      for (const [variantIndex, quote] of quotes.entries()) {
        const variant = device.variants[variantIndex]
        if (variant) bytes += JSON.stringify(presentPricing(device, variant, quote, 'both')).length
      }
    }
    return { markets, bytes }
  }

  const firstPass = fullPass()
  const passMs = median(Array.from({ length: PASSES }, () => cpuMs(fullPass)))
  console.log(
    `full pass: ${OBSERVATIONS.toLocaleString('en')} observations, ${DEVICES * STORAGES.length} variants, ${passMs.toFixed(0)} ms, ${(firstPass.bytes / 1e6).toFixed(0)} MB of responses`,
  )

  const repriceMs: number[] = []
  for (let round = 0; round < 2_000; round += 1) {
    const deviceIndex = (round * 7) % DEVICES
    const input = inputs[deviceIndex] as DeviceInput
    const device = devices[deviceIndex] as Device
    const observations = observationsOf(input)
    const added = { ...(observations[0] as Observation), listingId: `new ${round}`, observedAt: NOW }
    const elapsedMs = cpuMs(() => {
      const [quote] = quoteDevice(firstPass.markets, input, [...observations, added], NOW)
      if (quote && device.variants[0]) JSON.stringify(presentPricing(device, device.variants[0], quote, 'both'))
    })
    repriceMs.push(elapsedMs)
  }
  repriceMs.sort((a, b) => a - b)
  const p99 = repriceMs[Math.floor(repriceMs.length * 0.99)] as number
  console.log(`one new observation: median ${(repriceMs[1_000] as number).toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`)

  return [
    atLeast('observations repriced per second of one core', OBSERVATIONS / (passMs / 1_000), 1_000_000, 0),
    below('new observation to new price, p99', p99, 5, 'ms', 2),
  ]
}
