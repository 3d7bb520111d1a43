import { describe, expect, test } from 'bun:test'
import { parseListCoverage } from './list-coverage.ts'
import type { ListFormat } from './list-format.ts'

const WHOLE: ListFormat = { kind: 'stolen', isDelta: false }
const CHANGES: ListFormat = { kind: 'stolen', isDelta: true }
const SAID = { clears: 'yes', area: 'DE', 'max-age-days': '7' }
const TERMS = { area: 'DE', max_age_days: 7 }
const NOTHING = { area: null, max_age_days: null }
const storedList = (terms: typeof TERMS | typeof NOTHING) => ({
  name: 'police',
  kind: 'stolen' as const,
  entries: 9,
  imported_at: 1,
  ...terms,
})

test('a list clears only if its operator says so with each full import', () => {
  expect(parseListCoverage({}, 'police', WHOLE, undefined)).toEqual(NOTHING)
  expect(parseListCoverage(SAID, 'police', WHOLE, undefined)).toEqual(TERMS)
  expect(parseListCoverage({}, 'police', WHOLE, storedList(TERMS))).toEqual(NOTHING)
})

test('a delta keeps the terms of the list and may change them, but not introduce them', () => {
  expect(parseListCoverage({}, 'police', CHANGES, storedList(TERMS))).toEqual(TERMS)
  expect(parseListCoverage({}, 'police', CHANGES, storedList(NOTHING))).toEqual(NOTHING)
  expect(parseListCoverage({ ...SAID, area: 'EU' }, 'police', CHANGES, storedList(TERMS))).toEqual({
    ...TERMS,
    area: 'EU',
  })
})

describe('rejected', () => {
  for (const [why, options, list, form, says] of [
    ['a delta of an unknown list', SAID, 'police', CHANGES, 'import the whole list'],
    ['a barred list', SAID, 'police', { kind: 'barred', isDelta: false }, 'Only a stolen list'],
    ['a registration list', SAID, 'police', { kind: 'registration', isDelta: false }, 'Only a stolen list'],
    ['a sample', SAID, 'Sample of January', WHOLE, 'a sample clears nothing'],
    ['an empty area', { ...SAID, area: ' ' }, 'police', WHOLE, 'area '],
    ['an invalid area', { ...SAID, area: 'D\nE' }, 'police', WHOLE, 'area '],
    ['a missing maximum age', { clears: 'yes', area: 'DE' }, 'police', WHOLE, 'max-age-days is missing'],
    ['a maximum age of zero', { ...SAID, 'max-age-days': '0' }, 'police', WHOLE, '1 to 365'],
    ['a maximum age over a year', { ...SAID, 'max-age-days': '366' }, 'police', WHOLE, '1 to 365'],
    ['an area without --clears', { area: 'DE' }, 'police', WHOLE, 'unless the list is said to clear'],
  ] as const) {
    test(why, () => expect(() => parseListCoverage(options, list, form, undefined)).toThrow(says))
  }
})
