import { expect, test } from 'bun:test'
import { DAY_MS } from '../../lib/time.ts'
import { ACTIVE, SOLD } from '../model/observation-columns.ts'
import { hazardPerWeek, liquidityScore } from './liquidity.ts'

const NOW = Date.parse('2026-06-01')
type Listing = { listedDaysAgo?: number; state?: number; apart?: number }

function score(listings: readonly Listing[]): number {
  const rows = {
    now: NOW,
    observedAt: Float64Array.from(listings, () => NOW - DAY_MS),
    listedAt: Float64Array.from(listings, ({ listedDaysAgo }) =>
      listedDaysAgo === undefined ? Number.NaN : NOW - listedDaysAgo * DAY_MS,
    ),
    state: Int8Array.from(listings, ({ state }) => state ?? ACTIVE),
  }
  const residual = Float64Array.from(listings, ({ apart }) => apart ?? 0)
  return liquidityScore(hazardPerWeek(rows, residual, 0, listings.length))
}

test('without timing data the chance to sell is three in four', () => {
  expect(score([])).toBe(75)
})

test('listings that sold within days score higher than listings active for weeks', () => {
  expect(score(Array.from({ length: 30 }, () => ({ state: SOLD, listedDaysAgo: 3 })))).toBeGreaterThan(95)
  expect(score(Array.from({ length: 30 }, () => ({ listedDaysAgo: 60 })))).toBeLessThan(25)
})

test('without listing durations, the ratio of weekly sales to active listings is used', () => {
  const sold = Array.from({ length: 40 }, () => ({ state: SOLD }))
  const standing = (count: number) => Array.from({ length: count }, () => ({}))
  expect(score([...sold, ...standing(5)])).toBeGreaterThan(score([...sold, ...standing(100)]))
})

test('listings far above the estimate are ignored', () => {
  expect(score([{ apart: 0.7, listedDaysAgo: 80 }])).toBe(75)
})
