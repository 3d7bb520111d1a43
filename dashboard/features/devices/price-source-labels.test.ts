import { expect, test } from 'bun:test'
import { hasEstimate, marketText } from './price-source-labels.ts'

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
