import { expect, test } from 'bun:test'
import { recogniseByCells } from './columns-by-cells.ts'
import { detectColumns, withTerms } from './price-columns.ts'

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
  const reduced = recogniseByCells(['Product', 'RRP (inc VAT)', 'Was', 'Now', 'Saving'], {}, () => ['£329.00'])
  expect(detectColumns(['Product', 'RRP (inc VAT)', 'Was', 'Now', 'Saving'], reduced, 'stock').names.amount).toBe('Now')
  expect(recognise(['Aparelho', 'À vista', 'Parcela (10x)'], 'iPhone 13', 'R$ 2.599,00', 'R$ 285,89')).toEqual({
    amount: 'À vista',
  })
  expect(recognise(['機種名', '下取り価格'], 'iPhone 13', '45000')).toEqual({ amount: '下取り価格' })
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

test('a column of sizes is found whatever its name, so that no price becomes one of the smallest size', () => {
  const recognise = (header: readonly string[], ...rows: readonly (readonly string[])[]) =>
    recogniseByCells(header, {}, (column) => rows.map((row) => row[header.indexOf(column)] ?? ''))
  expect(recognise(['Mod.', 'Kap.', 'Cena'], ['iPhone 12', '64 GB', '4990'], ['iPhone 13', '128 GB', '6990'])).toEqual({
    storage: 'Kap.',
  })
  expect(recognise(['Device', 'RAM/ROM', 'Price'], ['Redmi Note 12', '8GB/256GB', '150']).storage).toBe('RAM/ROM')
  expect(recognise(['Device', 'Memory', 'Price'], ['iPhone 12', '64GB', '150'], ['iPhone 13', '256GB', '250'])).toEqual(
    {
      ...{ storage: 'Memory', ram: '-' },
    },
  )
  expect(recognise(['Device', 'Lot', 'Price'], ['iPhone 12', '64', '150'], ['iPhone 13', '128', '250'])).toEqual({})
})

test('the only column of dates is the day of the prices', () => {
  const recognise = (header: readonly string[], ...cells: readonly string[]) =>
    recogniseByCells(header, {}, (column) => [cells[header.indexOf(column)] ?? ''])
  expect(recognise(['Désignation', 'Prix TTC', 'Relevé'], 'iPhone 12', '249', '12/11/2026').date).toBe('Relevé')
  expect(recognise(['Désignation', 'Prix TTC', 'Garantie'], 'iPhone 12', '249', '12/11/2027').date).toBeUndefined()
  expect(recognise(['Désignation', 'Prix TTC', 'Relevé'], 'iPhone 12', '249', '20').date).toBeUndefined()
})

test('titles and lines say the unit of amounts', () => {
  expect(layoutOf('Model', 'Price (cents)').unit).toBe(0.01)
  expect(layoutOf('機種名', '買取価格(千円)').unit).toBe(1000)
  expect(withTerms(layoutOf('Model', 'Price'), ['Stock list', 'Amounts in US cents']).unit).toBe(0.01)
  expect(withTerms(layoutOf('Model', 'Price'), ['Stock list']).unit).toBeUndefined()
})

test.each([
  ['Tutti i prezzi si intendono IVA esclusa (22%).', 'excluded', 0.22],
  ['alle Preise netto zzgl. 19% MwSt.', 'excluded', 0.19],
  ['Prices exclude VAT', 'excluded', undefined],
  ['All prices excl. VAT', 'excluded', undefined],
  ['Prix HT', 'excluded', undefined],
  ['Ceny netto', 'excluded', undefined],
  ['Zahlbar 14 Tage netto', undefined, undefined],
  ['Payment terms: net 30 days', undefined, undefined],
  ['Alle Preise inkl. 19 % MwSt.', undefined, undefined],
] as const)('the line %p says VAT %p at %p', (line, vat, vatRate) => {
  const layout = withTerms(layoutOf('Model', 'Price'), [line])
  expect([layout.vat, layout.vatRate]).toEqual([vat, vatRate])
})
