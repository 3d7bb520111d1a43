import { expect, test } from 'bun:test'
import { hazardPerWeek, liquidityScore } from './liquidity.ts'
import { DAY_MS, type Observation } from './observation.ts'

const NOW = Date.parse('2026-06-01')
const listing = (over: Partial<Observation>): Observation => ({
  source: 'x',
  side: 'ask',
  variantId: 'v',
  rung: 'Good',
  label: 'good',
  lock: '',
  cents: 30_000,
  observedAt: NOW - DAY_MS,
  listingId: '1',
  state: 'active',
  listedAt: null,
  ...over,
})
const atEstimate = () => Math.log(30_000)
const score = (rows: Observation[]) => liquidityScore(hazardPerWeek(rows, atEstimate, NOW))

test('a market nobody timed has three chances in four', () => {
  expect(score([])).toBe(75)
})

test('listings that went within days score higher than listings that stand for weeks', () => {
  const quick = Array.from({ length: 30 }, () => listing({ state: 'sold', listedAt: NOW - 3 * DAY_MS }))
  const slow = Array.from({ length: 30 }, () => listing({ listedAt: NOW - 60 * DAY_MS }))
  expect(score(quick)).toBeGreaterThan(95)
  expect(score(slow)).toBeLessThan(25)
})

test('a listing far above the estimate says nothing about one at the estimate', () => {
  expect(score([listing({ cents: 60_000, listedAt: NOW - 80 * DAY_MS })])).toBe(75)
})
