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

test('a market nobody timed has three chances in four', () => {
  expect(score([])).toBe(75)
})

test('listings that went within days score higher than listings that stand for weeks', () => {
  expect(score(Array.from({ length: 30 }, () => ({ state: SOLD, listedDaysAgo: 3 })))).toBeGreaterThan(95)
  expect(score(Array.from({ length: 30 }, () => ({ listedDaysAgo: 60 })))).toBeLessThan(25)
})

test('without lifetimes, weekly sales over standing offers tell', () => {
  const sold = Array.from({ length: 40 }, () => ({ state: SOLD }))
  const standing = (count: number) => Array.from({ length: count }, () => ({}))
  expect(score([...sold, ...standing(5)])).toBeGreaterThan(score([...sold, ...standing(100)]))
})

test('a listing far above the estimate says nothing about one at the estimate', () => {
  expect(score([{ apart: 0.7, listedDaysAgo: 80 }])).toBe(75)
})
