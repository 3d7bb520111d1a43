import { expect, test } from 'bun:test'
import { chooseCode } from './scanned-codes.ts'

const IMEI = '352099001761481'
const SECOND_IMEI = '490154203237518'
const SERIAL = 'F17XK2ABCD'
const EAN = '0194252707388'

test('the valid IMEI of a box label takes precedence over its serial number and product code', () => {
  expect(chooseCode([EAN, SERIAL, IMEI]).imei).toBe(IMEI)
})

test('fifteen digits with a wrong check digit are not an IMEI', () => {
  expect(chooseCode(['352099001761482'])).toEqual({ imei: null, choices: ['352099001761482'] })
})

test('two IMEIs of a dual-SIM device are offered as a choice', () => {
  expect(chooseCode([SERIAL, IMEI, SECOND_IMEI])).toEqual({ imei: null, choices: [IMEI, SECOND_IMEI] })
})

test('without an IMEI every code is offered once', () => {
  expect(chooseCode([SERIAL, EAN, ` ${SERIAL} `])).toEqual({ imei: null, choices: [SERIAL, EAN] })
})

test('an IMEI is found in the text of a QR code, but not inside a longer number', () => {
  expect(chooseCode([`IMEI1:${IMEI};SN:${SERIAL}`]).imei).toBe(IMEI)
  expect(chooseCode([`8901${IMEI}`]).imei).toBeNull()
})

test('without a code there is no result', () => {
  expect(chooseCode(['', ' '])).toEqual({ imei: null, choices: [] })
})
