import { expect, test } from 'bun:test'
import { exampleLookup } from '../contract/examples.ts'
import { compressJson, readStoredJson } from './stored-json.ts'

const JSON_TEXT = JSON.stringify(exampleLookup)
const STORED_IN_0_1_0 = 'lookup/1:w8zpBoagJAhKDLCEDCtQ0YwHlUS1AA=='

test('a lookup is read as it was stored and takes less than a third of its size', () => {
  const stored = compressJson(JSON_TEXT, 'lookup/1:')
  expect(readStoredJson(stored)).toBe(JSON_TEXT)
  expect(stored.length).toBeLessThan(JSON_TEXT.length / 3)
})

test('a lookup that an earlier run of the program stored can be read: the dictionary never changes', () => {
  expect(readStoredJson(STORED_IN_0_1_0)).toBe('{"lookup_id":"lkp_01","risk_level":"low","recommendation":"buy"}')
})

test('text beyond the dictionary survives, in any script', () => {
  const json = JSON.stringify({ carrier_name: 'KT 케이티', note: 'ß ü 日本', long: 'x'.repeat(20_000) })
  expect(readStoredJson(compressJson(json, 'lookup/1:'))).toBe(json)
})

test('JSON that is not compressed is read unchanged', () => {
  expect(readStoredJson('{"a":1}')).toBe('{"a":1}')
  expect(readStoredJson('[1]')).toBe('[1]')
})

test('a corrupt row is an error, not a response', () => {
  const stored = compressJson(JSON_TEXT, 'lookup/1:')
  for (const corrupt of ['{"a":', stored.slice(0, -8), 'lookup/9:abcd', 'nonsense', ''])
    expect(() => readStoredJson(corrupt)).toThrow()
})
