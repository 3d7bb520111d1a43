import { expect, test } from 'bun:test'
import { optionColumns, productFiller, usualPriceColumn } from './shop-exports.ts'

const linesOf = (...rows: readonly (readonly string[])[]) => rows.map((fields, at) => ({ line: at + 1, fields }))

test('products of a shop differ in which option is the first', () => {
  const lines = linesOf(
    ['Handle', 'Title', 'Option1 Name', 'Option1 Value', 'Option2 Name', 'Option2 Value'],
    ['p1', 'iPhone 13', 'Storage', '128GB', 'Condition', 'Good'],
    ['p1', '', '', '256GB', '', 'Fair'],
    ['p2', 'Pixel 7', 'Condition', 'Good', '', ''],
    ['p3', 'Case', 'Title', 'Default Title', '', ''],
  )
  expect(optionColumns(lines)?.(lines).map(({ fields }) => fields.slice(-2))).toEqual([
    ['condition', 'storage'],
    ['Good', '128GB'],
    ['Fair', '256GB'],
    ['Good', ''],
    ['', ''],
  ])
})

test('options have their names in the language of the shop', () => {
  const lines = linesOf(['Name', 'Attribut 1 Name', 'Attribut 1 Wert(e)'], ['iPhone 13', 'Zustand', 'Gut'])
  expect(optionColumns(lines)?.(lines)[1]?.fields.at(-1)).toBe('Gut')
  expect(optionColumns(linesOf(['Name', 'Storage', 'Price'], ['iPhone 13', '128GB', '300']))).toBe(null)
})

test('an article without a reduced price costs the usual one', () => {
  expect(usualPriceColumn(['Name', 'Angebotspreis', 'Regulärer Preis'], 'Angebotspreis')).toBe(2)
  expect(usualPriceColumn(['Name', 'Price', 'Regular price'], 'Price')).toBe(-1)
})

test('further lines of a product have its title, lines of other products their own', () => {
  const fill = productFiller(['handle', 'title', 'price'], [1])
  const rows = linesOf(['p1', 'iPhone 13', '290'], ['p1', '', '250'], ['p2', '', '90'], ['p3', 'Pixel 7', '190'])
  expect(rows.map((row) => fill(row).fields[1])).toEqual(['iPhone 13', 'iPhone 13', '', 'Pixel 7'])
})
