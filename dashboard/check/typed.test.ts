import { expect, test } from 'bun:test'
import { identifiersIn, readTyped } from './typed.ts'

test('the last digit is checked as soon as it stands there', () => {
  expect(readTyped('49 015420 323751 8')).toEqual({ state: 'right' })
  expect(readTyped('490154203237517')).toEqual({ state: 'mistyped' })
  expect(readTyped('IMEI: 490154203237518')).toEqual({ state: 'right' })
})

test('fourteen digits are completed, fewer are counted', () => {
  expect(readTyped('49015420323751')).toEqual({ state: 'without_check_digit', whole: '490154203237518' })
  expect(readTyped('49015420')).toEqual({ state: 'short', missing: 7 })
})

test('a serial number, or too little, is not spoken of', () => {
  for (const text of ['', '4901', 'F2LXK0ABJC6C', '12345678901234567']) {
    expect(readTyped(text)).toEqual({ state: 'nothing' })
  }
})

test('a pasted list is taken apart by lines, commas and tabs, without repeats', () => {
  expect(identifiersIn(' 490154203237518\n\n490154203237518, F2LXK0ABJC6C\tA1000012345678 ')).toEqual([
    '490154203237518',
    'F2LXK0ABJC6C',
    'A1000012345678',
  ])
})
