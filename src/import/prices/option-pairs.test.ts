import { expect, test } from 'bun:test'
import { parseOptionPairs } from './option-pairs.ts'
import { detectColumns, parseColumnMap } from './price-columns.ts'

const pairs = (text: string, cutAt?: 'first' | 'last') =>
  parseOptionPairs('map', text, cutAt).map(([name, value]) => [name, value])

test('pairs are parsed and trimmed', () => {
  expect(pairs('title=ad_title, price = old_price,')).toEqual([
    ['title', 'ad_title'],
    ['price', 'old_price'],
  ])
})

test('a part without an equals sign is a value without a name', () => {
  expect(pairs('used')).toEqual([['', 'used']])
})

test('with several equals signs, cutAt chooses the first or the last', () => {
  expect(pairs('price=a=b')).toEqual([['price', 'a=b']])
  expect(pairs('a=b=Good', 'last')).toEqual([['a=b', 'Good']])
})

test('a JSON object allows names with a comma', () => {
  expect(pairs('{"price":"Preis, EUR"}')).toEqual([['price', 'Preis, EUR']])
})

test.each(['{"price":', '{"price":5}'])('%s is rejected', (text) => {
  expect(() => parseOptionPairs('map', text)).toThrow(/^map was/)
})

test('a recognised column can be excluded', () => {
  const header = ['title', 'price', 'status']
  expect(detectColumns(header, {}, 'ads.csv').names).toEqual({ model: 'title', amount: 'price', state: 'status' })
  expect(detectColumns(header, parseColumnMap('state=-'), 'ads.csv').names).toEqual({ model: 'title', amount: 'price' })
  expect(() => detectColumns(header, parseColumnMap('price=-'), 'ads.csv')).toThrow(
    /no column is recognised as a price/,
  )
})

test('two columns with the name of the price are rejected', () => {
  expect(() => detectColumns(['title', 'price', 'Price', 'date'], {}, 'list.csv')).toThrow(
    'list.csv has 2 columns named "price"; rename or remove all but one.',
  )
  expect(detectColumns(['title', 'price', 'date', 'date'], {}, 'list.csv').names.amount).toBe('price')
})
