import { expect, test } from 'bun:test'
import { deviationText, hasEstimate, marketText } from './price-source-labels.ts'

test('a price states its source', () => {
  const text = (code: string, basis: 'observed' | 'borrowed' | 'estimated') =>
    marketText({ data_points: 0, market: { code, basis } })
  expect(text('hr', 'observed')).toBe('prices of Croatia')
  expect(text('kr', 'borrowed')).toBe('prices of other countries at the expected level of South Korea')
  expect(text('eu', 'estimated')).toBe('estimated for European Union')
  expect(marketText({ data_points: 0 })).toBe('')
})

test('a price without observations and with little confidence is no estimate', () => {
  expect(hasEstimate({ data_points: 0, market_confidence: 12 })).toBe(false)
  expect(hasEstimate({ data_points: 0, market_confidence: 45 })).toBe(true)
  expect(hasEstimate({ data_points: 3, market_confidence: 12 })).toBe(true)
})

test('the expected deviation is that of the range beside it', () => {
  const price = (amount: number | null, low: number, high: number) => {
    const current = { Excellent: amount, Good: amount, Fair: amount, Poor: amount }
    const range = amount === null ? null : { low, high }
    const interval = { Excellent: range, Good: range, Fair: range, Poor: range }
    return {
      buyback: {
        current,
        interval,
        historical: [],
        last_updated: '2026-06-01T00:00:00.000Z',
        source: 'market' as const,
      },
    }
  }
  expect(deviationText(price(13_800, 10_900, 17_600))).toBe('8 of 10 deals between −21 % and +28 %')
  expect(deviationText(price(null, 0, 0))).toBe('no price available')
})
