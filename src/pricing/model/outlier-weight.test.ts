import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { MAX_STANDARD_ERRORS, outlierWeight } from './outlier-weight.ts'

test('the weight of an observation falls with its distance from the others', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 20, noNaN: true }), fc.double({ min: 0, max: 20, noNaN: true }), (a, b) => {
      expect(outlierWeight(Math.min(a, b))).toBeGreaterThanOrEqual(outlierWeight(Math.max(a, b)))
    }),
  )
})

test('a near observation has full weight, one beyond the limit has none', () => {
  expect(outlierWeight(0)).toBe(1)
  expect(outlierWeight(1)).toBe(1)
  expect(outlierWeight(MAX_STANDARD_ERRORS + 0.01)).toBe(0)
})
