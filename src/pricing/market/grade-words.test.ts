import { expect, test } from 'bun:test'
import { isKeptApart, readGrade } from './grade-words.ts'

for (const [word, rung] of [
  ['Mint', 'Excellent'],
  ['Open Box', 'Excellent'],
  ['Excellent - Refurbished', 'Excellent'],
  ['Grade A', 'Excellent'],
  ['A', 'Excellent'],
  ['very good', 'Good'],
  ['Very Good - Refurbished', 'Good'],
  ['Pre-Owned', 'Ungraded'],
  ['pre_owned', 'Ungraded'],
  ['used', 'Ungraded'],
  ['B+', 'Good'],
  ['C', 'Fair'],
  ['acceptable', 'Fair'],
  ['cracked screen', 'Poor'],
  ['D', 'Poor'],
  ['New (Resale)', 'New'],
  ['Brand New', 'New'],
] as const) {
  test(`"${word}" is read as ${rung}`, () => {
    expect(readGrade(word)?.rung).toBe(rung)
  })
}

// Poor powers on and can be identified; the price of a heap of parts says nothing of it.
for (const word of ['For parts or not working', 'Parts Only', 'not working', 'damaged board', 'iCloud locked']) {
  test(`"${word}" is in no grade`, () => {
    expect(readGrade(word)).toBeUndefined()
    expect(isKeptApart(word)).toBe(true)
  })
}

test('a word that names no grade is not guessed', () => {
  expect(readGrade('sparkling')).toBeUndefined()
  expect(readGrade('')).toBeUndefined()
  expect(readGrade('constructor')).toBeUndefined()
  expect(readGrade('__proto__')).toBeUndefined()
})
