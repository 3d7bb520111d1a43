import { expect, test } from 'bun:test'
import { expectedError, expectedErrorOfMix } from './confidence.ts'

test('a mix of grades with equal spreads has the error of one grade', () => {
  expect(expectedErrorOfMix([0.1, 0.1, 0.1, 0.1], [0.3, 0.5, 0.17, 0.03])).toBeCloseTo(expectedError(0.1), 4)
})

// Nine of ten deals have a small spread, so the median error hardly depends on the tenth.
test('one rare wide grade hardly moves the error within which half of the deals lie', () => {
  const error = expectedErrorOfMix([0.1, 0.1, 0.1, 0.8], [0.3, 0.3, 0.3, 0.1])
  expect(error).toBeGreaterThan(expectedError(0.1))
  expect(error).toBeLessThan(expectedError(0.12))
})

test('half of the deals of two unlike grades lie within the error, counted one by one', () => {
  const spreads = [0.05, 0.3]
  const error = expectedErrorOfMix(spreads, [0.5, 0.5])
  let state = 7
  const even = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return (state + 0.5) / 4_294_967_296
  }
  const deals = 20_000
  let within = 0
  for (let at = 0; at < deals; at += 1) {
    const normal = Math.sqrt(-2 * Math.log(even())) * Math.cos(2 * Math.PI * even())
    if (Math.abs(normal * (spreads[at % 2] as number)) <= error) within += 1
  }
  expect(within / deals).toBeCloseTo(0.5, 1)
})
