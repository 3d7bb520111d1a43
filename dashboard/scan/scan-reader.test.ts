import { expect, test } from 'bun:test'
import { type KeyReading, type KeyTarget, scanReader } from './scan-reader.ts'

const IMEI = '352099001761481'
const SCANNER_MS = 4
const PERSON_MS = 120

/** What the reader makes of keys that follow each other, each with its target. */
function press(keys: readonly (readonly [key: string, target: KeyTarget])[], gap: number, firstAt = 10_000) {
  const reader = scanReader(0)
  return keys.map(([key, target], index): KeyReading => reader.press({ key, target, at: firstAt + index * gap }))
}
const keysOf = (text: string, target: KeyTarget) => [...text].map((key) => [key, target] as const)
const scanOf = (readings: readonly KeyReading[]) => readings.findLast(({ scan }) => scan !== undefined)?.scan

test('what a scanner types outside of every field is a scan', () => {
  expect(scanOf(press([...keysOf(IMEI, 'page'), ['Enter', 'page']], SCANNER_MS))).toBe(IMEI)
})

test('what a person types is no scan', () => {
  expect(scanOf(press([...keysOf(IMEI, 'page'), ['Enter', 'page']], PERSON_MS))).toBeUndefined()
})

test('a scan is whole if a field gets the focus in the middle, and the field gets none of it', () => {
  const keys = [...keysOf(IMEI.slice(0, 6), 'page'), ...keysOf(IMEI.slice(6), 'field'), ['Enter', 'field'] as const]
  const readings = press(keys, SCANNER_MS)
  expect(scanOf(readings)).toBe(IMEI)
  expect(readings.slice(6).every(({ isTaken }) => isTaken)).toBe(true)
})

test('a scan into a field is the concern of the field', () => {
  const readings = press([...keysOf(IMEI, 'field'), ['Enter', 'field']], SCANNER_MS)
  expect(readings.every(({ isTaken, scan }) => !isTaken && scan === undefined)).toBe(true)
})

test('a scan whose field disappears is whole', () => {
  const keys = [...keysOf(IMEI.slice(0, 6), 'field'), ...keysOf(IMEI.slice(6), 'page'), ['Enter', 'page'] as const]
  expect(scanOf(press(keys, SCANNER_MS))).toBe(IMEI)
})

test('a scan whose first digit came before the page is reported as lost, not looked up', () => {
  const readings = press([...keysOf(IMEI.slice(1), 'page'), ['Enter', 'page']], SCANNER_MS, 20)
  expect(scanOf(readings)).toBeUndefined()
  expect(readings.at(-1)).toEqual({ isTaken: true, isLost: true })
  // Only its end may have arrived.
  expect(press([...keysOf('81', 'page'), ['Enter', 'page']], SCANNER_MS, 20).at(-1)?.isLost).toBe(true)
})

test('an IMEI that begins as soon as the page listens is whole if it has all digits', () => {
  expect(scanOf(press([...keysOf(IMEI, 'page'), ['Enter', 'page']], SCANNER_MS, 20))).toBe(IMEI)
})

test('a scan sends no form of a dialog and presses none of its buttons', () => {
  for (const target of ['form', 'dialog'] as const) {
    const [enter] = press([...keysOf(IMEI, target), ['Enter', target]], SCANNER_MS).slice(-1)
    expect(enter).toEqual({ isTaken: true })
    expect(press([...keysOf('Ada', target), ['Enter', target]], PERSON_MS).at(-1)).toEqual({})
  }
})

test('the Enter of a scanner on a slow connection is still its own, and that of a person is not', () => {
  const enterAfter = (text: string, gap: number) => {
    const reader = scanReader(0)
    for (const [index, key] of [...text].entries()) {
      reader.press({ key, target: 'form', at: 10_000 + index * SCANNER_MS })
    }
    return reader.press({ key: 'Enter', target: 'form', at: 10_000 + (text.length - 1) * SCANNER_MS + gap })
  }
  expect(enterAfter(IMEI, 300)).toEqual({ isTaken: true })
  expect(enterAfter(IMEI, 2_000)).toEqual({})
  expect(enterAfter('Ada', 300)).toEqual({})
})

test('capital letters, for which a scanner holds Shift, are part of a serial number', () => {
  const keys = [...'F17XK2ABCD'].flatMap((key) => [['Shift', 'page'] as const, [key, 'page'] as const])
  expect(scanOf(press([...keys, ['Enter', 'page']], SCANNER_MS))).toBe('F17XK2ABCD')
})

/** Types at the speed of a scanner, with a pause before one key. */
function withPause(text: string, before: number, pause: number): readonly KeyReading[] {
  const reader = scanReader(0)
  let at = 10_000
  const readings = [...text].map((key, index) => {
    at += index === before ? pause : SCANNER_MS
    return reader.press({ key, target: 'page', at })
  })
  return [...readings, reader.press({ key: 'Enter', target: 'page', at: at + SCANNER_MS })]
}

test('keys less than 300 ms apart belong to one scan', () => {
  for (const before of [4, 7, 12]) expect(scanOf(withPause(IMEI, before, 290))).toBe(IMEI)
})

test('the end of a scan that was cut is not taken for a code, and the person is told to scan again', () => {
  for (const before of [4, 7, 10]) {
    const readings = withPause(IMEI, before, 1_000)
    expect(scanOf(readings)).toBeUndefined()
    expect(readings.at(-1)).toEqual({ isTaken: true, isLost: true })
  }
})

test('a product barcode is a scan, because the page says what it is', () => {
  expect(scanOf(press([...keysOf('4006381333931', 'page'), ['Enter', 'page']], SCANNER_MS))).toBe('4006381333931')
})
