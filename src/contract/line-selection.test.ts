import { expect, test } from 'bun:test'
import { LINE_SELECTION, readLineSelection, writeLineSelection } from './line-selection.ts'

const selected = (text: string, most: number) => {
  const isSelected = readLineSelection(text)
  return Array.from({ length: most }, (_, at) => at + 1).filter(isSelected)
}

test('lines are written as ranges and read again', () => {
  expect(writeLineSelection([12, 4, 5, 6])).toBe('4-6,12')
  expect(selected('4-6,12', 20)).toEqual([4, 5, 6, 12])
})

test('every second of 10,000 lines fits into an address, and is read again', () => {
  const lines = Array.from({ length: 5_000 }, (_, at) => 2 * at + 1)
  const text = writeLineSelection(lines)
  expect(text.length).toBeLessThan(2_000)
  expect(text).toMatch(LINE_SELECTION)
  expect(selected(text, 10_001)).toEqual(lines)
})

test('any text of the pattern is read without an error', () => {
  for (const text of ['bits:A', 'bits:AAAAA', 'bits:-_-_', 'bits:QQ', 'bits:QR', '0', '9999999-1']) {
    expect(text).toMatch(LINE_SELECTION)
    expect(selected(text, 50).length).toBeLessThanOrEqual(50)
  }
})
