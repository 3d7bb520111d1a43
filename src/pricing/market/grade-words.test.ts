import { expect, test } from 'bun:test'
import { readGrade } from './grade-words.ts'

for (const [word, rung] of [
  ['Mint', 'Excellent'],
  ['Open Box', 'Excellent'],
  ['Excellent - Refurbished', 'Excellent'],
  ['Grade A', 'Excellent'],
  ['A', 'Excellent'],
  ['very good', 'Good'],
  ['Very Good - Refurbished', 'Good'],
  ['Pre-Owned', 'Good'],
  ['pre_owned', 'Good'],
  ['B+', 'Good'],
  ['C', 'Fair'],
  ['acceptable', 'Fair'],
  ['For parts or not working', 'Poor'],
  ['Parts Only', 'Poor'],
  ['D', 'Poor'],
  ['New (Resale)', 'New'],
  ['Brand New', 'New'],
] as const) {
  test(`"${word}" is read as ${rung}`, () => {
    expect(readGrade(word)?.rung).toBe(rung)
  })
}

test('a word that names no grade is not guessed', () => {
  expect(readGrade('sparkling')).toBeUndefined()
  expect(readGrade('')).toBeUndefined()
  expect(readGrade('constructor')).toBeUndefined()
  expect(readGrade('__proto__')).toBeUndefined()
})
