import { expect, test } from 'bun:test'
import { columnKey } from '../../tables/column-key.ts'
import { createTextSource } from '../read/byte-source-service.ts'
import { PRICE_COLUMN_NAMES, PRICE_COLUMNS, parseColumnMap, stateFromAnswer } from './price-columns.ts'
import { openPriceTable } from './price-table.ts'

/** The non-empty cells of each row, and the notes. */
async function read(text: string, map = '', namesDevice?: (text: string) => boolean) {
  const notes: string[] = []
  const table = await openPriceTable(
    createTextSource(text, 'list'),
    { notify: (note) => notes.push(note) },
    parseColumnMap(map),
    undefined,
    namesDevice ? { deviceOf: (text) => (namesDevice(text) ? text : null) } : {},
  )
  const rows: unknown[] = []
  for await (const block of table.blocks)
    for (const { cells, problem } of block)
      rows.push(problem ?? Object.fromEntries(Object.entries(cells ?? {}).filter(([, cell]) => cell !== '')))
  return { rows, notes, layout: table.layout }
}

test('a header word means the same column in every language', () => {
  const columnOf = new Map<string, string>()
  for (const column of PRICE_COLUMN_NAMES)
    for (const word of PRICE_COLUMNS[column]) {
      expect([word, columnOf.get(columnKey(word)) ?? column]).toEqual([word, column])
      columnOf.set(columnKey(word), column)
    }
})

for (const header of [
  'Naziv;Cijena;Stanje;Datum objave',
  'Titel;Preis (€);Zustand;Datum',
  'Titre;Prix;État;Date de vente',
  'Título;Precio;Estado;Fecha',
  'Titolo;Prezzo;Condizioni;Data',
  'Produto;Preço;Condição;Data',
  'Naam;Prijs;Staat;Datum',
  'Tytuł;Cena;Stan;Data sprzedaży',
  'Název;Cena;Stav;Datum',
  'Pavadinimas;Kaina;Būklė;Data',
  'Nosaukums;Cena;Stāvoklis;Datums',
  'Overskrift;Pris;Stand;Dato',
  'Tittel;Pris;Tilstand;Dato',
  'Rubrik;Pris;Skick;Datum',
  'Megnevezés;Ár;Állapot;Dátum',
  'Titlu;Preț;Stare;Data',
  'Название;Цена;Состояние;Дата',
  '상품정보;가격;상태;등록일',
  '商品名;価格;状態;日付',
  '标题;价格;成色;日期',
  'Tên sản phẩm;Giá;Tình trạng;Ngày đăng',
  'Başlık;Fiyat;Durum;Tarih',
]) {
  test(`the header ${header} is recognised`, async () => {
    const { rows } = await read(`${header}\niPhone 13 128GB;400;x;2024-01-02\n`)
    expect(rows).toEqual([{ model: 'iPhone 13 128GB', amount: '400', condition: 'x', date: '2024-01-02' }])
  })
}

test('a currency in the name of the price column applies to all rows', async () => {
  for (const [column, currency] of [
    ['Preis (€)', 'EUR'],
    ['sold_price_usd', 'USD'],
    ['Cena zł', 'PLN'],
    ['price [x]', undefined],
  ] as const) {
    const { layout } = await read(`title;${column}\na;1\n`, column.endsWith(']') ? `price=${column}` : '')
    expect([column, layout.implied.currency]).toEqual([column, currency as string])
  }
})

test('lines above the header are skipped with a note', async () => {
  const { rows, notes } = await read(
    'Price list of Example Ltd;;\nJanuary 2024\n\ntitle;price;date\niPhone 13;400;2024-01-02\n',
  )
  expect(rows).toEqual([{ model: 'iPhone 13', amount: '400', date: '2024-01-02' }])
  expect(notes).toEqual(['list: the header is on line 4; the lines above it are skipped.'])
})

test('a line above the header may say that prices are without VAT', async () => {
  const list = (line: string) => `Preisliste\n${line}\nModell;Preis\niPhone 13 128GB;250\n`
  expect((await read(list('Alle Preise netto, zzgl. 19 % MwSt.'))).layout.vat).toBe('excluded')
  expect((await read(list('Alle Preise inkl. MwSt.'))).layout.vat).toBeUndefined()
})

test('multi-line descriptions do not affect delimiter detection', async () => {
  const description = '"Very good, with box, charger\nBattery 90 %, no scratches\n\nCall me, please"'
  const { rows } = await read(`title;price;description\n${`iPhone 13;400;${description}\n`.repeat(5)}`)
  expect(rows).toHaveLength(5)
  expect(rows[0]).toMatchObject({ model: 'iPhone 13', amount: '400', description: expect.stringContaining('90 %') })
})

test('values of nested objects are columns', async () => {
  const item = { title: 'iPhone 13', price: { value: 400, currency: 'EUR' }, seller: { name: 'Ann', id: 7 } }
  const { rows } = await read(JSON.stringify([item]), 'price=price.value')
  expect(rows).toEqual([{ model: 'iPhone 13', amount: '400', currency: 'EUR' }])
})

const DEALER = {
  name: 'IPHONE 12',
  pictures: [{ id: 'p1' }, { id: 'p2' }],
  prices: [
    { storageSize: '128GB', priceValue: { unlocked: { flawless: 258, noPower: 47.5 }, locked: { flawless: 230 } } },
    { storageSize: '256GB', priceValue: { unlocked: { flawless: 300 } } },
  ],
}
const DEALER_MAP = 'price=prices[].priceValue.*.*,lock=*1,condition=*2'

for (const [what, text] of [
  ['an array', JSON.stringify([DEALER], null, 1)],
  ['one object per line', `${JSON.stringify(DEALER)}\n`],
  ['a member of a document', JSON.stringify({ version: 2, models: [DEALER] }, null, 1)],
] as const) {
  test(`lists and keys within ${what} become rows`, async () => {
    const { rows } = await read(text, DEALER_MAP)
    expect(rows).toEqual([
      { model: 'IPHONE 12', storage: '128GB', amount: '258', lock: 'unlocked', condition: 'flawless' },
      { model: 'IPHONE 12', storage: '128GB', amount: '47.5', lock: 'unlocked', condition: 'noPower' },
      { model: 'IPHONE 12', storage: '128GB', amount: '230', lock: 'locked', condition: 'flawless' },
      { model: 'IPHONE 12', storage: '256GB', amount: '300', lock: 'unlocked', condition: 'flawless' },
    ])
  })
}

test('columns of two different lists are rejected', async () => {
  await expect(read(JSON.stringify([DEALER]), `${DEALER_MAP},listing=pictures[].id`)).rejects.toThrow('different lists')
})

test('an error names a path that the file does not have', async () => {
  await expect(read(JSON.stringify([DEALER]), 'price=price.value')).rejects.toThrow('price.value')
})

test('a table of a web page is read, as programs export it with the ending .xls', async () => {
  const page = `<html><body><table border=1>
    <tr><td colspan=3><b>Prices &amp; more</b></td></tr>
    <tr><td>Model</td><td>Grade</td><td>Price&nbsp;&euro;</td></tr>
    <tr><td rowspan=2>iPhone 13<br>128GB</td><td>A</td><td>250,00</td></tr><tr><td>B</td><td>230,00</td></tr>
  </table></body></html>`
  const { layout, rows } = await read(page)
  expect(layout.implied.currency).toBe('EUR')
  expect(rows).toEqual([
    { model: 'iPhone 13 128GB', condition: 'A', amount: '250,00' },
    { model: 'iPhone 13 128GB', condition: 'B', amount: '230,00' },
  ])
})

test('a web page without a table or XML is rejected with what to do', async () => {
  for (const text of ['<html><h1>title</h1><p>price</p></html>', '\n<?xml version="1.0"?><a/>']) {
    await expect(read(text)).rejects.toThrow(
      'list is a web page or XML, not a list. Open it in a spreadsheet and save it as',
    )
  }
})

test.each([
  ['a table', 'title,final_price,sold\niPhone 13 128GB,300,1\niPhone 13 128GB,310,0\n'],
  [
    'a JSON list',
    JSON.stringify([
      { title: 'iPhone 13 128GB', final_price: 300, sold: true },
      { title: 'iPhone 13 128GB', final_price: 310, sold: false },
    ]),
  ],
])('in %s, a column that says which listings were sold is read', async (_kind, text) => {
  const { layout, rows } = await read(text)
  expect([layout.names.state, layout.implied.side]).toEqual(['sold', undefined])
  expect((rows as { state: string }[]).map(({ state }) => stateFromAnswer(state))).toEqual(['sold', 'active'])
})

const isPhone = (text: string) => /iphone|pixel/i.test(text)

test('columns whose names say too little are recognised by their cells', async () => {
  const { rows, layout } = await read(
    'Preisliste;;;\nUnsere Telefone;Optik;Kaina su PVM;Regal\niPhone 13 128GB;gut;229,00 €;7\nPixel 7 128GB;A;150,00 €;3\n',
    '',
    isPhone,
  )
  expect(rows).toEqual([
    { model: 'iPhone 13 128GB', condition: 'gut', amount: '229,00 €' },
    { model: 'Pixel 7 128GB', condition: 'A', amount: '150,00 €' },
  ])
  expect(layout.names).toMatchObject({ model: 'Unsere Telefone', condition: 'Optik' })
})

test('a list without a header is read by its cells, and its first row is not lost', async () => {
  const { rows, notes } = await read('iPhone 11 64GB;A;189,00 €\nPixel 7 128GB;B;150,00 €\n', '', isPhone)
  expect(rows).toEqual([
    { model: 'iPhone 11 64GB', condition: 'A', amount: '189,00 €' },
    { model: 'Pixel 7 128GB', condition: 'B', amount: '150,00 €' },
  ])
  expect(notes).toEqual(['list has no header: columns are recognised by their cells.'])
  const mapped = await read('iPhone 11 64GB;A;189,00 €\nPixel 7 128GB;B;150,00 €\n', 'condition=-,title=#1', isPhone)
  expect(mapped.rows[0]).toEqual({ model: 'iPhone 11 64GB', amount: '189,00 €' })
})

test('two columns of money are not guessed', async () => {
  const opened = read('Gerät;Neu €;Alt €\niPhone 13;300,00;200,00\n', '', isPhone)
  await expect(opened).rejects.toThrow('which column is the price')
})

test('the list of a service may be wrapped in objects, and rows of one product have ids of their own', async () => {
  const product = { id: 11, name: 'iPhone 12', variants: [64, 128].map((gb) => ({ storage: `${gb} GB`, price: gb })) }
  const { rows } = await read(JSON.stringify({ meta: { page: 1 }, data: { products: [product] } }))
  expect(rows).toEqual([
    { listing: '11 64 GB', model: 'iPhone 12', storage: '64 GB', amount: '64' },
    { listing: '11 128 GB', model: 'iPhone 12', storage: '128 GB', amount: '128' },
  ])
  const titled = { id: 11, title: 'iPhone 12', variants: [{ title: '128GB / Good', price: '299.00' }] }
  expect((await read(JSON.stringify({ products: [titled] }))).rows).toEqual([
    { listing: '11 128GB / Good', model: 'iPhone 12 128GB / Good', condition: 'Good', amount: '299.00' },
  ])
})
