import { expect, test } from 'bun:test'
import { splitAmount } from './split-amount.ts'

test('the parts are in proportion to the weights and add up to the amount', () => {
  expect(splitAmount(500_000, [10_000, 30_000, 0])).toEqual([125_000, 375_000, 0])
  expect(splitAmount(100, [1, 1, 1])).toEqual([34, 33, 33])
  expect(splitAmount(10, [0, 0, 0])).toEqual([4, 3, 3])
  expect(splitAmount(0, [3, 4])).toEqual([0, 0])
})

test('no amount is lost or made up by rounding', () => {
  for (let count = 1; count <= 40; count++) {
    const weights = Array.from({ length: count }, (_, at) => (at * 7919) % 613)
    const parts = splitAmount(123_457, weights)
    expect(parts.reduce((sum, part) => sum + part, 0)).toBe(123_457)
    expect(parts.every((part) => Number.isInteger(part) && part >= 0)).toBe(true)
  }
})
