import { expect, test } from 'bun:test'

import { detectColumns, withTerms } from './price-columns.ts'

/** The columns by names and cells. */
const namesOf = (header: readonly string[], rows: readonly (readonly string[])[]) =>
  detectColumns(header, {}, 'prices.csv', { needsModel: false }, (at) => rows.map((row) => row[at] ?? '')).names

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
  const stateOf = (...cells: string[]) =>
    namesOf(
      header,
      cells.map((cell) => ['iPhone 13', '300', cell]),
    ).state
  expect(stateOf('1', '0', '')).toBe('sold')
  expect(stateOf('true', 'False')).toBe('sold')
  expect(stateOf('1', '17')).toBeUndefined()
  expect(stateOf('1', '1')).toBeUndefined()
  expect(namesOf([...header, 'state'], [['iPhone 13', '300', '1', 'active']]).state).toBe('state')
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
  const header = ['title', 'state', 'price']
  expect(namesOf(header, [['iPhone 13', 'VERY_GOOD', '290']])).toMatchObject({ condition: 'state' })
  expect(namesOf(header, [['iPhone 13', 'active', '290']])).toMatchObject({ state: 'state' })
  expect(
    namesOf(header, [
      ['iPhone 13', 'new', '290'],
      ['iPhone 13', 'sold', '290'],
    ]),
  ).toMatchObject({ state: 'state' })
  const prices = ['title', 'Sale price', 'Regular price']
  expect(namesOf(prices, [['iPhone 13', '', '290']]).amount).toBe('Regular price')
  expect(namesOf(prices, [['iPhone 13', '270', '290']]).amount).toBe('Sale price')
})

test.each([
  [['Artikelname', 'Brutto-VK', 'EK netto'], ['iPhone 13', '300', '200'], { amount: 'Brutto-VK' }],
  [
    ['Modell', 'Neupreis', 'Aktionspreis', 'Gesamtpreis'],
    ['iPhone 13', '899', '389', '389'],
    { amount: 'Aktionspreis' },
  ],
  [
    ['Modell', 'Prise EUR', 'Conditon', 'Storrage'],
    ['iPhone 13', '389', 'Good', '128GB'],
    { amount: 'Prise EUR', condition: 'Conditon', storage: 'Storrage' },
  ],
  [
    ['Product', 'RRP (inc VAT)', 'Was', 'Now', 'Saving'],
    ['iPhone 13', '£899', '£399', '£329', '£70'],
    { amount: 'Now' },
  ],
  [['Aparelho', 'À vista', 'Parcela (10x)'], ['iPhone 13', 'R$ 2.599,00', 'R$ 285,89'], { amount: 'À vista' }],
  [['Laite', 'Hinta alv 0 %', 'Hinta sis. alv'], ['iPhone 13', '262,95', '330,00'], { amount: 'Hinta sis. alv' }],
  [['機種名', '下取り価格'], ['iPhone 13', '45000'], { amount: '下取り価格' }],
  [['name', 'line.unit_price_cents'], ['iPhone 13', '31900'], { amount: 'line.unit_price_cents' }],
  [['name', 'price', 'WAERS'], ['iPhone 13', '319', 'EUR'], { currency: 'WAERS' }],
  // Sizes whatever their name, so that no price becomes one of the smallest.
  [['Mod.', 'Kap.', 'Cena'], ['iPhone 12', '64 GB', '4990'], { storage: 'Kap.' }],
  [['Device', 'RAM/ROM', 'Price'], ['Redmi Note 12', '8GB/256GB', '150'], { storage: 'RAM/ROM' }],
  [['Device', 'Memory', 'Price'], ['iPhone 12', '64GB', '150'], { storage: 'Memory' }],
  [['Device', 'RAM', 'Price'], ['Redmi Note 12', '8GB', '150'], { ram: 'RAM' }],
] as const)('of the columns %j the cells %j tell %j', (header, row, names) => {
  expect(namesOf(header, [row])).toMatchObject(names)
})

test('a bare number is no size of its own', () => {
  expect(namesOf(['Device', 'Lot', 'Price'], [['iPhone 12', '64', '150']]).storage).toBeUndefined()
})

test.each([
  ['Sale day date', '03-Nov-26', true],
  ['Relevé', '12/11/2026', true],
  ['Relevé', '20', false],
  ['Release date', '03-Nov-26', false],
  ['Erstelldatum', '03-Nov-26', false],
  ['Garantie', '12/11/2027', false],
  ['registration_date', '2019-03-02', false],
  ['Member since', '2019-03-02', false],
  ['Säljare sedan', '2014-05-06', false],
  ['発売日', '2021/09/24', false],
] as const)('a column %p of %p is the day of the price: %p', (title, cell, isDay) => {
  expect(namesOf(['model', 'price', title], [['iPhone 13', '300', cell]]).date === title).toBe(isDay)
})

test('the day of a sale goes before that of its order', () => {
  const row = ['iPhone 13', '300', '03-Nov-26', '03-Nov-26']
  expect(namesOf(['model', 'price', 'Order date', 'Sale order date'], [row]).date).toBe('Sale order date')
})

test('a search word beside titles is not the device', () => {
  const titles = ['Apple iPhone 13 Pro 256GB', 'iPhone 12 64GB white', 'Apple iPhone 14 128GB', 'iPhone 13 mini 128GB']
  const rows = titles.map((title) => ['iPhone 13 128GB', title, '300'])
  expect(namesOf(['name', 'listing headline', 'price'], rows).model).toBe('listing headline')
  expect(
    namesOf(
      ['title', 'name', 'price'],
      rows.map(([word, title, price]) => [word, title, price] as string[]),
    ).model,
  ).toBe('name')
})

test('ids of variants are not read as titles, also where some are unknown', () => {
  const ids = ['apple-iphone-13-pro-128gb-gold', 'apple-iphone-13-512gb-pink', 'no-such-variant']
  const { variant, model } = namesOf(
    ['variant_id', 'price'],
    ids.map((id) => [id, '300']),
  )
  expect([variant, model]).toEqual(['variant_id', undefined])
})

test('two columns of money are a question that names both', () => {
  expect(() => namesOf(['Gerät', 'Neu €', 'Alt €'], [['iPhone 13', '300,00', '200,00']])).toThrow(
    'which column is the price, "Neu €" (300,00) or "Alt €" (200,00)?',
  )
})

test('titles and lines say the unit of amounts', () => {
  expect(layoutOf('Model', 'Price (cents)').names.cents).toBe('Price (cents)')
  expect(layoutOf('Model', 'Price (k VND)').unit).toBe(1000)
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
  ['Prețurile nu includ TVA.', 'excluded', undefined],
  ['Prices do not include VAT', 'excluded', undefined],
  ['Prices include VAT', undefined, undefined],
  ['Zahlbar 14 Tage netto', undefined, undefined],
  ['Payment terms: net 30 days', undefined, undefined],
  ['Alle Preise inkl. 19 % MwSt.', undefined, undefined],
] as const)('the line %p says VAT %p at %p', (line, vat, vatRate) => {
  const layout = withTerms(layoutOf('Model', 'Price'), [line])
  expect([layout.vat, layout.vatRate]).toEqual([vat, vatRate])
})

test('an option counts in place of the column of the same meaning, which is named', () => {
  const header = ['title', 'price', 'date', 'currency']
  const layout = detectColumns(header, {}, 'prices.csv', { stated: ['date', 'country'] })
  expect(layout.names).toEqual({ model: 'title', amount: 'price', currency: 'currency' })
  expect(layout.overruled).toEqual({ date: 'date' })
})
