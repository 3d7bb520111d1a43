import { describe, expect, test } from 'bun:test'
import { findBarredWords, identifierIn, readFacts, withoutIdentifiers } from './facts.ts'
import { tokenize } from './text-tokens.ts'

const facts = (text: string) => readFacts(tokenize(text))

describe('the health of the battery', () => {
  test.each([
    ['bh:77', 77],
    ['Health 87', 87],
    ['배터리효율 87프로', 87],
    ['Akku bei 87 %, Kratzer', 87],
    ['91% battery, boxed', 91],
    ['baterija apie 73%', 73],
    ['बैटरी 75%', 75],
    ['البطارية 78', 78],
  ] as const)('is read from "%s"', (text, percent) => {
    expect(facts(text).battery?.value).toBe(percent)
  })

  test.each(['90 % fresh', '100 % funktionsfähig', '100% original, 20% off', 'iPhone 13 128GB', '64 GB, 5 Akkus'])(
    'is not read from "%s"',
    (text) => {
      expect(facts(text).battery).toBeNull()
    },
  )
})

test('charge cycles and points of ten are read', () => {
  expect(facts('Akku 641 Ladezyklen').cycles?.value).toBe(641)
  expect(facts('condition 8.5/10').points?.value).toBe(8)
  expect(facts('iPhone 8/10').points).toBeNull()
})

test('an IMEI is one with the right check digit, and those of a phone with two SIM cards are one identifier', () => {
  expect(identifierIn('IMEI 356938035643809')).toBe('356938035643809')
  expect(identifierIn('IMEI 356938035643808')).toBeNull()
})

test.each([
  ['iPhone 13 128GB stolen', 'stolen'],
  ['Samsung S21 украден', 'украден'],
  ['iPhone 12 IMEI gesperrt', 'IMEI gesperrt'],
  ['아이폰 분실폰', '분실폰'],
  ['iPhone 13 not stolen, receipt included', null],
  ['garantiert nicht geklaut', null],
  ['아이폰 도난폰 아님', null],
  ['IMEI is clean, not blacklisted, never been reported stolen', null],
])('"%s" is barred by the words %p', (text, words) => {
  const { stated } = findBarredWords(tokenize(text))
  expect(stated && text.slice(stated.from, stated.to)).toBe(words)
})

test('the words beside an IMEI are read as if it were not there', () => {
  const tokens = tokenize('iPhone 13, SIM-locked IMEI 356938035643809')
  const words = withoutIdentifiers(tokens, readFacts(tokens)).map(({ text }) => text)
  expect(words).toEqual(tokenize('iPhone 13, SIM-locked').map(({ text }) => text))
})
