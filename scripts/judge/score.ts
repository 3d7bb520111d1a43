import { CONDITIONS } from '../../src/contract/grades.ts'
import { estimateDevice, estimateListing, type Markets } from '../../src/pricing/engine/estimate.ts'
import { timeVariance } from '../../src/pricing/engine/market.ts'
import { fitMarket } from '../../src/pricing/engine/market-fit.ts'
import type { DeviceFacts, Observation } from '../../src/pricing/engine/observation.ts'
import type { PriorCoefficients } from '../../src/pricing/engine/prior-coefficients.ts'
import { confidence, expectedError } from '../../src/pricing/serve/confidence.ts'
import { type Quote, quoteDevice } from '../../src/pricing/serve/quote.ts'
import { MONTH_MS } from '../../src/time.ts'
import { BASELINES } from './baselines.ts'
import type { Round } from './splits.ts'

/** One foretold listing. */
export type Foretold = { readonly error: number; readonly covered: boolean; readonly confidence: number }

export type Bucket = {
  readonly from: number
  readonly expected: number
  readonly measured: number
  readonly count: number
}

export type Score = {
  readonly tests: number
  readonly unanswered: number
  readonly mdape: number
  readonly mape: number
  readonly cover: number
  readonly violations: number
  readonly pairs: number
  readonly buckets: readonly Bucket[]
  readonly foretold: readonly Foretold[]
  readonly baselines: Readonly<Record<string, number>>
}

/** The engine as the service runs it: markets from what was seen, then every device against them. */
function markets(
  devices: readonly DeviceFacts[],
  rows: readonly Observation[],
  now: number,
  prior: PriorCoefficients,
): { markets: Markets; observationsOf: (device: DeviceFacts) => Observation[] } {
  const seen = new Map<string, Observation[]>()
  for (const row of rows) {
    const list = seen.get(row.variantId)
    if (list) list.push(row)
    else seen.set(row.variantId, [row])
  }
  const observationsOf = (device: DeviceFacts) => device.variants.flatMap((v) => seen.get(v.variantId) ?? [])
  const input = { devices, observationsOf, now, prior }
  const resale = fitMarket(input, 'resale')
  return { markets: { resale, buyback: fitMarket(input, 'buyback', resale) }, observationsOf }
}

export function score(devices: readonly DeviceFacts[], rounds: readonly Round[], prior: PriorCoefficients): Score {
  const place = new Map(
    devices.flatMap((device) => device.variants.map((v, at) => [v.variantId, { device, at }] as const)),
  )
  const foretold: Foretold[] = []
  const baselineErrors = new Map<string, number[]>(Object.keys(BASELINES).map((name) => [name, []]))
  let unanswered = 0
  let violations = 0
  let pairs = 0
  for (const round of rounds) {
    const learnt = markets(devices, round.train, round.now, prior)
    const estimates = new Map<string, { sides: ReturnType<typeof estimateDevice>; quotes: Quote[] }>()
    const estimateOf = (device: DeviceFacts) => {
      const known = estimates.get(device.deviceId)
      if (known) return known
      const rows = learnt.observationsOf(device)
      const made = {
        sides: estimateDevice(learnt.markets, device, rows, round.now),
        quotes: quoteDevice(learnt.markets, device, rows, round.now),
      }
      estimates.set(device.deviceId, made)
      for (const quote of made.quotes) {
        for (const side of [quote.resale, quote.buyback]) {
          const amounts = side.cents ? CONDITIONS.map((condition) => side.cents?.[condition] ?? 0) : []
          for (let at = 1; at < amounts.length; at += 1) {
            pairs += 1
            if ((amounts[at] as number) > (amounts[at - 1] as number)) violations += 1
          }
        }
      }
      return made
    }
    for (const test of round.test) {
      const found = place.get(test.variantId)
      if (!found) continue
      const { sides, quotes } = estimateOf(found.device)
      const side = test.side === 'quote' ? sides.buyback : sides.resale
      if (!side.known) {
        unanswered += 1
        continue
      }
      const { ln, reach } = estimateListing(side, found.at, test)
      const actual = Math.log(test.cents)
      foretold.push({
        error: Math.abs(Math.exp(ln) - test.cents) / test.cents,
        covered: Math.abs(ln - actual) <= reach,
        confidence: confidenceAt(
          quotes[found.at]?.marketConfidence ?? 0,
          timeVariance(side.market, found.device.make, Math.max(0, test.observedAt - round.now) / MONTH_MS),
        ),
      })
    }
    for (const [name, fit] of Object.entries(BASELINES)) {
      const predict = fit(round, devices)
      for (const test of round.test) {
        const cents = predict(test)
        if (cents !== undefined) baselineErrors.get(name)?.push(Math.abs(cents - test.cents) / test.cents)
      }
    }
  }
  return {
    tests: foretold.length,
    unanswered,
    mdape: middle(foretold.map(({ error }) => error)),
    mape: foretold.reduce((sum, { error }) => sum + error, 0) / foretold.length,
    cover: foretold.filter(({ covered }) => covered).length / foretold.length,
    violations,
    pairs,
    buckets: buckets(foretold),
    foretold,
    baselines: Object.fromEntries([...baselineErrors].map(([name, errors]) => [name, middle(errors)])),
  }
}

/** The confidence the service would show that much later, had it heard nothing since. */
function confidenceAt(now: number, time: number): number {
  const unsure = expectedError(Math.sqrt(time))
  return confidence(Math.hypot((100 - now) / 400, unsure))
}

/** Ten points of confidence each; too few rows in one would say nothing. */
const LEAST_IN_BUCKET = 50

export function buckets(foretold: readonly Foretold[]): Bucket[] {
  return [90, 80, 70, 60, 50].flatMap((from) => {
    const inside = foretold.filter((row) => row.confidence >= from && row.confidence < from + 10)
    if (inside.length < LEAST_IN_BUCKET) return []
    const expected = inside.reduce((sum, row) => sum + (100 - row.confidence) / 4, 0) / inside.length
    return [{ from, expected, measured: 100 * middle(inside.map(({ error }) => error)), count: inside.length }]
  })
}

function middle(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort()
  if (!sorted.length) return Number.NaN
  const half = sorted.length >> 1
  return sorted.length % 2 ? (sorted[half] as number) : ((sorted[half - 1] as number) + (sorted[half] as number)) / 2
}
