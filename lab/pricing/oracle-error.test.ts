import { expect, test } from 'bun:test'
import { oracleError } from './oracle-error.ts'

const listing = (cell: string, price: number, answer: number) => ({
  cell,
  price,
  error: Math.abs(answer - price) / price,
})

test('the floor is the error of the median of a cell, compared with the served price on the same listings', () => {
  const listings = [80, 90, 100, 110, 120].map((price) => listing('a', price, 120))
  const { oracle: best, served, count } = oracleError(listings)
  expect(best).toBeCloseTo(10 / 90, 6)
  expect(served).toBeCloseTo(20 / 100, 6)
  expect(count).toBe(5)
})

test('a cell of fewer than five listings is ignored', () => {
  expect(oracleError([80, 90, 100, 110].map((price) => listing('a', price, 120))).count).toBe(0)
})
