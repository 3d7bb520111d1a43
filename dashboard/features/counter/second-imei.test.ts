import { expect, test } from 'bun:test'
import { isOfLookup, mayBeSecondImei } from './second-imei.ts'

const looked = (identifier: string, device: string | null = null, second?: string) => ({
  identifier,
  ...(second ? { second_identifier: second } : {}),
  device_match: {
    confidence: 90,
    matched_device_id: device,
    matched_device_name: device,
    matched_variant_id: null,
    matched_variant_name: null,
  },
})

const FIRST = '352099001761481'
const SAME_TAC = '352099001761499'
const OTHER_TAC = '490154203237518'

test('a second IMEI of the same TAC or model may belong to the same phone', () => {
  expect(mayBeSecondImei(looked(FIRST), looked(SAME_TAC))).toBe(true)
  expect(mayBeSecondImei(looked(FIRST, 'galaxy-s21'), looked(OTHER_TAC, 'galaxy-s21'))).toBe(true)
})

test('an IMEI of another or an unknown model is the next phone', () => {
  expect(mayBeSecondImei(looked(FIRST, 'galaxy-s21'), looked(OTHER_TAC, 'pixel-8'))).toBe(false)
  expect(mayBeSecondImei(looked(FIRST), looked(OTHER_TAC))).toBe(false)
})

test('a phone has at most two IMEIs, and a serial number is not the second', () => {
  expect(mayBeSecondImei(looked(FIRST, null, OTHER_TAC), looked(SAME_TAC))).toBe(false)
  expect(mayBeSecondImei(looked(FIRST, 'iphone-13'), looked('F17XK2ABCD', 'iphone-13'))).toBe(false)
})

test('scanning the same phone again is recognised, whichever of its IMEIs and however written', () => {
  expect(isOfLookup(looked('35-209900-176148-1'), FIRST)).toBe(true)
  expect(isOfLookup(looked(FIRST, null, SAME_TAC), SAME_TAC)).toBe(true)
  expect(isOfLookup(looked(FIRST), SAME_TAC)).toBe(false)
})
