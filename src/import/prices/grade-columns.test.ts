import { expect, test } from 'bun:test'
import { gradeColumnSplitter } from './grade-columns.ts'

const linesOf = (...rows: readonly (readonly string[])[]) => rows.map((fields, at) => ({ line: at + 1, fields }))

test('a list with a column per grade has a row per device and grade', () => {
  const lines = linesOf(
    ['Prices'],
    ['Model', 'Grade A', 'Grade B'],
    ['iPhone 13', '200', '180'],
    ['Pixel 7', '150', ''],
  )
  expect(gradeColumnSplitter(lines)?.(lines)).toEqual([
    { line: 2, fields: ['Model', 'condition', 'price'] },
    { line: 3, fields: ['iPhone 13', 'Grade A', '200'] },
    { line: 3, fields: ['iPhone 13', 'Grade B', '180'] },
    { line: 4, fields: ['Pixel 7', 'Grade A', '150'] },
  ])
})

test('a list with a row per grade stays as it is', () => {
  expect(gradeColumnSplitter(linesOf(['Model', 'Grade', 'Price'], ['iPhone 13', 'A', '200']))).toBe(null)
  // Beside a column of grades these are two prices of one device.
  const twoPrices = linesOf(['name', 'used_price', 'new_price', 'condition'], ['iPhone 13', '200', '400', 'good'])
  expect(gradeColumnSplitter(twoPrices)).toBe(null)
  // A row may name two grades.
  expect(gradeColumnSplitter(linesOf(['iPhone 13', 'good', 'used'], ['Pixel 7', 'fair', 'used']))).toBe(null)
})
