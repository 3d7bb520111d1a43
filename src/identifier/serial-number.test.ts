import { expect, test } from 'bun:test'
import { decodeAppleSerial } from './apple-serial.ts'
import { decodeSamsungSerial } from './samsung-serial.ts'
import { decodeSerial, describeDecodedSerial } from './serial-number.ts'

const TODAY = '2026-11-15'

for (const [serial, plant, madeOn, unit, configuration] of [
  ['C8QH6T96DPNG', 'C8Q', '2012-02-05', 31_524, 'DPNG'],
  ['F2TK4TZ7DTWF', 'F2T', '2013-01-22', 32_341, 'DTWF'],
  ['FK1ST6G4G5QY', 'FK1', '2016-12-02', 7_484, 'G5QY'],
  ['5K31926NDZZ', '5K', '2003-05-07', 2_538, 'DZZ'],
] as const) {
  test(`${serial} was made in plant ${plant} on ${madeOn}`, () => {
    const reading = decodeAppleSerial(serial, TODAY)
    expect(reading).toMatchObject({ make: 'Apple', plant, configuration })
    expect(reading?.manufacturedOn[0]).toBe(madeOn)
    expect(reading?.unitNumber).toBe(unit)
  })
}

test('a half-year letter means two decades unless the later one is in the future', () => {
  expect(decodeAppleSerial('C8QH6T96DPNG', TODAY)?.manufacturedOn).toEqual(['2012-02-05', '2022-02-05'])
  expect(decodeAppleSerial('C8QH6T96DPNG', '2020-01-01')?.manufacturedOn).toEqual(['2012-02-05'])
})

test('thirteen characters, the letters I and O and impossible weeks are not an Apple serial number', () => {
  expect(decodeAppleSerial('XXBADSERIALXX', TODAY)).toBeNull()
  expect(decodeAppleSerial('C8QH6T9ODPNG', TODAY)).toBeNull()
  expect(decodeAppleSerial('C8QA6T96DPNG', TODAY)).toBeNull()
  expect(decodeAppleSerial('5K35426NDZZ', TODAY)).toBeNull()
})

test('a Samsung serial number contains year and month', () => {
  expect(decodeSamsungSerial('R38K503SRVD', TODAY)?.manufacturedOn).toEqual(['2018-05'])
  expect(decodeSamsungSerial('R38Y503SRVD', TODAY)?.manufacturedOn).toEqual(['2005-05', '2025-05'])
  expect(decodeSamsungSerial('R38KD03SRVD', TODAY)).toBeNull()
})

test('randomised serial numbers give the reason why they cannot be decoded', () => {
  expect(decodeSerial('H7K2QX9VWM', TODAY)).toEqual({ decodedSerials: [], undecodedReason: 'randomised_serial' })
  expect(decodeSerial('XXBADSERIALXX', TODAY).undecodedReason).toBe('randomised_serial')
  expect(decodeSerial('ABCDEFGHJKLMNPQRST', TODAY).undecodedReason).toBe('unknown_layout')
  expect(decodeSerial('C8QH6T96DPNG', TODAY).undecodedReason).toBeNull()
})

test('a Dell service tag is decoded to its express service code', () => {
  const [decoded] = decodeSerial('5B2M3Y2', TODAY).decodedSerials
  expect(decoded).toMatchObject({ make: 'Dell', unitNumber: 11553430394 })
  expect(decoded && describeDecodedSerial(decoded)).toContain('express service code 11553430394')
})
