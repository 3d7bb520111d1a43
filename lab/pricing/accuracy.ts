import { quotedCondition } from '../../src/catalog/grade.ts'
import { CONDITIONS } from '../../src/contract/condition-grades.ts'
import { DAY_MS } from '../../src/lib/time.ts'
import { DEFAULT_MARKET } from '../../src/pricing/country-market.ts'
import { applyDrift } from '../../src/pricing/model/drift.ts'
import { estimateDevice, type FittedMarkets } from '../../src/pricing/model/estimate.ts'
import { fitMarket } from '../../src/pricing/model/market-fit.ts'
import { type DeviceInput, isCarrierLocked, type Observation } from '../../src/pricing/model/observation.ts'
import type { PriorCoefficients } from '../../src/pricing/model/prior-coefficients.ts'
import { quoteWithLock } from '../../src/pricing/quotes/carrier-lock.ts'
import { errorOfConfidence } from '../../src/pricing/quotes/confidence.ts'
import { type Quote, quoteDevice } from '../../src/pricing/quotes/quote.ts'
import { BASELINES } from './baselines.ts'
import { medianOf } from './median-error.ts'
import { type CellListing, type OracleError, oracleError } from './oracle-error.ts'
import type { EvaluationRound } from './splits.ts'

/** One predicted listing: the error of the estimate, and whether the interval contained it. */
export type Prediction = { readonly error: number; readonly covered: boolean }

/** A listing compared with the quote that a caller gets without stating source, label or lock. */
export type QuotePrediction = Prediction & {
  readonly confidence: number
  /** Distance from the amount as a share of the half-width on that side: outside the interval if above 1. */
  readonly intervalPosition: number
}

export type Accuracy = {
  readonly mdape: number
  readonly mape: number
  readonly cover: number
  /** Error expected from `market_confidence`. */
  readonly expected: number
}

export type Bucket = {
  readonly from: number
  readonly expected: number
  readonly measured: number
  readonly count: number
}

export type AccuracyReport = {
  readonly tests: number
  /** Rows without a basis for a price, or of a grade that quotes do not have: new and sealed devices. */
  readonly unpriced: number
  readonly quoted: Accuracy
  readonly violations: number
  readonly pairs: number
  readonly buckets: readonly Bucket[]
  readonly predictions: readonly QuotePrediction[]
  readonly oracle: OracleError
  readonly baselines: Readonly<Record<string, number>>
}

/** The model as the service runs it: fits the markets of the set's country, then estimates each device. */
function markets(
  devices: readonly DeviceInput[],
  rows: readonly Observation[],
  now: number,
  prior: PriorCoefficients,
): { markets: FittedMarkets; observationsOf: (device: DeviceInput) => Observation[] } {
  const byVariant = Map.groupBy(rows, ({ variantId }) => variantId)
  const observationsOf = (device: DeviceInput) => device.variants.flatMap((v) => byVariant.get(v.variantId) ?? [])
  const country = rows[0]?.market ?? DEFAULT_MARKET
  const input = { devices, observationsOf, now, prior, country }
  const resale = fitMarket(input, 'resale')
  return { markets: { resale, buyback: fitMarket(input, 'buyback', { resale }) }, observationsOf }
}

export function evaluateAccuracy(
  devices: readonly DeviceInput[],
  rounds: readonly EvaluationRound[],
  prior: PriorCoefficients,
): AccuracyReport {
  const variantLookup = new Map(
    devices.flatMap((device) => device.variants.map((v, at) => [v.variantId, { device, at }] as const)),
  )
  const predictions: QuotePrediction[] = []
  const listings = new Map<Observation, CellListing>()
  const order = { violations: 0, pairs: 0 }
  const baselineErrors = new Map<string, number[]>(Object.keys(BASELINES).map((name) => [name, []]))
  let unpriced = 0
  for (const round of rounds) {
    const fitted = markets(devices, round.train, round.now, prior)
    const sidesOf = memoizeByKey((device: DeviceInput) =>
      estimateDevice(fitted.markets, device, fitted.observationsOf(device), round.now),
    )
    const quotesOn = memoizeByKey((now: number) =>
      memoizeByKey((device: DeviceInput) => {
        const quotes = quoteDevice(fitted.markets, device, fitted.observationsOf(device), now)
        if (now === round.now) countOrder(quotes, order)
        return quotes
      }),
    )
    const predicted = new Set<Observation>()
    for (const test of round.test) {
      const match = variantLookup.get(test.variantId)
      if (!match) continue
      // Later rows are predicted by the quote of their own day without further observations.
      const now = Math.max(round.now, Math.floor(test.observedAt / DAY_MS) * DAY_MS)
      const quote = quotesOn(now)(match.device)[match.at] as Quote
      const sides = sidesOf(match.device)
      const side = test.side === 'quote' ? sides.buyback : sides.resale
      const toNow = applyDrift(0, test.observedAt, now, side.rows.driftPerMonth)
      const prediction = quotePrediction(test, quote, toNow)
      if (!prediction || !side.hasBasis) {
        unpriced += 1
        continue
      }
      predicted.add(test)
      predictions.push(prediction)
      // Several shuffles hold out a listing several times; it counts once.
      listings.set(test, {
        cell: `${test.variantId} ${quotedCondition(test.grade)} ${test.side === 'quote' ? 'buyback' : 'resale'} ${round.now}`,
        price: test.cents * Math.exp(toNow),
        error: prediction.error,
      })
    }
    for (const [name, fit] of Object.entries(BASELINES)) {
      const predict = fit(round, devices)
      for (const test of predicted) {
        const cents = predict(test)
        if (cents !== undefined) baselineErrors.get(name)?.push(Math.abs(cents - test.cents) / test.cents)
      }
    }
  }
  return {
    tests: predictions.length,
    unpriced,
    quoted: accuracy(predictions),
    ...order,
    buckets: buckets(predictions),
    predictions,
    oracle: oracleError([...listings.values()]),
    baselines: Object.fromEntries([...baselineErrors].map(([name, errors]) => [name, medianOf(errors)])),
  }
}

/**
 * Compares a listing with the amount, the interval and the confidence of a quote. `toNow`: drift (ln) from the day of the listing
 * to the day of the quote.
 */
function quotePrediction(test: Observation, unlocked: Quote, toNow: number): QuotePrediction | undefined {
  const quote = quoteWithLock(unlocked, isCarrierLocked(test.lock) ? 'locked' : 'unlocked')
  const side = test.side === 'quote' ? quote.buyback : quote.resale
  const grade = quotedCondition(test.grade)
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

function memoizeByKey<Key, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const cache = new Map<Key, Value>()
  return (key) => {
    if (cache.has(key)) return cache.get(key) as Value
    const value = compute(key)
    cache.set(key, value)
    return value
  }
}

function accuracy(predictions: readonly QuotePrediction[]): Accuracy {
  return {
    mdape: medianOf(predictions.map(({ error }) => error)),
    mape: predictions.reduce((sum, { error }) => sum + error, 0) / predictions.length,
    cover: predictions.filter(({ covered }) => covered).length / predictions.length,
    expected: predictions.reduce((sum, { confidence }) => sum + errorOfConfidence(confidence), 0) / predictions.length,
  }
}

/** Minimum rows of a bucket of ten points of confidence. */
const MIN_IN_BUCKET = 50

export function buckets(predictions: readonly QuotePrediction[]): Bucket[] {
  return [90, 80, 70, 60, 50, 40, 30, 20].flatMap((from) => {
    const inBucket = predictions.filter((row) => row.confidence >= from && row.confidence < from + 10)
    if (inBucket.length < MIN_IN_BUCKET) return []
    const expected = inBucket.reduce((sum, row) => sum + (100 - row.confidence) / 4, 0) / inBucket.length
    return [{ from, expected, measured: 100 * medianOf(inBucket.map(({ error }) => error)), count: inBucket.length }]
  })
}
