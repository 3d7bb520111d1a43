import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { IDENTIFIER_TYPES } from '../contract/lookups.ts'
import { hexLuhnDigit, luhnDigit } from './check-digit.ts'
import { isPseudoEsn } from './esn.ts'
import { type Identifier, isCheckDigitValid, isInvalidIdentifier } from './identifier.ts'
import { normalizeIdentifierText, parseIdentifier } from './identifier-parser.ts'
import { suggestIdentifiers } from './identifier-suggestions.ts'
import { imeiWithCheckDigit, isNeverAllocated, splitImei } from './imei.ts'
import { isMeidRegion } from './meid.ts'
import { isTestTac, reportingBodyStatus } from './reporting-body.ts'

const digits = (length: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length }).map((each) => each.join(''))
const hex = (length: number) =>
  fc
    .array(fc.integer({ min: 0, max: 15 }), { minLength: length, maxLength: length })
    .map((each) => each.map((digit) => digit.toString(16).toUpperCase()).join(''))

function read(text: string, type?: (typeof IDENTIFIER_TYPES)[number]): Identifier {
  const identifier = parseIdentifier(text, type)
  if (isInvalidIdentifier(identifier)) throw new Error(identifier.expected)
  return identifier
}

test('every IMEI is valid with its own check digit and with no other', () => {
  fc.assert(
    fc.property(digits(14), (key) => {
      const identifier = read(imeiWithCheckDigit(key))
      expect(identifier.key).toBe(key)
      expect(isCheckDigitValid(identifier)).toBe(true)
      for (const digit of '0123456789') {
        expect(isCheckDigitValid(read(key + digit))).toBe(digit === identifier.expectedCheckDigit)
      }
    }),
  )
})

test('one mistyped digit is always detected', () => {
  fc.assert(
    fc.property(digits(14), fc.nat(14), fc.integer({ min: 1, max: 9 }), (key, at, shift) => {
      const imei = imeiWithCheckDigit(key)
      const wrong = imei.slice(0, at) + ((Number(imei[at]) + shift) % 10) + imei.slice(at + 1)
      expect(isCheckDigitValid(read(wrong))).toBe(false)
    }),
  )
})

test('Luhn does not detect a swap of 09 and 90', () => {
  expect(luhnDigit('35090000000000')).toBe(luhnDigit('35900000000000'))
})

test('separators never change the result', () => {
  const separated = fc.tuple(
    digits(15),
    fc.array(fc.constantFrom(' ', '-', '.', '/', ''), { minLength: 15, maxLength: 15 }),
  )
  fc.assert(
    fc.property(separated, ([imei, between]) => {
      const text = [...imei].map((digit, at) => digit + between[at]).join('')
      expect(read(text)).toEqual(read(imei))
    }),
  )
})

/** Manufacturer, of so many hexadecimal characters, and serial number in decimal digits. */
const toDecimal = (hex: string, hexLength: number, decimalLength: number) =>
  String(Number.parseInt(hex.slice(0, hexLength), 16)).padStart(decimalLength, '0') +
  String(Number.parseInt(hex.slice(hexLength), 16)).padStart(8, '0')

test('a MEID parses the same in hexadecimal and in decimal', () => {
  fc.assert(
    fc.property(hex(14), (meid) => {
      const decimal = toDecimal(meid, 8, 10)
      expect(decimal).toHaveLength(18)
      expect(read(decimal, 'meid').key).toBe(meid)
      expect(read(meid, 'meid').key).toBe(meid)
      expect(isCheckDigitValid(read(meid + read(meid, 'meid').expectedCheckDigit, 'meid'))).toBe(true)
    }),
  )
})

test('an ESN parses the same in hexadecimal and in decimal', () => {
  fc.assert(
    fc.property(hex(8), (esn) => {
      expect(read(toDecimal(esn, 2, 3), 'esn').key).toBe(esn)
      expect(read(esn, 'esn').key).toBe(esn)
    }),
  )
})

test('no text makes the parser throw, and parsed identifiers are normalized', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 80 }),
      fc.constantFrom(undefined, ...IDENTIFIER_TYPES),
      (text, type) => {
        const identifier = parseIdentifier(text, type)
        if (isInvalidIdentifier(identifier)) return
        if (identifier.form !== 'other-number') expect(identifier.text).toMatch(/^[0-9A-Z]{7,20}$/)
        expect(parseIdentifier(identifier.text, identifier.type)).toEqual(identifier)
      },
    ),
    { numRuns: 2_000 },
  )
})

test('normalizing is idempotent', () => {
  fc.assert(
    fc.property(digits(15), (imei) =>
      expect(normalizeIdentifierText(normalizeIdentifierText(`IMEI: ${imei}`))).toBe(imei),
    ),
  )
})

test('the published check digits and pseudo-ESNs are reproduced', () => {
  expect(hexLuhnDigit('AF0123450ABCDE')).toBe('C')
  expect(hexLuhnDigit('A10000009296F2')).toBe('F')
  expect(luhnDigit('293608736500703710')).toBe('0')
  expect(luhnDigit('089132876801532232')).toBe('3')
  expect(read('293608736500703710', 'meid').key).toBe('AF0123450ABCDE')
  expect(read('089132876801532232', 'meid').key).toBe('35209900176148')
  expect(read('270113177609606898', 'meid').key).toBe('A10000009296F2')
  expect(read('12801487144', 'esn').key).toBe('8016B128')
  expect(isPseudoEsn('8016B128')).toBe(true)
  expect(isPseudoEsn('82138ED8')).toBe(false)
})

test('an IMEI is split into its parts in both layouts', () => {
  expect(splitImei('49015420323751')).toEqual({
    tac: '49015420',
    legacyTac: '490154',
  })
  expect(splitImei('01355400629701').tac).toBe('01355400')
})

test('the reporting body is in the first two digits', () => {
  expect(reportingBodyStatus('01355400629701')).toBe('assigned')
  expect(reportingBodyStatus('49015420323751')).toBe('retired')
  expect(reportingBodyStatus('98015420323751')).toBe('reserved')
  expect(reportingBodyStatus('12345678901234')).toBe('unallocated')
  for (const test of ['00100112345678', '00440112345678', '00860112345678', '00910112345678', '00000000000000']) {
    expect(isTestTac(test)).toBe(true)
  }
  expect(isTestTac('01355400629701')).toBe(false)
})

test('repeated digits and plain sequences are impossible', () => {
  fc.assert(fc.property(fc.nat(9), (digit) => expect(isNeverAllocated(String(digit).repeat(14))).toBe(true)))
  expect(isNeverAllocated('12345678901234')).toBe(true)
  expect(isNeverAllocated('49015420323751')).toBe(false)
})

test('MEID regions start at A0, besides 99 and the decimal ones', () => {
  expect(isMeidRegion('A10000009296F2')).toBe(true)
  expect(isMeidRegion('990000009296F2')).toBe(true)
  expect(isMeidRegion('1A0000009296F2')).toBe(false)
  expect(isMeidRegion('35209900176148')).toBe(true)
})

test('two swapped digits are suggested in the right order, a known TAC first', () => {
  const original = '356938035643809'
  fc.assert(
    fc.property(fc.nat(13), (at) => {
      const sent = original.slice(0, at) + original[at + 1] + original[at] + original.slice(at + 2)
      if (isCheckDigitValid(read(sent))) return
      const suggestions = suggestIdentifiers(read(sent), (tac) => tac === '35693803')
      expect(suggestions.map((suggestion) => suggestion.text)).toContain(original)
      for (const suggestion of suggestions) expect(isCheckDigitValid(read(suggestion.text))).toBe(true)
    }),
  )
})

test('a changed digit is suggested if it gives a known TAC', () => {
  expect(suggestIdentifiers(read('356838035643809'), (tac) => tac === '35693803')[0]).toEqual({
    text: '356938035643809',
    typo: 'digit',
  })
})

test('a wrong last digit is corrected, and a right one is unchanged', () => {
  expect(suggestIdentifiers(read('490154203237519'), (tac) => tac === '49015420')[0]).toEqual({
    text: '490154203237518',
    typo: 'check_digit',
  })
  expect(suggestIdentifiers(read('490154203237518'), () => true)).toEqual([])
  expect(suggestIdentifiers(read('AF0123450ABCDED'), () => false).map((each) => each.text)).toContain('AF0123450ABCDEC')
})
