import { expect, test } from 'bun:test'
import { checkTypedImei, parseIdentifierList } from './typed-imei.ts'

test('the last digit is checked as soon as it is typed', () => {
  expect(checkTypedImei('49 015420 323751 8')).toEqual({ state: 'right' })
  expect(checkTypedImei('490154203237517')).toEqual({ state: 'mistyped' })
  expect(checkTypedImei('IMEI: 490154203237518')).toEqual({ state: 'right' })
})

test('fourteen digits are completed, fewer are counted', () => {
  expect(checkTypedImei('49015420323751')).toEqual({ state: 'without_check_digit', whole: '490154203237518' })
  expect(checkTypedImei('49015420')).toEqual({ state: 'short', missing: 7 })
})

test('a serial number or a short input gets no hint', () => {
  for (const text of ['', '4901', 'F2LXK0ABJC6C', '12345678901234567']) {
    expect(checkTypedImei(text)).toEqual({ state: 'nothing' })
  }
})

test('a pasted list is split at lines, commas and tabs, without repeats', () => {
  expect(parseIdentifierList(' 490154203237518\n\n490154203237518, F2LXK0ABJC6C\tA1000012345678 ')).toEqual([
    { identifier: '490154203237518' },
    { identifier: 'F2LXK0ABJC6C' },
    { identifier: 'A1000012345678' },
  ])
})

test('a line of a table names the model of its IMEI', () => {
  const text = '490154203237518\tApple\tiPhone 13\t128GB\tF2LXK0ABJC6C\n356938035643809,A52'
  expect(parseIdentifierList(text)).toEqual([
    { identifier: '490154203237518', model: 'Apple iPhone 13 128GB' },
    { identifier: 'F2LXK0ABJC6C' },
    { identifier: '356938035643809', model: 'A52' },
  ])
})
