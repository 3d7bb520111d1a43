import { expect, test } from 'bun:test'
import { parseOptionPairs } from './option-pairs.ts'
import { detectColumns, parseColumnMap } from './price-columns.ts'

const pairs = (text: string, cutAt?: 'first' | 'last') =>
  parseOptionPairs('map', text, cutAt).map(([what, meant]) => [what, meant])

test('pairs are read as they are typed', () => {
  expect(pairs('title=ad_title, price = old_price,')).toEqual([
    ['title', 'ad_title'],
    ['price', 'old_price'],
  ])
})

test('a part without a sign means something by itself', () => {
  expect(pairs('used')).toEqual([['', 'used']])
})

test('of several signs the first or the last parts the two', () => {
  expect(pairs('price=a=b')).toEqual([['price', 'a=b']])
  expect(pairs('a=b=Good', 'last')).toEqual([['a=b', 'Good']])
})

test('names with a comma are said in JSON', () => {
  expect(pairs('{"price":"Preis, EUR"}')).toEqual([['price', 'Preis, EUR']])
})

test.each(['{"price":', '{"price":5}'])('%s is refused', (text) => {
  expect(() => parseOptionPairs('map', text)).toThrow(/^map was/)
})

test('a column that is recognised can be left out', () => {
  const header = ['title', 'price', 'status']
  expect(detectColumns(header, {}, 'ads.csv').names).toEqual({ model: 'title', amount: 'price', state: 'status' })
  expect(detectColumns(header, parseColumnMap('state=-'), 'ads.csv').names).toEqual({ model: 'title', amount: 'price' })
  expect(() => detectColumns(header, parseColumnMap('price=-'), 'ads.csv')).toThrow(
    /no column is recognised as a price/,
  )
})
