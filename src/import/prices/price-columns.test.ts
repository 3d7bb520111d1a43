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
  ['Prezzo (IVA escl.)', undefined, 'excluded'],
  ['Preis exkl. MwSt', undefined, 'excluded'],
  ['Preis ohne MwSt €', 'EUR', 'excluded'],
  ['Verkoopprijs zonder btw', undefined, 'excluded'],
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

test('what a shop sells for goes before what it pays, and a price among others is not the total or the price when new', () => {
  expect(layoutOf('Artikelname', 'Brutto-VK', 'EK netto').names.amount).toBe('Brutto-VK')
  const recognise = (header: readonly string[], ...cells: readonly string[]) =>
    recogniseByCells(header, {}, (column) => [cells[header.indexOf(column)] ?? ''])
  expect(recognise(['Modell', 'Neupreis', 'Aktionspreis', 'Gesamtpreis'], 'iPhone 13', '899', '389', '389')).toEqual({
    amount: 'Aktionspreis',
  })
  expect(recognise(['Modell', 'Prise EUR', 'Conditon', 'Storrage'], 'iPhone 13', '389', 'Good', '128GB')).toEqual({
    ...{ amount: 'Prise EUR', condition: 'Conditon', storage: 'Storrage' },
  })
  expect(recognise(['機種名', '買取価格'], 'iPhone 13', '45000')).toEqual({ amount: '買取価格' })
  expect(recognise(['name', 'line.unit_price_cents'], 'iPhone 13', '31900')).toEqual({ cents: 'line.unit_price_cents' })
  expect(recognise(['name', 'price', 'WAERS'], 'iPhone 13', '319', 'EUR')).toEqual({ currency: 'WAERS' })
})

test('the day of a sale is found by its name and cells, the day on which the device came out is not', () => {
  const dates = (...header: readonly string[]) =>
    recogniseByCells(['model', 'price', ...header], {}, () => ['03-Nov-26'])
  expect(dates('Sale day date').date).toBe('Sale day date')
  expect(dates('Release date').date).toBeUndefined()
  expect(dates('Erstelldatum').date).toBeUndefined()
  expect(dates('Order date', 'Sale order date').date).toBe('Sale order date')
})
