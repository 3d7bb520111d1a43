import { expect, test } from 'bun:test'
import { memoize } from './memoize.ts'

test('a value is computed once, also if it is undefined, and the cache is cleared when it is full', () => {
  const computed: string[] = []
  const lengthOf = memoize(2, (text: string) => {
    computed.push(text)
    return text.length > 0 ? text.length : undefined
  })
  expect([lengthOf('ab'), lengthOf('ab'), lengthOf(''), lengthOf('')]).toEqual([2, 2, undefined, undefined])
  expect(computed).toEqual(['ab', ''])
  expect([lengthOf('abc'), lengthOf('ab'), lengthOf('abc')]).toEqual([3, 2, 3])
  expect(computed).toEqual(['ab', '', 'abc', 'ab'])
})
