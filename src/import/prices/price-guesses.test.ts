import { expect, test } from 'bun:test'
import { EMPTY_CELLS } from './price-columns.ts'
import {
  dayInHeading,
  dayInName,
  gradeInHeading,
  guessCurrency,
  guessMarket,
  guessSide,
  newestListing,
  withGradeObjects,
} from './price-guesses.ts'

test.each([
  [['title', 'price'], 'price', 'shop/quotes.csv', [], 'quote'],
  [['title', 'Ankaufspreis'], 'Ankaufspreis', 'list.csv', [], 'quote'],
  [['sku', 'sold_date', 'price_usd'], 'price_usd', 'list.csv', [], 'sold'],
  [['ad_title', 'price'], 'price', 'list.csv', [], 'ask'],
  [['itemId', 'buyingOptions[]', 'price.value'], 'price.value', 'list.json', [], 'ask'],
  [['id', 'title', 'sell_price_gbp'], 'sell_price_gbp', 'list.csv', [], 'ask'],
  [['상품', '가격'], '가격', 'list.csv', ['아이폰13 팝니다', '아이폰12'], 'ask'],
  [['Title', 'Current price', 'Sold quantity', 'Watchers'], 'Current price', 'list.csv', [], 'ask'],
  [['title', 'price', 'availability'], 'price', 'list.csv', [], 'ask'],
  [['model', 'price'], 'price', 'Juni.csv', ['iPhone 13 128GB'], null],
] as const)('columns %j with the price in %s of %s are prices: %s', (columns, amount, file, titles, side) => {
  expect(guessSide(columns, amount, file, titles)).toBe(side)
})

test.each([
  ['ads_kr/ads.csv', [], 'kr'],
  ['prices-uk.csv', [], 'gb'],
  ['ads.csv', ['아이폰13 128기가', 'iPhone 12'], 'kr'],
  ['gia.csv', ['Điện thoại iPhone 13', 'Máy cũ'], 'vn'],
  ['what is in stock at my shop.csv', ['iPhone 13'], null],
  ['us-and-gb.csv', [], null],
] as const)('%s with titles %j is of the country %s', (file, titles, market) => {
  expect(guessMarket(file, titles)).toBe(market)
})

test('an object of grades gives a row per grade, and per lock if it has one', () => {
  const grades = ['good', 'fair', 'broken']
  const byLock = ['locked', 'unlocked'].flatMap((lock) => grades.map((grade) => `prices[].value.${lock}.${grade}`))
  expect(withGradeObjects(['name', ...byLock], {})).toEqual({
    amount: 'prices[].value.*.*',
    lock: '*1',
    condition: '*2',
  })
  expect(withGradeObjects(['name', ...grades.map((grade) => `price.${grade}`)], {})).toEqual({
    amount: 'price.*',
    condition: '*1',
  })
  expect(withGradeObjects(['name', 'price.value', 'condition'], {})).toEqual({})
  expect(withGradeObjects(['name', ...byLock], { amount: 'x' })).toEqual({ amount: 'x' })
})

test.each([
  ['shop/prices_2024-06.csv', '2024-06-30'],
  ['list 20240615.xlsx', '2024-06-15'],
  ['ebay_2015/listings.csv', '2015-12-31'],
  // This year: the list may be of today.
  ['prices_2026.csv', null],
  ['20481234567.csv', null],
  ['prices.csv', null],
  ['export-14-11-2025.csv', '2025-11-14'],
  ['export_03-04-2026.csv', null],
])('prices of %s without dates are of %p', (file, day) => expect(dayInName(file, '2026-07-01')).toBe(day))

test('a list was read on the day of its newest listing, or later', () => {
  const listed = (...days: string[]) => days.map((listedOn) => ({ ...EMPTY_CELLS, listedOn }))
  expect(newestListing(listed('07.12.2023.', '27.12.2023.', ''), undefined)).toBe('2023-12-27')
  expect(newestListing(listed('', ''), undefined)).toBe(null)
})

test.each([
  ['Preisliste, Stand: 16.11.2026', '2026-11-16'],
  ['Stock list 2026-11-16, valid until 2026-12-01', '2026-11-16'],
  ['Effective from 1st November 2026', '2026-11-01'],
  ['Tarif du 12 novembre 2026', '2026-11-12'],
  ['2026년 11월 3일 기준', '2026-11-03'],
  ['Preisliste KW 46/2026', '2026-11-09'],
  ['Preisliste KW 46', '2026-11-09'],
  ['Preisliste KW 52', '2025-12-22'],
  ['Prices of 13/4/2026 and of 14/4/2026', null],
  ['Founded 01.02.1999, list of 1.2.3.4', null],
  ['All prices in EUR', null],
])('the lines %p above the header are of the day %p', (heading, day) => {
  const now = Date.UTC(2026, 10, 18)
  expect(dayInHeading(heading, undefined, now)).toEqual(day === null ? null : { day, isSure: true })
})

test('a day above the header that may also mean another one is only a guess', () => {
  const now = Date.UTC(2026, 10, 18)
  expect(dayInHeading('Prices of 11/09/2026', undefined, now)).toEqual({ day: '2026-11-09', isSure: false })
  expect(dayInHeading('Prices of 11/09/2026', 'dmy', now)).toEqual({ day: '2026-09-11', isSure: true })
})

test('a currency is guessed by the language of the columns where that of the shop does not fit', () => {
  expect(guessCurrency(['Bezeichnung', 'Zustand', 'Preis'], 'USD')).toBe('EUR')
  expect(guessCurrency(['Bezeichnung', 'Zustand', 'Preis'], 'CHF')).toBe('CHF')
  expect(guessCurrency(['Title', 'Condition', 'Price'], 'GBP')).toBe('GBP')
})

test.each([
  [['Modell', 'Lagring', 'Skick', 'Pris'], 'SEK', 'se'],
  [['Navn', 'Tilstand', 'Innkjøpspris'], 'NOK', 'no'],
  [['Mærke', 'Produktnavn', 'Tilstand', 'Beløb'], 'DKK', 'dk'],
  [['型号', '容量', '成色', '价格'], 'CNY', null],
] as const)('columns %p are of a list in %s', (columns, currency, market) => {
  expect(guessCurrency(columns, 'EUR')).toBe(currency)
  expect(guessMarket('list.csv', [], columns)).toBe(market)
})

test.each([
  ['Ankaufspreise\nZustand: gut, voll funktionsfähig', 'gut'],
  ['Cosmetic condition: Grade A', 'Grade A'],
  ['Stan: bardzo dobry', 'bardzo dobry'],
  ['Grade: A, Grade: B', null],
  ['Zustand: A = wie neu, B = gut', null],
  ['Zustand: siehe Spalte', null],
  ['Stand: 16.11.2026', null],
] as const)('the lines %p state the grade %p', (heading, grade) => expect(gradeInHeading(heading)).toBe(grade))

test('the offers of a shop that buys are what it pays', () => {
  expect(guessSide(['model', 'offers.*'], 'offers.*', 'tradein.json', [])).toBe('quote')
  expect(guessSide(['model', 'offers.*'], 'offers.*', 'list.json', [])).toBe('ask')
})
