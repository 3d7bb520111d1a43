import { expect, test } from 'bun:test'
import { recogniseByCells } from './columns-by-cells.ts'
import { detectColumns } from './price-columns.ts'

const layoutOf = (...header: readonly string[]) => detectColumns(header, {}, 'prices.csv')

test.each([
  ['We pay', 'quote'],
  ['Buying price', 'quote'],
  ['Precio compra', 'quote'],
  ['Prix rachat', 'quote'],
  ['Sold for', 'sold'],
  ['Precio venta', undefined],
])('a column %p is a price and says what it is: %p', (title, side) => {
  const { names, implied } = layoutOf('Model', title)
  expect([names.amount, implied.side]).toEqual([title, side as 'quote' | 'sold' | undefined])
})

test('the name of an object with prices is its device, unless other lists make that uncertain', () => {
  expect(layoutOf('updated', 'devices[].name', 'devices[].price.amount').names.model).toBe('devices[].name')
  expect(() => layoutOf('sellers[].name', 'devices[].price.amount')).toThrow('no column is recognised as a title')
})

test('a column that says which listings were sold decides what each price is, unless it is a count', () => {
  const header = ['model', 'final_price', 'sold']
  const mapOf = (...cells: string[]) => recogniseByCells(header, {}, (column) => (column === 'sold' ? cells : []))
  expect(mapOf('1', '0', '')).toEqual({ state: 'sold' })
  expect(mapOf('true', 'False')).toEqual({ state: 'sold' })
  expect(mapOf('1', '17')).toEqual({})
  expect(recogniseByCells([...header, 'side'], {}, () => ['1'])).toEqual({})
  expect(detectColumns(header, { state: 'sold' }, 'prices.csv').implied.side).toBeUndefined()
})

test.each([
  ['Unit price EUR (excl. VAT)', 'EUR', 'excluded'],
  ['Price in USD incl. tax', 'USD', undefined],
  ['Price incl. VAT', undefined, undefined],
] as const)('the price column %p is in %p with VAT %p', (title, currency, vat) => {
  const layout = layoutOf('Model', 'Total price EUR', title)
  expect([layout.names.amount, layout.implied.currency, layout.vat]).toEqual([title, currency, vat])
})

test('a state of grades is the condition, and a price column that is mostly empty gives way to another', () => {
  const recognise = (header: readonly string[], rows: readonly (readonly string[])[]) =>
    recogniseByCells(header, {}, (column) => rows.map((row) => row[header.indexOf(column)] ?? ''))
  const header = ['title', 'state', 'price']
  expect(recognise(header, [['iPhone 13', 'VERY_GOOD', '290']])).toEqual({ condition: 'state', state: '-' })
  expect(recognise(header, [['iPhone 13', 'active', '290']])).toEqual({})
  expect(recognise(header, [['iPhone 13', 'new', '290']])).toEqual({})
  const prices = ['title', 'Sale price', 'Regular price']
  expect(recognise(prices, [['iPhone 13', '', '290']])).toEqual({ amount: 'Regular price' })
  expect(recognise(prices, [['iPhone 13', '270', '290']])).toEqual({})
})
