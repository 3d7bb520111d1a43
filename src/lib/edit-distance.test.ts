import { expect, test } from 'bun:test'
import { editDistance } from './edit-distance.ts'

for (const [a, b, errors] of [
  ['search', 'search', 0],
  ['serach', 'search', 1],
  ['seach', 'search', 1],
  ['searchh', 'search', 1],
  ['saerhc', 'search', 2],
  ['', 'abc', 3],
  ['kitten', 'sitting', 3],
] as const) {
  test(`"${a}" is ${errors} typing errors away from "${b}", and vice versa`, () => {
    expect(editDistance(a, b, 5)).toBe(errors)
    expect(editDistance(b, a, 5)).toBe(errors)
  })
}

test('a distance over the limit is the limit plus one', () => {
  expect(editDistance('kitten', 'sitting', 2)).toBe(3)
  expect(editDistance('a', 'abcdefgh', 2)).toBe(3)
  expect(editDistance('aaaaaaaaaa', 'bbbbbbbbbb', 4)).toBe(5)
})
