import { expect, test } from 'bun:test'
import { DAY_MS } from '../../src/lib/time.ts'
import type { Observation } from '../../src/pricing/model/observation.ts'
import { foldRounds } from './splits.ts'

const row = (day: number): Observation => ({
  source: 'shop',
  market: 'us',
  side: 'sold',
  variantId: 'phone',
  grade: 'Good',
  label: 'good',
  lock: '',
  cents: 10_000,
  observedAt: day * DAY_MS,
  listingId: `${day}`,
  state: 'sold',
  listedAt: null,
})

for (const days of [100, 900]) {
  test(`over ${days} days every listing is predicted once, at its own time, and never from itself`, () => {
    const rows = Array.from({ length: days }, (_, day) => row(day))
    const rounds = foldRounds(rows)
    expect(rounds.flatMap(({ test: hidden }) => hidden).length).toBe(days)
    for (const { train, test: hidden, now } of rounds) {
      const seen = new Set(train)
      expect(hidden.some((one) => seen.has(one))).toBe(false)
      expect(train.every(({ observedAt }) => observedAt <= now)).toBe(true)
      expect(hidden.every(({ observedAt }) => observedAt <= now && observedAt > now - 120 * DAY_MS)).toBe(true)
    }
  })
}

test('a listing that is added moves no other listing to another fold', () => {
  const rows = Array.from({ length: 100 }, (_, day) => row(day))
  const hiddenOf = (known: readonly Observation[]) => foldRounds(known).map(({ test: hidden }) => [...hidden])
  const added = row(0.5)
  const withAdded = hiddenOf([added, ...rows]).map((hidden) => hidden.filter((each) => each !== added))
  expect(withAdded).toEqual(hiddenOf(rows))
})

test('of equal listings some are hidden and some are known', () => {
  const [first] = foldRounds(Array.from({ length: 50 }, () => row(1)))
  expect(first?.test.length).toBeGreaterThan(0)
  expect(first?.train.length).toBeGreaterThan(0)
})
