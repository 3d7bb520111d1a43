import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type Identifier, isInvalidIdentifier } from '../identifier/identifier.ts'
import { parseIdentifier } from '../identifier/identifier-parser.ts'
import { decodeSerial } from '../identifier/serial-number.ts'
import { hintedDeviceIds, matchBySerial, matchByTac, type TacEntry } from './device-match.ts'

function read(text: string): Identifier {
  const identifier = parseIdentifier(text)
  if (isInvalidIdentifier(identifier)) throw new Error(identifier.expected)
  return identifier
}

const IMEI = read('013554006297015')
const entry = (more: Partial<TacEntry> = {}): TacEntry => ({
  tac: '01355400',
  deviceId: 'apple-iphone-5',
  deviceName: 'iPhone 5',
  make: 'Apple',
  model: 'iPhone 5',
  source: 'osmocom',
  confidence: 80,
  ...more,
})
const other = (name: string): Partial<TacEntry> => ({ deviceId: `apple-${name}`, deviceName: name, model: name })

describe('a TAC', () => {
  test('on one list names its device with the confidence of the list', () => {
    expect(matchByTac(IMEI, [entry()], [])).toEqual({
      confidence: 80,
      deviceId: 'apple-iphone-5',
      deviceName: 'iPhone 5',
    })
  })

  test('on two lists that agree has a higher confidence, but never 100', () => {
    const both = matchByTac(IMEI, [entry(), entry({ source: 'gsma' })], [])
    expect(both.confidence).toBe(95)
    expect(matchByTac(IMEI, [entry({ confidence: 100 })], []).confidence).toBe(95)
  })

  test('on the same list twice has no higher confidence', () => {
    expect(matchByTac(IMEI, [entry(), entry({ model: 'iPhone 5 (A1428)' })], []).confidence).toBe(80)
  })

  // Bundled facts come from public lists, so importing one of those lists adds no evidence.
  test('on a list and in bundled data from the same list has no higher confidence', () => {
    const bundled = entry({ source: 'bundled:osmocom', confidence: 70 })
    expect(matchByTac(IMEI, [entry({ confidence: 60 }), bundled], []).confidence).toBe(70)
    const both = entry({ source: 'bundled:osmocom+samsung-tac', confidence: 90 })
    const all = [entry({ confidence: 60 }), both, entry({ source: 'samsung-tac', confidence: 75 })]
    for (const order of [all, [...all].reverse(), [all[0], all[2], all[1]] as typeof all]) {
      expect(matchByTac(IMEI, order, []).confidence).toBe(90)
    }
    expect(matchByTac(IMEI, [entry({ source: 'gsma', confidence: 60 }), bundled], []).confidence).toBe(88)
  })

  test('a list outside the registry agrees by its own names', () => {
    const words = entry({ source: 'gsma', deviceId: null, deviceName: null })
    expect(matchByTac(IMEI, [entry(), words], []).confidence).toBe(95)
    expect(matchByTac(IMEI, [words], [])).toEqual({ confidence: 80, deviceId: null, deviceName: 'Apple iPhone 5' })
  })

  test('that fits two devices equally has at most half the confidence', () => {
    expect(matchByTac(IMEI, [entry(), entry(other('iphone-5c'))], []).confidence).toBe(40)
  })

  test('known by six digits only has a lower confidence, and eight digits take precedence', () => {
    const legacy = entry({ tac: '013554', ...other('iphone-4') })
    expect(matchByTac(IMEI, [], [legacy])).toMatchObject({ confidence: 48, deviceId: 'apple-iphone-4' })
    expect(matchByTac(IMEI, [entry()], [legacy]).deviceId).toBe('apple-iphone-5')
  })

  test('of an identifier with a wrong check digit has a lower confidence', () => {
    expect(matchByTac(read('013554006297016'), [entry()], []).confidence).toBe(56)
  })

  test('on no list names no device', () => {
    expect(matchByTac(IMEI, [], [])).toEqual({ confidence: 0, deviceId: null, deviceName: null })
  })

  test('every further candidate lowers the confidence', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 8 }), (confidence, count) => {
        const entries = Array.from({ length: count }, (_, at) => entry({ ...other(`phone-${at}`), confidence }))
        const fewer = matchByTac(IMEI, entries, []).confidence
        const more = matchByTac(IMEI, [...entries, entry({ ...other('phone-x'), confidence })], []).confidence
        expect(more).toBeLessThanOrEqual(fewer)
      }),
    )
  })

  test('the order of the lists does not matter', () => {
    const entries = [entry(), entry(other('iphone-5c')), entry({ source: 'gsma', confidence: 60 })]
    expect(matchByTac(IMEI, entries, [])).toEqual(matchByTac(IMEI, [...entries].reverse(), []))
  })
})

describe('a serial number', () => {
  const readings = decodeSerial('FK1ST6G4G5QY', '2026-11-15').decodedSerials
  const device = { id: 'apple-iphone-6-plus', name: 'iPhone 6 Plus', releasedOn: '2014-09-19' }

  test('with a published configuration code names its device', () => {
    expect(hintedDeviceIds(readings)).toEqual(['apple-iphone-6-plus'])
    expect(matchBySerial(readings, [device])).toEqual({
      confidence: 60,
      deviceId: 'apple-iphone-6-plus',
      deviceName: 'iPhone 6 Plus',
    })
  })

  test('made before the device was on sale, or for a device outside the registry, names nothing', () => {
    const early = decodeSerial('FK1ST6G4G5QY', '2017-01-01').decodedSerials
    expect(matchBySerial(early, [{ ...device, releasedOn: '2017-01-01' }]).confidence).toBe(0)
    expect(matchBySerial(readings, []).confidence).toBe(0)
  })
})
