import { expect, test } from 'bun:test'
import { exampleLookup } from '../contract/examples.ts'
import { parseStoredJson, shortenLookup } from './stored-json.ts'

const JSON_TEXT = JSON.stringify(exampleLookup)
const STORED_IN_0_1_0 =
  '\u000101M7NS6D0J\u0002356938035643809\u000326-11-17T22:14:15.314\u00040\u0005null\u0006null\u0007unknown\b40\tnone\u000f\u0010\u0017\u0012\u0018\u001dinspect\u001e\u001fkey"}}'

test('a lookup is read as it was stored and takes less than a third of its size', () => {
  const stored = shortenLookup(JSON_TEXT)
  expect(JSON.stringify(parseStoredJson(stored))).toBe(JSON_TEXT)
  expect(stored.length).toBeLessThan(JSON_TEXT.length / 3)
})

test('a lookup that version 0.1.0 stored can be read: the dictionary never changes', () => {
  expect(parseStoredJson(STORED_IN_0_1_0)).toMatchObject({
    lookup_id: 'lkp_01M7NS6D0J',
    identifier: '356938035643809',
    timestamp: '2026-11-17T22:14:15.314Z',
    risk_score: 40,
    risk_factors: [{ code: 'blacklist_unverified', points: 25 }, { code: 'baseline' }],
    recommendation: 'inspect',
    created_by: { kind: 'key' },
  })
})

test('any text survives: control characters, other scripts and text of the dictionary inside a value', () => {
  const values = { tab: '\t\u0001\u001f', name: 'KT 케이티 ß', quoted: '","points":', long: 'x'.repeat(20_000) }
  const json = JSON.stringify({ ...exampleLookup, ...values })
  expect(JSON.stringify(parseStoredJson(shortenLookup(json)))).toBe(json)
})

test('JSON that was stored in full is read unchanged', () => {
  for (const json of ['{"a":1}', '[1]', JSON_TEXT]) expect(JSON.stringify(parseStoredJson(json))).toBe(json)
})

test('a corrupt row is an error, not a response', () => {
  for (const corrupt of ['{"a":', shortenLookup(JSON_TEXT).slice(0, -8), 'nonsense', ''])
    expect(() => parseStoredJson(corrupt)).toThrow()
})
