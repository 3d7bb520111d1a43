import { expect, test } from 'bun:test'
import { sampleDevice } from '../../../test/support/device.ts'
import type { Device } from '../../catalog/device.ts'
import { configurationOf, toDeviceInput } from '../configuration.ts'
import { priorMarkets } from '../markets/fitted-markets.ts'
import { marketFitState } from '../markets/market-fit-state.ts'
import { configurationQuotes, deviceQuotes, type VariantObservation } from './device-quotes.ts'

const NOW = Date.parse('2026-06-01')

test('a fit is outdated once the observations grew by a quarter, and by at least fifty', () => {
  const isOutdated = (fitted: number | null, total: number) =>
    marketFitState(fitted === null ? undefined : { fittedAt: 1, observations: fitted }, total).isOutdated
  expect(isOutdated(null, 20)).toBe(false)
  expect(isOutdated(null, 50)).toBe(true)
  expect(isOutdated(1000, 1200)).toBe(false)
  expect(isOutdated(1000, 1300)).toBe(true)
  expect(isOutdated(10, 40)).toBe(false)
  expect(marketFitState({ fittedAt: 5, observations: 10 }, 25)).toEqual({
    fittedAt: 5,
    observationsSince: 15,
    isOutdated: false,
  })
})

test('with an outdated fit an observed price has the range and confidence of one without observations', () => {
  const device: Device = sampleDevice('Test', 'Phone')
  const [variant] = device.variants
  const rows = Array.from(
    { length: 40 },
    (_, at): VariantObservation => ({
      ...{ source: 'list', side: 'sold', market: 'us', grade: 'Good', label: 'good', lock: '', state: 'sold' },
      ...{ variantId: variant ? configurationOf(variant) : '', exactVariantId: null, listedAt: null },
      ...{ cents: 30_000 + 50 * at, observedAt: NOW - at * 86_400_000, listingId: `${at}` },
    }),
  )
  const quoteOf = (observations: readonly VariantObservation[], isFitOutdated: boolean) => {
    const evidence = { real: observations }
    const served = deviceQuotes(device, toDeviceInput(device), priorMarkets(NOW), evidence, NOW, { isFitOutdated })
    const [quote] = configurationQuotes(served)
    const range = quote?.resale.interval?.Good ?? { low: 1, high: 1 }
    return { width: Math.log(range.high / range.low), confidence: quote?.marketConfidence ?? 0, quote }
  }
  const [first, fitted, provisional] = [quoteOf([], true), quoteOf(rows, false), quoteOf(rows, true)]
  expect(fitted.width).toBeLessThan(first.width)
  expect(provisional.width).toBeGreaterThanOrEqual(first.width - 0.01)
  expect(provisional.confidence).toBe(Math.min(first.confidence, fitted.confidence))
  expect(provisional.quote?.resale.cents).toEqual(
    fitted.quote?.resale.cents as NonNullable<typeof fitted.quote>['resale']['cents'],
  )
  expect([first, fitted, provisional].map(({ quote }) => quote?.isProvisional ?? false)).toEqual([false, false, true])
})
