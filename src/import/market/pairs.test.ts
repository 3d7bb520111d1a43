import { expect, test } from 'bun:test'
import { readPairs } from './pairs.ts'
import { readColumnMap, recognise } from './price-columns.ts'

const pairs = (text: string, cutAt?: 'first' | 'last') =>
  readPairs('map', text, cutAt).map(([what, meant]) => [what, meant])

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
  expect(() => readPairs('map', text)).toThrow(/^map was/)
})

test('a column that is recognised can be left out', () => {
  const header = ['title', 'price', 'status']
  expect(recognise(header, {}, 'ads.csv').names).toEqual({ model: 'title', amount: 'price', state: 'status' })
  expect(recognise(header, readColumnMap('state=-'), 'ads.csv').names).toEqual({ model: 'title', amount: 'price' })
  expect(() => recognise(header, readColumnMap('price=-'), 'ads.csv')).toThrow(/no column is recognised as a price/)
})
