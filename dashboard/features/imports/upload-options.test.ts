import { expect, test } from 'bun:test'
import { parsePairs, toColumnMapping, toMapOption, withColumn, withOption, withPair } from './upload-options.ts'

const columns = [
  { name: 'ad_title', field: 'model', examples: [] },
  { name: 'price', field: 'amount', examples: [] },
  { name: 'old, price', field: null, examples: [] },
  { name: 'status', field: 'state', examples: [] },
]

test('choosing a column for a field removes it from the previous field', () => {
  const mapping = withColumn(toColumnMapping(columns), 'old, price', 'amount')
  expect(mapping).toEqual({ ad_title: 'model', price: null, 'old, price': 'amount', status: 'state' })
})

test('excluding a recognised column is sent, so that it is not recognised again', () => {
  const mapping = withColumn(toColumnMapping(columns), 'status', null)
  expect(JSON.parse(toMapOption(mapping, toColumnMapping(columns), undefined))).toEqual({
    model: 'ad_title',
    amount: 'price',
    state: '-',
  })
})

test('excluded columns stay excluded', () => {
  const map = JSON.parse(toMapOption({ ad_title: 'model' }, { ad_title: 'model' }, '{"state":"-","amount":"price"}'))
  expect(map).toEqual({ state: '-', model: 'ad_title' })
})

test('a column name with a comma stays one name', () => {
  const mapping = withColumn(toColumnMapping(columns), 'old, price', 'amount')
  expect(JSON.parse(toMapOption(mapping, toColumnMapping(columns), undefined))).toMatchObject({ amount: 'old, price' })
})

test('words are assigned grades individually and can be unassigned', () => {
  const one = withPair({ side: 'ask' }, 'condition', 'a, b', 'Good')
  const two = withPair(one, 'condition', 'top', 'Fair')
  expect(parsePairs(two.condition)).toEqual({ 'a, b': 'Good', top: 'Fair' })
  expect(withPair(withPair(two, 'condition', 'top', ''), 'condition', 'a, b', '')).toEqual({ side: 'ask' })
})

test('an emptied option is not sent', () => {
  expect(withOption({ side: 'ask', currency: 'EUR' }, 'currency', '')).toEqual({ side: 'ask' })
})

test('options of a command-line profile are parsed', () => {
  expect(parsePairs('rabljeno=Good,a=b=Fair')).toEqual({ rabljeno: 'Good', 'a=b': 'Fair' })
  expect(parsePairs('used')).toEqual({ '': 'used' })
})
