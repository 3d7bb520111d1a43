import { expect, test } from 'bun:test'
import { arrayLiteral } from './array-literal.ts'

test('numbers stand as they are, and what is no number is null', () => {
  expect(arrayLiteral(Int32Array.of(1, -2, 0))).toBe('{1,-2,0}')
  expect(arrayLiteral(Float64Array.of(1.5, Number.NaN, 1_780_000_000_000))).toBe('{1.5,NULL,1780000000000}')
  expect(arrayLiteral([1, null])).toBe('{1,NULL}')
  expect(arrayLiteral([])).toBe('{}')
})

test('a text is itself, whatever it holds: quotes, backslashes, commas, braces, the word NULL, nothing at all', () => {
  expect(arrayLiteral(['a"b', 'c\\d', 'e,f', '{g}', 'NULL', '', ' h ', 'line\nend', 'é名'])).toBe(
    '{"a\\"b","c\\\\d","e,f","{g}","NULL",""," h ","line\nend","é名"}',
  )
})

test('NUL, which PostgreSQL cannot store, is dropped', () => {
  expect(arrayLiteral(['a\0b', null])).toBe('{"ab",NULL}')
})
