import { expect, test } from 'bun:test'
import { GRADE_WORD_TRANSLATIONS } from './grade-word-translations.ts'
import { isUngradable, parseGrade } from './grade-words.ts'

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
    expect(parseGrade(word)?.grade).toBe(rung)
  })
}

// Poor powers on and can be identified; the price of a heap of parts says nothing of it.
for (const word of ['For parts or not working', 'Parts Only', 'not working', 'damaged board', 'iCloud locked']) {
  test(`"${word}" is in no grade`, () => {
    expect(parseGrade(word)).toBeUndefined()
    expect(isUngradable(word)).toBe(true)
  })
}

for (const [word, rung] of [
  ['wie neu', 'Excellent'],
  ['Sehr gut', 'Good'],
  ['Gebraucht', 'Ungraded'],
  ['Très bon état', 'Good'],
  ['État correct', 'Fair'],
  ["D'occasion", 'Ungraded'],
  ['Como nuevo', 'Excellent'],
  ['Ottime condizioni', 'Excellent'],
  ['Bardzo dobry', 'Good'],
  ['Używany', 'Ungraded'],
  ['rabljeno', 'Ungraded'],
  ['Kao novo', 'Excellent'],
  ['Labai gera būklė', 'Good'],
  ['Naudotas', 'Ungraded'],
  ['거의 새것', 'Excellent'],
  ['중고', 'Ungraded'],
  ['Đẹp', 'Good'],
  ['Cũ', 'Ungraded'],
  ['Pęknięty ekran', 'Poor'],
] as const) {
  test(`"${word}" is read as ${rung}`, () => expect(parseGrade(word)?.grade).toBe(rung))
}

for (const word of [
  'defekt',
  'für Bastler',
  'pour pièces',
  'no funciona',
  'uszkodzony',
  'neispravno',
  '고장',
  'Hỏng',
]) {
  test(`"${word}" is in no grade`, () => {
    expect(parseGrade(word)).toBeUndefined()
    expect(isUngradable(word)).toBe(true)
  })
}

test('no word means two grades in two languages', () => {
  const seen = new Map<string, string>()
  for (const [language, words] of Object.entries(GRADE_WORD_TRANSLATIONS)) {
    for (const [rung, some] of Object.entries(words)) {
      for (const word of some) {
        expect([word, language, seen.get(word) ?? rung]).toEqual([word, language, rung])
        seen.set(word, rung)
      }
    }
  }
})

test('a word that names no grade is not guessed', () => {
  expect(parseGrade('sparkling')).toBeUndefined()
  expect(parseGrade('')).toBeUndefined()
  expect(parseGrade('constructor')).toBeUndefined()
  expect(parseGrade('__proto__')).toBeUndefined()
})
