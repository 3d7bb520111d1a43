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
