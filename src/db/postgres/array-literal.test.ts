import { expect, test } from 'bun:test'
import { toArrayLiteral } from './array-literal.ts'

test('numbers are unchanged; NaN becomes NULL', () => {
  expect(toArrayLiteral(Int32Array.of(1, -2, 0))).toBe('{1,-2,0}')
  expect(toArrayLiteral(Float64Array.of(1.5, Number.NaN, 1_780_000_000_000))).toBe('{1.5,NULL,1780000000000}')
  expect(toArrayLiteral([1, null])).toBe('{1,NULL}')
  expect(toArrayLiteral([])).toBe('{}')
})

test('escapes quotes, backslashes, commas, braces, the word NULL and the empty string', () => {
  expect(toArrayLiteral(['a"b', 'c\\d', 'e,f', '{g}', 'NULL', '', ' h ', 'line\nend', 'é名'])).toBe(
    '{"a\\"b","c\\\\d","e,f","{g}","NULL",""," h ","line\nend","é名"}',
  )
})

test('NUL, which PostgreSQL cannot store, is dropped', () => {
  expect(toArrayLiteral(['a\0b', null])).toBe('{"ab",NULL}')
})
