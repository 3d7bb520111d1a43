import { expect, test } from 'bun:test'
import { ownLevel } from './own-prices.ts'

const distances = (...all: number[]) => all.map((ln) => ({ ln, weight: 1 }))

test('the level moves more, the more agreeing prices there are', () => {
  const [few, many] = [ownLevel(distances(0.2)), ownLevel(Array.from({ length: 300 }, () => ({ ln: 0.2, weight: 1 })))]
  expect(few.level).toBeGreaterThan(0)
  expect(few.level).toBeLessThan(0.02)
  expect(many.level).toBeCloseTo(0.18, 2)
})

test('contradicting prices do not move the level', () => {
  const neutral = { level: 0, spread: 0.1, prices: 0 }
  expect(ownLevel(distances(-4, 4))).toEqual(neutral)
  expect(ownLevel([])).toEqual(neutral)
})
