import { expect, test } from 'bun:test'
import { memoize } from './memoize.ts'

test('a thing is made once, also when nothing comes of it, and forgotten when there are too many', () => {
  const made: string[] = []
  const lengthOf = memoize(2, (text: string) => {
    made.push(text)
    return text.length > 0 ? text.length : undefined
  })
  expect([lengthOf('ab'), lengthOf('ab'), lengthOf(''), lengthOf('')]).toEqual([2, 2, undefined, undefined])
  expect(made).toEqual(['ab', ''])
  expect([lengthOf('abc'), lengthOf('ab'), lengthOf('abc')]).toEqual([3, 2, 3])
  expect(made).toEqual(['ab', '', 'abc', 'ab'])
})
