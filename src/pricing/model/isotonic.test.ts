import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { isotonicDescending } from './isotonic.ts'

const weightedValues = fc.array(
  fc.tuple(fc.double({ min: -10, max: 10, noNaN: true }), fc.double({ min: 0.1, max: 100, noNaN: true })),
  {
    minLength: 1,
    maxLength: 6,
  },
)

test('a worse grade is never above a better one', () => {
  fc.assert(
    fc.property(weightedValues, (pairs) => {
      const out = isotonicDescending(
        pairs.map(([value]) => value),
        pairs.map(([, weight]) => weight),
      )
      expect(out).toHaveLength(pairs.length)
      for (let at = 1; at < out.length; at += 1) expect(out[at] as number).toBeLessThanOrEqual(out[at - 1] as number)
    }),
  )
})

test('values in order stay unchanged', () => {
  expect(isotonicDescending([5, 4, 4, 1], [1, 1, 1, 1])).toEqual([5, 4, 4, 1])
})

test('two values out of order become their weighted mean', () => {
  expect(isotonicDescending([5, 3, 4], [1, 1, 3])).toEqual([5, 3.75, 3.75])
})
