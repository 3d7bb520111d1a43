import { expect, test } from 'bun:test'
import { productFiller, titlesOfOptions } from './shop-exports.ts'

const linesOf = (...rows: readonly (readonly string[])[]) => rows.map((fields, at) => ({ line: at + 2, fields }))

test('a column of values has the title that the column of names beside it states', () => {
  const titles = ['Title', 'Option1 Name', 'Option1 Value', 'Attribute 1 name', 'Attribute 1 value(s)']
  const below = linesOf(['iPhone 13', 'Condition', 'Good', 'Finish', 'Matt'], ['', '', 'Fair', '', ''])
  expect(titlesOfOptions(titles, below)).toEqual(titles.with(2, 'Condition'))
  expect(titlesOfOptions(titles, linesOf(['a', 'Color', 'Blue'], ['b', 'Condition', 'Good']))).toEqual(titles)
})

test('further lines of a product have its title, lines of other products their own', () => {
  const fill = productFiller(['handle', 'title', 'price'], [1])
  const rows = linesOf(['p1', 'iPhone 13', '290'], ['p1', '', '250'], ['p2', '', '90'], ['p3', 'Pixel 7', '190'])
  expect(rows.map((row) => fill(row).fields[1])).toEqual(['iPhone 13', 'iPhone 13', '', 'Pixel 7'])
})
