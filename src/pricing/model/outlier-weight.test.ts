import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { MAX_STANDARD_ERRORS, outlierWeight } from './outlier-weight.ts'

test('the farther from the others, the less an observation is believed', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 20, noNaN: true }), fc.double({ min: 0, max: 20, noNaN: true }), (a, b) => {
      expect(outlierWeight(Math.min(a, b))).toBeGreaterThanOrEqual(outlierWeight(Math.max(a, b)))
    }),
  )
})

test('near the others it counts in full, beyond the gate not at all', () => {
  expect(outlierWeight(0)).toBe(1)
  expect(outlierWeight(1)).toBe(1)
  expect(outlierWeight(MAX_STANDARD_ERRORS + 0.01)).toBe(0)
})
