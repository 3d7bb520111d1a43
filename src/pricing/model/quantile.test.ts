import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { quantile } from './quantile.ts'

test('a quantile equals that of the sorted values, and the input is not reordered', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 1, maxLength: 80 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (values, share) => {
        const before = [...values]
        const sorted = [...values].sort((a, b) => a - b)
        const place = (sorted.length - 1) * share
        const low = sorted[Math.floor(place)] as number
        const high = sorted[Math.ceil(place)] as number
        expect(quantile(values, share)).toBeCloseTo(low + (high - low) * (place - Math.floor(place)), 9)
        expect(values).toEqual(before)
      },
    ),
  )
})

test('the quantile of no values is NaN', () => {
  expect(quantile([], 0.5)).toBeNaN()
})
