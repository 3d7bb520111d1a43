import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { createLevelSmoother, type PoolingInput, pool } from './partial-pooling.ts'

const empty = (variants: number): PoolingInput => ({
  variants,
  gradeCount: 5,
  precision: new Float64Array(variants * 5),
  mean: new Float64Array(variants * 5),
  deviceMean: 0,
  deviceVariance: 0.13 ** 2,
  variantVariance: 0.04 ** 2,
  cellVariance: new Float64Array(5).fill(0.05 ** 2),
})

test('without observations every cell is the prior', () => {
  const { level, variance } = pool(empty(2))
  expect([...level]).toEqual(new Array(10).fill(0))
  expect(variance[0]).toBeCloseTo(0.13 ** 2 + 0.04 ** 2 + 0.05 ** 2, 10)
})

test('with many observations of a cell its siblings have no influence', () => {
  const input = empty(1)
  input.precision[2] = 500 / 0.1 ** 2
  input.mean[2] = 0.4
  const { level } = pool(input)
  expect(level[2]).toBeCloseTo(0.4, 2)
  expect(level[1] as number).toBeGreaterThan(0.3)
  expect(level[1] as number).toBeLessThan(0.4)
})

test('one observation moves its cell only part of the way', () => {
  const input = empty(1)
  input.precision[2] = 1 / 0.1 ** 2
  input.mean[2] = 0.3
  const moved = pool(input).level[2] as number
  expect(moved).toBeGreaterThan(0.15)
  expect(moved).toBeLessThan(0.25)
})

test('more observations never increase the variance of any cell', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 14 }), fc.double({ min: 1, max: 1e5, noNaN: true }), (cell, more) => {
      const before = empty(3)
      before.precision.fill(20)
      const after = { ...before, precision: before.precision.slice() }
      after.precision[cell] = (after.precision[cell] as number) + more
      const calm = pool(after).variance
      pool(before).variance.forEach((variance, at) => {
        expect(calm[at] as number).toBeLessThanOrEqual(variance + 1e-12)
      })
    }),
  )
})

test('the estimate equals the solution of the whole Gaussian system', () => {
  // Two variants, one grade each: small enough to solve by hand.
  const input: PoolingInput = {
    ...empty(2),
    gradeCount: 1,
    precision: Float64Array.of(100, 0),
    mean: Float64Array.of(0.2, 0),
  }
  const tree = 0.04 ** 2 + 0.05 ** 2
  const prior = 0.13 ** 2
  const gain = (prior + tree) / (prior + tree + 1 / 100)
  const { level } = pool(input)
  expect(level[0]).toBeCloseTo(0.2 * gain, 6)
  expect(level[1]).toBeCloseTo((0.2 * prior) / (prior + tree + 1 / 100), 6)
})

test('the smoother for many means gives the same levels as pooling', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0, max: 1e4, noNaN: true }), { minLength: 15, maxLength: 15 }),
      fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 15, maxLength: 15 }),
      (precision, mean) => {
        const input = { ...empty(3), precision: Float64Array.from(precision), mean: Float64Array.from(mean) }
        const into = new Float64Array(15)
        createLevelSmoother(input)(input.mean, into)
        pool(input).level.forEach((level, at) => {
          expect(into[at] as number).toBeCloseTo(level, 9)
        })
      },
    ),
  )
})
