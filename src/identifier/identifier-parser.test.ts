import { describe, expect, test } from 'bun:test'
import type { IdentifierType } from '../contract/lookups.ts'
import { type Identifier, isCheckDigitValid, isInvalidIdentifier } from './identifier.ts'
import { parseIdentifier, splitDualSim } from './identifier-parser.ts'

function read(text: string, type?: IdentifierType): Identifier {
  const identifier = parseIdentifier(text, type)
  if (isInvalidIdentifier(identifier)) throw new Error(`${text} was refused: ${identifier.expected}`)
  return identifier
}

function refusal(text: string, type?: IdentifierType): string {
  const identifier = parseIdentifier(text, type)
  if (!isInvalidIdentifier(identifier)) throw new Error(`${text} was read as ${JSON.stringify(identifier)}`)
  return identifier.expected
}

describe('IMEI', () => {
  for (const [text, key, holds, expected] of [
    ['490154203237518', '49015420323751', true, '8'],
    ['490154203237519', '49015420323751', false, '8'],
    ['356938035643809', '35693803564380', true, '9'],
    ['013554006297015', '01355400629701', true, '5'],
    ['354178036859789', '35417803685978', true, '9'],
    ['354178036859781', '35417803685978', false, '9'],
    ['35-209900-176148-1', '35209900176148', true, '1'],
    ['350077-52-323751-3', '35007752323751', true, '3'],
    ['123456789012345', '12345678901234', false, '7'],
    ['000000000000000', '00000000000000', true, '0'],
    ['001001123456789', '00100112345678', true, '9'],
    ['004401123456788', '00440112345678', true, '8'],
    ['008601123456789', '00860112345678', true, '9'],
    ['009101123456789', '00910112345678', true, '9'],
    ['100000010000015', '10000001000001', true, '5'],
    ['100000010000023', '10000001000002', true, '3'],
    ['100000010000049', '10000001000004', true, '9'],
    ['100000010000106', '10000001000010', true, '6'],
  ] as const) {
    test(`${text} has the identity ${key} and ${holds ? 'a valid check digit' : `should end in ${expected}`}`, () => {
      const identifier = read(text)
      expect(identifier).toMatchObject({ type: 'imei', form: 'imei', key, expectedCheckDigit: expected })
      expect(isCheckDigitValid(identifier)).toBe(holds)
    })
  }

  test('fourteen digits are an IMEI whose check digit is calculated', () => {
    expect(read('35686800004141')).toMatchObject({ type: 'imei', form: 'imei14', expectedCheckDigit: '8' })
    expect(isCheckDigitValid(read('35686800004141'))).toBe(true)
  })

  for (const [text, key] of [
    ['35-209900-176148-23', '35209900176148'],
    ['35686800-004141-20', '35686800004141'],
    ['0117220037002633', '01172200370026'],
  ] as const) {
    test(`${text} carries a software version, which is not checked`, () => {
      const identifier = read(text)
      expect(identifier).toMatchObject({
        type: 'imei',
        form: 'imeisv',
        key,
        checkDigit: null,
        expectedCheckDigit: null,
      })
      expect(isCheckDigitValid(identifier)).toBe(true)
    })
  }

  for (const text of [
    ' 356938035643809 ',
    '356938 03 564380 9',
    '35.693803.564380.9',
    '35/693803/564380/9',
    'IMEI: 356938035643809',
    'imei 356938035643809',
    'IMEI356938035643809',
    'IMEI 2: 356938035643809',
    '\u202d356938035643809\u202c',
    '35\u2011693803\u2011564380\u20119',
    '356938\u00a0035643809',
    '"356938035643809"',
    "'356938035643809",
    '="356938035643809"',
    '(356938035643809)',
    '[356938035643809]',
    '#356938035643809',
    'IMEI1: 356938035643809',
    'IMEI1 356938035643809',
    'IMEI1356938035643809',
    'IMEI# 356938035643809',
    '３５６９３８０３５６４３８０９',
    '356938035643809.0',
    '3.56938035643809E+14',
  ]) {
    test(`${JSON.stringify(text)} is parsed like the bare digits`, () => {
      expect(read(text)).toEqual(read('356938035643809'))
    })
  }
})

describe('MEID', () => {
  for (const [text, form, key, expected] of [
    ['AF0123450ABCDE', 'hexadecimal', 'AF0123450ABCDE', 'C'],
    ['af 01 23 45 0a bc de', 'hexadecimal', 'AF0123450ABCDE', 'C'],
    ['0xAF0123450ABCDE', 'hexadecimal', 'AF0123450ABCDE', 'C'],
    ['AF0123450ABCDEC', 'hexadecimal', 'AF0123450ABCDE', 'C'],
    ['293608736500703710', 'decimal', 'AF0123450ABCDE', '0'],
    ['2936087365007037100', 'decimal', 'AF0123450ABCDE', '0'],
    ['29360 87365 0070 3710', 'decimal', 'AF0123450ABCDE', '0'],
    ['A10000009296F2', 'hexadecimal', 'A10000009296F2', 'F'],
    ['270113177609606898', 'decimal', 'A10000009296F2', undefined],
  ] as const) {
    test(`${text} is the MEID ${key}`, () => {
      expect(read(text)).toMatchObject({ type: 'meid', form, key, ...(expected && { expectedCheckDigit: expected }) })
    })
  }

  test('fourteen decimal digits are a MEID only if declared so, and are checked like an IMEI', () => {
    expect(read('35209900176148').type).toBe('imei')
    expect(read('35209900176148', 'meid')).toMatchObject({ type: 'meid', expectedCheckDigit: '1' })
    expect(read('089132876801532232')).toMatchObject({ type: 'meid', key: '35209900176148', expectedCheckDigit: '3' })
  })

  test('a decimal part that exceeds its bits is rejected', () => {
    expect(refusal('999999999900703710')).toContain('4294967295')
    expect(refusal('293608736599999999')).toContain('16777215')
  })
})

describe('ESN', () => {
  for (const [hex, decimal] of [
    ['FFFFFFFF', '25516777215'],
    ['DEADBEEF', '22211386607'],
    ['82138ED8', '13001281752'],
  ] as const) {
    test(`${hex} and ${decimal} are one ESN`, () => {
      expect(read(hex)).toMatchObject({ type: 'esn', form: 'hexadecimal', key: hex })
      expect(read(decimal)).toMatchObject({ type: 'esn', form: 'decimal', key: hex })
      expect(read(`0x${hex}`, 'esn').key).toBe(hex)
    })
  }

  test('a manufacturer code above 255 is rejected if declared as an ESN', () => {
    expect(refusal('25600000000', 'esn')).toContain('at most 255')
  })

  test('eight hexadecimal characters are a serial number if declared as one', () => {
    expect(read('DEADBEEF', 'serial')).toMatchObject({ type: 'serial', key: 'DEADBEEF' })
  })
})

describe('serial number', () => {
  for (const text of ['C8QH6T96DPNG', 'F2TK4TZ7DTWF', 'FK1ST6G4G5QY', '5K31926NDZZ', 'R38K503SRVD', '5B2M3Y2']) {
    test(`${text} is recognised as one`, () => {
      expect(read(text)).toMatchObject({ type: 'serial', key: text })
    })
  }

  test("Xiaomi's product code and slash do not turn a serial number into an IMEI", () => {
    expect(read('28452/Z1L200012')).toMatchObject({ type: 'serial', form: 'serial', key: '28452Z1L200012' })
  })

  for (const text of [
    'MLVC3LL/A',
    'sm-g991b',
    'SM-G991B/DS',
    'A2483',
    'XT2153-1',
    'iPhone14,5',
    'M2101K6G',
    '21091116UG',
  ]) {
    test(`${text} names a model, not a single device`, () => expect(read(text).form).toBe('other-number'))
  }

  for (const text of ['a4:83:e7:12:34:56', 'A4-83-E7-12-34-56', 'a483.e712.3456']) {
    test(`${text} is a MAC address`, () => expect(read(text, 'serial').form).toBe('other-number'))
  }

  test('a tracking number is recognized by its format and check digit', () => {
    expect(read('1Z999AA10123456784').form).toBe('other-number')
    expect(read('RR123456785LT').form).toBe('other-number')
    expect(read('RR123456789LT').form).toBe('serial')
  })

  test('lower case, dashes and a label are normalized', () => {
    expect(read('S/N: c8qh-6t96-dpng').key).toBe('C8QH6T96DPNG')
  })
})

describe('rejected with a helpful message', () => {
  for (const [why, text, type, hint] of [
    ['empty', '', undefined, 'IMEI, MEID, ESN or serial'],
    ['separators only', ' -./ ', 'imei', '15 digits'],
    ['too long', '1'.repeat(65), undefined, 'at most 64'],
    ['too short', '123456', undefined, '7 to 20'],
    ['seven digits', '1234567', undefined, '7 to 20'],
    ['too long for a serial', 'A'.repeat(21), 'serial', '7 to 20'],
    ['letters in an IMEI', '35693803564380X', 'imei', '15 digits'],
    ['a MEID declared as IMEI', 'AF0123450ABCDE', 'imei', 'identifier_type "meid"'],
    ['thirteen digits declared as IMEI', '3569380356438', 'imei', '15 digits'],
    ['Arabic digits', '٣٥٦٩٣٨٠٣٥٦٤٣٨٠٩', undefined, "no other script's"],
    ['a number rounded by Excel', '3.56938E+14', undefined, 'format the column as text'],
    ['a number rounded by Excel, with a comma', '3,56938E+14', 'imei', 'format the column as text'],
    ['a letter that upper-casing turns into ASCII', 'ı234567890', 'serial', 'A–Z'],
    ['NUL', '35693803564380\u0000', 'imei', '15 digits'],
    ['an ICCID of 19 digits', '8944110065123456789', undefined, 'ICCID'],
    ['an ICCID of 20 digits', '89014103211118510720', 'imei', 'ICCID'],
    ['an ICCID declared as serial', '89014103211118510720', 'serial', 'ICCID'],
    ['an EID', '89049032004008882600012345678901', undefined, 'EID'],
    ['a MEID of 13 characters', 'AF0123450ABCD', 'meid', '14 hexadecimal'],
    ['an ESN of 7 characters', 'DEADBEE', 'esn', '8 hexadecimal'],
  ] as const) {
    test(why, () => expect(refusal(text, type)).toContain(hint))
  }
})

describe('text around an identifier', () => {
  for (const text of [
    'IMEI Nr. 356938035643809',
    'IMEI-Nummer: 356938035643809',
    'N° IMEI : 356938035643809',
    'IMEI/MEID: 356938035643809',
    'IMEI (SIM 1): 356938035643809',
    '*#06# 356938035643809',
    '356938035643809,00',
  ]) {
    test(`the IMEI in "${text}" is read`, () =>
      expect(read(text)).toMatchObject({ type: 'imei', key: '35693803564380' }))
  }

  for (const text of [
    'Seriennummer: C8QH6T96DPNG',
    'Serial C8QH6T96DPNG',
    'SN C8QH6T96DPNG',
    '일련번호: C8QH6T96DPNG',
  ]) {
    test(`the serial number in "${text}" is read without its label`, () =>
      expect(read(text)).toMatchObject({ type: 'serial', key: 'C8QH6T96DPNG' }))
  }

  for (const text of [
    'IMEI1: 356938035643809 IMEI2: 490154203237518',
    'IMEI1: 356938035643809\nIMEI2: 490154203237518',
    '356938035643809/490154203237518',
    '356938035643809, 490154203237518',
    '35 693803 564380 9 / 49-015420-323751-8',
    '*#06#\nIMEI 1\n356938035643809 / 01\nIMEI 2\n490154203237518 / 01\nEID 89049032000000000000000000000000\nSN R58M12ABCDE',
  ]) {
    test(`"${text}" holds both IMEIs of a device with two SIM cards`, () =>
      expect(splitDualSim(text)).toEqual(['356938035643809', '490154203237518']))
  }

  for (const text of [
    '356938035643809',
    '356938035643809 / 356938035643809',
    '356938035643809 / 490154203237510',
    '356938035643809 490154203237518 100000010000015',
    '35-693803-564380-9',
    'C8QH6T96DPNG/356938035643809',
  ]) {
    test(`"${text}" holds no two valid IMEIs`, () => expect(splitDualSim(text)).toBeNull())
  }

  test('where one identifier is expected, a text with two IMEIs is rejected with that reason', () =>
    expect(refusal('356938035643809 / 490154203237518')).toBe(
      'one identifier; this text holds 2 IMEIs, send those of each device on their own',
    ))

  test('the same IMEI scanned twice is one', () =>
    expect(read('356938035643809 / 356938035643809')).toMatchObject({ type: 'imei', key: '35693803564380' }))

  test('an IMEI with a wrong check digit is never taken out of other text', () =>
    expect(refusal('IMEI-Nummer: 356938035643800')).toContain('an IMEI, MEID, ESN or serial number'))
})

describe('numbers of other kinds', () => {
  for (const text of [
    ...['MLVC3LL', '001A2B3C4D5E', 'CFI-1215A', 'HAC-001', '12/05/2023', '2023-05-12', '+4915112345678'],
  ]) {
    test(`${text} is no serial number`, () => expect(read(text)).toMatchObject({ form: 'other-number' }))
  }

  for (const text of ['4006381333931', '0194252707234', '194252707234']) {
    test(`${text} is a product barcode and is rejected with the advice to scan the IMEI`, () =>
      expect(refusal(text)).toContain('product barcode (EAN or UPC), the same on every box: scan the IMEI'))
  }

  test('a declared type counts more than the form of a date or a bar code', () => {
    expect(read('4006381333931', 'serial')).toMatchObject({ type: 'serial', form: 'serial' })
    expect(read('20230512', 'esn')).toMatchObject({ type: 'esn' })
  })

  for (const text of ['H5XJ2M2', '7XK3DQ2', 'C8QH6T96DPNG', '28482/90XG00001']) {
    test(`${text} is a serial number`, () => expect(read(text)).toMatchObject({ type: 'serial', form: 'serial' }))
  }

  test('12 or 13 digits that begin like an IMEI are a truncated IMEI', () => {
    for (const text of ['3569380356434', '356938035644', '8600000000002']) {
      expect(read(text).form).not.toBe('other-number')
    }
  })
})
