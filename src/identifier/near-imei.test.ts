import { describe, expect, test } from 'bun:test'
import type { IdentifierType } from '../contract/lookups.ts'
import { type Identifier, isInvalidIdentifier } from './identifier.ts'
import { parseIdentifier } from './identifier-parser.ts'
import { suggestIdentifiers } from './identifier-suggestions.ts'
import { isSampleImei } from './imei.ts'
import { impossibleSerialReason } from './impossible-serial.ts'
import { findImsiNetwork } from './imsi.ts'

function read(text: string, type?: IdentifierType): Identifier {
  const identifier = parseIdentifier(text, type)
  if (isInvalidIdentifier(identifier)) throw new Error(identifier.expected)
  return identifier
}
const suggestionsFor = (text: string, tacs: readonly string[] = []) =>
  suggestIdentifiers(read(text), (tac) => tacs.includes(tac)).map((suggestion) => suggestion.text)

describe('a near-IMEI', () => {
  for (const [why, text, suggested] of [
    ['O for 0', '35693803564380O', []],
    ['O for 0 in the middle', '3569380356438O9', ['356938035643809']],
    ['O and l and S', '3S6938O3564380 9', ['356938035643809']],
    ['I for 1', '0I3554006297015', ['013554006297015']],
    ['B for 8', '356938035643B09', ['356938035643809']],
    ['B for 8 without check digit', '35693B03564380', ['356938035643809']],
    ['B for 8 at the start', 'B67290020000005', ['867290020000005']],
    ['an unreadable character', '35693803564380X', ['356938035643809']],
    ['a software version after a slash', '356938035643809/01', ['356938035643809']],
    ['a leading letter', 'X356938035643809', ['356938035643809']],
    ['trailing text', '356938035643809 DUAL', ['356938035643809']],
    ['thirteen digits', '3569380356438', []],
    ['thirteen digits with a lost zero', '1355400629701', ['013554006297015']],
    ['twelve digits', '356938035643', []],
    ['seventeen digits', '35693803564380123', []],
    ['twenty digits', '35693803564380123456', []],
  ] as const) {
    test(`${why}: ${text}`, () => {
      expect(read(text)).toMatchObject({ type: 'serial', form: 'near-imei' })
      for (const each of suggested) expect(suggestionsFor(text)).toContain(each)
      for (const each of suggestionsFor(text)) expect(read(each)).toMatchObject({ form: 'imei', type: 'imei' })
    })
  }

  test('an IMEI that lost its leading zero in a spreadsheet is suggested with it', () => {
    expect(read('13554006297015')).toMatchObject({ type: 'imei', form: 'imei14' })
    expect(suggestionsFor('13554006297015')).toEqual(['013554006297015'])
    expect(suggestionsFor('35686800004141')).toEqual([])
  })

  test('a misread IMEI with a wrong check digit is corrected like a mistyped one', () => {
    expect(suggestionsFor('35693803564380O', ['35693803'])).toContain('356938035643809')
  })

  test('a declared serial number is one, whatever it looks like', () => {
    expect(read('3569380356438', 'serial')).toMatchObject({ type: 'serial', form: 'serial' })
  })

  for (const text of [
    'C8QH6T96DPNG',
    'R38K503SRVD',
    'XKW10012345678',
    'A10000009296F2',
    'AF0123450ABCDE',
    '13001281752',
  ]) {
    test(`${text} is not a near-IMEI`, () => expect(read(text).form).not.toBe('near-imei'))
  }
})

describe('serial numbers that no maker assigns', () => {
  for (const text of [
    '000000000000',
    'AAAAAAAA',
    '1212121212',
    'HELLOWORLD',
    'NOTAVAILABLE',
    'UNKNOWN1',
    'TEST1234',
    'IPHONE13PROMAX',
    'SERIALNUMBER',
    'ABCDEFGHIJ',
    'QWERTYUIOP',
    'ASDFGHJKL',
    'MOTHERBOARD',
    'TELEPHONE',
    '987654321',
  ]) {
    test(text, () => expect(impossibleSerialReason(text)).not.toBeNull())
  }

  for (const text of ['C8QH6T96DPNG', 'R38K503SRVD', 'H7K2QX9VWM', 'FK1ST6G4G5QY', 'DX3XQ2JTN70M', 'GCTZ41234ABC']) {
    test(`but ${text} is possible`, () => expect(impossibleSerialReason(text)).toBeNull())
  }

  test('and hardly any random serial number is rejected', () => {
    const alphabet = '0123456789ABCDEFGHJKLMNPQRSTUVWXYZ'
    let state = 7
    const next = () => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
      return alphabet[Math.floor((state / 2_147_483_648) * alphabet.length)] ?? ''
    }
    const serials = Array.from({ length: 20_000 }, () => Array.from({ length: 10 }, next).join(''))
    const rejected = serials.filter((serial) => impossibleSerialReason(serial) !== null)
    expect(rejected.length / serials.length).toBeLessThan(0.003)
  })
})

describe('the number of a SIM card', () => {
  for (const [text, network] of [
    ['262011234567890', '262-01'],
    ['310260123456789', '310-260'],
    ['460001234567891', '460-00'],
    ['460001234567890', '460-00'],
    ['404101234567890', '404-10'],
  ] as const) {
    test(`${text} is recognised by ${network}`, () => {
      expect(findImsiNetwork(read(text))?.network).toBe(network)
      expect(suggestionsFor(text)).toEqual([])
    })
  }

  for (const text of ['356938035643801', '354178036859781', '490154203237519', '123456789012345']) {
    test(`${text} is not one`, () => {
      const identifier = read(text)
      expect(findImsiNetwork(identifier)).toBeNull()
    })
  }
})

test('widely published example IMEIs are recognised in every spelling', () => {
  for (const text of ['490154203237518', '358240051111110', '123456789012347', '352099001761481', '35-209900-176148']) {
    expect(isSampleImei(read(text))).toBe(true)
  }
  expect(isSampleImei(read('490154203237519'))).toBe(false)
  expect(isSampleImei(read('356938035643809'))).toBe(false)
})
