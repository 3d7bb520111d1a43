import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { GATE, trust } from './outlier-gate.ts'

test('the farther from the others, the less an observation is believed', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 20, noNaN: true }), fc.double({ min: 0, max: 20, noNaN: true }), (a, b) => {
      expect(trust(Math.min(a, b))).toBeGreaterThanOrEqual(trust(Math.max(a, b)))
    }),
  )
})

test('near the others it counts in full, beyond the gate not at all', () => {
  expect(trust(0)).toBe(1)
  expect(trust(1)).toBe(1)
  expect(trust(GATE + 0.01)).toBe(0)
})
