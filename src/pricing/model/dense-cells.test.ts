import { expect, test } from 'bun:test'
import { leadByDenseCells } from './dense-cells.ts'
import { GOOD } from './observation-columns.ts'

const rowsOf = (lnCents: readonly number[]) => ({
  size: lnCents.length,
  cell: new Int32Array(lnCents.length).fill(GOOD),
  channel: new Int32Array(lnCents.length),
  lnCents: Float64Array.from(lnCents),
  weight: new Float64Array(lnCents.length).fill(1),
})

const levelWith = (lnCents: readonly number[]) => {
  const quotedLevel = new Float64Array(GOOD + 1).fill(10)
  leadByDenseCells(rowsOf(lnCents), new Float64Array(1), new Float64Array([1]), quotedLevel)
  return quotedLevel[GOOD]!
}

test('the more fresh prices a cell has, the more its median leads', () => {
  expect(levelWith(new Array(5).fill(10.2))).toBe(10)
  expect(levelWith(new Array(12).fill(10.2))).toBeCloseTo(10.1)
  expect(levelWith(new Array(36).fill(10.2))).toBeCloseTo(10.15)
  expect(levelWith(new Array(300).fill(10.2))).toBeGreaterThan(10.18)
})

test('prices in the wrong unit do not move a dense cell', () => {
  const prices = Array.from({ length: 90 }, (_, at) => 10 + (at % 9) / 100)
  const junk = new Array(9).fill(10 + Math.log(100))
  expect(Math.abs(levelWith([...prices, ...junk]) - levelWith(prices))).toBeLessThan(0.01)
})
