import { CONDITIONS } from '../../src/contract/condition-grades.ts'
import { DAY_MS } from '../../src/lib/time.ts'
import { applyDrift } from '../../src/pricing/model/drift.ts'
import { estimateDevice, estimateListing, type FittedMarkets } from '../../src/pricing/model/estimate.ts'
import { fitMarket } from '../../src/pricing/model/market-fit.ts'
import { type DeviceInput, isCarrierLocked, type Observation } from '../../src/pricing/model/observation.ts'
import type { PriorCoefficients } from '../../src/pricing/model/prior-coefficients.ts'
import { quoteWithLock } from '../../src/pricing/quotes/carrier-lock.ts'
import { type Quote, quoteDevice } from '../../src/pricing/quotes/quote.ts'
import { BASELINES } from './baselines.ts'
import { medianOf } from './median-error.ts'
import { type CellListing, type OracleError, oracleError } from './oracle-error.ts'
import type { EvaluationRound } from './splits.ts'

/** One foretold listing: how far the number was from it, and whether its range held it. */
export type Prediction = { readonly error: number; readonly covered: boolean }

/** A listing against the answer that a caller gets, who sees neither its seller, nor the seller's words, nor a lock. */
export type QuotePrediction = Prediction & {
  readonly confidence: number
  /** How far it lies from the amount, as a share of what the range reaches to that side: more than 1 is outside. */
  readonly intervalPosition: number
}

export type Accuracy = { readonly mdape: number; readonly mape: number; readonly cover: number }

export type Bucket = {
  readonly from: number
  readonly expected: number
  readonly measured: number
  readonly count: number
}

export type AccuracyReport = {
  readonly tests: number
  /** No basis for a price, or a grade no answer has: new and sealed goods. */
  readonly unanswered: number
  readonly quoted: Accuracy
  /** The same listings foretold with all that is known of them: what the engine knows and an answer cannot say. */
  readonly informed: Accuracy
  readonly violations: number
  readonly pairs: number
  readonly buckets: readonly Bucket[]
  readonly predictions: readonly QuotePrediction[]
  readonly oracle: OracleError
  readonly baselines: Readonly<Record<string, number>>
}

/** The engine as the service runs it: markets from what was seen, then every device against them. */
function markets(
  devices: readonly DeviceInput[],
  rows: readonly Observation[],
  now: number,
  prior: PriorCoefficients,
): { markets: FittedMarkets; observationsOf: (device: DeviceInput) => Observation[] } {
  const seen = new Map<string, Observation[]>()
  for (const row of rows) {
    const list = seen.get(row.variantId)
    if (list) list.push(row)
    else seen.set(row.variantId, [row])
  }
  const observationsOf = (device: DeviceInput) => device.variants.flatMap((v) => seen.get(v.variantId) ?? [])
  const input = { devices, observationsOf, now, prior }
  const resale = fitMarket(input, 'resale')
  return { markets: { resale, buyback: fitMarket(input, 'buyback', { resale }) }, observationsOf }
}

export function evaluateAccuracy(
  devices: readonly DeviceInput[],
  rounds: readonly EvaluationRound[],
  prior: PriorCoefficients,
): AccuracyReport {
  const place = new Map(
    devices.flatMap((device) => device.variants.map((v, at) => [v.variantId, { device, at }] as const)),
  )
  const foretold: QuotePrediction[] = []
  const listings = new Map<Observation, CellListing>()
  const informed: Prediction[] = []
  const order = { violations: 0, pairs: 0 }
  const baselineErrors = new Map<string, number[]>(Object.keys(BASELINES).map((name) => [name, []]))
  let unanswered = 0
  for (const round of rounds) {
    const learnt = markets(devices, round.train, round.now, prior)
    const sidesOf = memoizeByKey((device: DeviceInput) =>
      estimateDevice(learnt.markets, device, learnt.observationsOf(device), round.now),
    )
    const quotesOn = memoizeByKey((now: number) =>
      memoizeByKey((device: DeviceInput) => {
        const quotes = quoteDevice(learnt.markets, device, learnt.observationsOf(device), now)
        if (now === round.now) countOrder(quotes, order)
        return quotes
      }),
    )
    const answered = new Set<Observation>()
    for (const test of round.test) {
      const found = place.get(test.variantId)
      if (!found) continue
      // What comes later is foretold by the answer of its own day, had nothing been heard since.
      const now = Math.max(round.now, Math.floor(test.observedAt / DAY_MS) * DAY_MS)
      const quote = quotesOn(now)(found.device)[found.at] as Quote
      const sides = sidesOf(found.device)
      const side = test.side === 'quote' ? sides.buyback : sides.resale
      const toNow = applyDrift(0, test.observedAt, now, side.rows.driftPerMonth)
      const hit = quotePrediction(test, quote, toNow)
      if (!hit || !side.hasBasis) {
        unanswered += 1
        continue
      }
      answered.add(test)
      foretold.push(hit)
      // Several shuffles hide a listing several times; it is one listing all the same.
      listings.set(test, {
        cell: `${test.variantId} ${gradeOf(test)} ${test.side === 'quote' ? 'buyback' : 'resale'} ${round.now}`,
        price: test.cents * Math.exp(toNow),
        error: hit.error,
      })
      const { ln, halfWidth80: reach } = estimateListing(side, found.at, test)
      informed.push({
        error: Math.abs(Math.exp(ln) - test.cents) / test.cents,
        covered: Math.abs(ln - Math.log(test.cents)) <= reach,
      })
    }
    for (const [name, fit] of Object.entries(BASELINES)) {
      const predict = fit(round, devices)
      for (const test of answered) {
        const cents = predict(test)
        if (cents !== undefined) baselineErrors.get(name)?.push(Math.abs(cents - test.cents) / test.cents)
      }
    }
  }
  return {
    tests: foretold.length,
    unanswered,
    quoted: accuracy(foretold),
    informed: accuracy(informed),
    ...order,
    buckets: buckets(foretold),
    predictions: foretold,
    oracle: oracleError([...listings.values()]),
    baselines: Object.fromEntries([...baselineErrors].map(([name, errors]) => [name, medianOf(errors)])),
  }
}

/** Nobody graded what is called no more than "used": the answer for Good is what comes closest to it. */
const gradeOf = ({ grade: rung }: Observation) =>
  rung === 'Ungraded' ? 'Good' : CONDITIONS.find((condition) => condition === rung)

/**
 * The listing against the amount, the range and the confidence of the answer. A listing of some weeks ago is moved by the market's
 * drift, `toNow`, to the day of the answer.
 */
function quotePrediction(test: Observation, unlocked: Quote, toNow: number): QuotePrediction | undefined {
  const quote = quoteWithLock(unlocked, isCarrierLocked(test.lock) ? 'locked' : 'unlocked')
  const side = test.side === 'quote' ? quote.buyback : quote.resale
  const grade = gradeOf(test)
  const cents = grade && side.cents?.[grade]
  const range = grade && side.interval?.[grade]
  if (cents === undefined || range === undefined) return undefined
  const price = test.cents * Math.exp(toNow)
  return {
    error: Math.abs(cents - price) / price,
    covered: range.low <= price && price <= range.high,
    confidence: quote.marketConfidence,
    intervalPosition: Math.log(price / cents) / Math.log((price < cents ? range.low : range.high) / cents),
  }
}

function countOrder(quotes: readonly Quote[], order: { violations: number; pairs: number }): void {
  for (const quote of quotes) {
    for (const side of [quote.resale, quote.buyback]) {
      const amounts = side.cents ? CONDITIONS.map((condition) => side.cents?.[condition] ?? 0) : []
      for (let at = 1; at < amounts.length; at += 1) {
        order.pairs += 1
        if ((amounts[at] as number) > (amounts[at - 1] as number)) order.violations += 1
      }
    }
  }
}

/** Each thing worked out once. */
function memoizeByKey<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>()
  return (key) => {
    if (known.has(key)) return known.get(key) as Value
    const made = make(key)
    known.set(key, made)
    return made
  }
}

function accuracy(hits: readonly Prediction[]): Accuracy {
  return {
    mdape: medianOf(hits.map(({ error }) => error)),
    mape: hits.reduce((sum, { error }) => sum + error, 0) / hits.length,
    cover: hits.filter(({ covered }) => covered).length / hits.length,
  }
}

/** Ten points of confidence each; too few rows in one would say nothing. */
const MIN_IN_BUCKET = 50

export function buckets(foretold: readonly QuotePrediction[]): Bucket[] {
  return [90, 80, 70, 60, 50, 40, 30, 20].flatMap((from) => {
    const inside = foretold.filter((row) => row.confidence >= from && row.confidence < from + 10)
    if (inside.length < MIN_IN_BUCKET) return []
    const expected = inside.reduce((sum, row) => sum + (100 - row.confidence) / 4, 0) / inside.length
    return [{ from, expected, measured: 100 * medianOf(inside.map(({ error }) => error)), count: inside.length }]
  })
}
