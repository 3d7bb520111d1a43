import { expect, test } from 'bun:test'
import { GRADE_WORDS, parseCondition, parseGrade } from './grade-words.ts'

for (const [word, grade] of [
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
  test(`"${word}" is read as ${grade}`, () => {
    expect(parseGrade(word)?.grade).toBe(grade)
  })
}

// A Poor device powers on and can be identified; the price of a defective device is no evidence for it.
for (const [word, state] of [
  ['damaged', 'damaged'],
  ['broken', 'broken'],
  ['noPower', 'dead'],
  ['no power', 'dead'],
  ['For parts or not working', 'broken'],
  ['Parts Only', 'broken'],
  ['damaged board', 'broken'],
  ['iCloud locked', 'locked'],
  ['defekt', 'broken'],
  ['für Bastler', 'broken'],
  ['pour pièces', 'broken'],
  ['no funciona', 'broken'],
  ['uszkodzony', 'damaged'],
  ['neispravno', 'broken'],
  ['su defektais', 'damaged'],
  ['neįsijungia', 'dead'],
  ['virker ikke', 'broken'],
  ['고장', 'broken'],
  ['파손', 'damaged'],
  ['Hỏng', 'broken'],
] as const) {
  test(`"${word}" is ${state}, not a grade of a working device`, () => {
    expect(parseCondition(word)?.grade).toBe(state)
    expect(parseGrade(word)).toBeUndefined()
  })
}

for (const word of ['미개봉', 'BNIB', 'neu OVP', 'sealed', 'Uåbnet', 'neišpakuotas', 'nuevo precintado']) {
  test(`"${word}" is new, never a used grade`, () => expect(parseGrade(word)?.grade).toBe('New'))
}

for (const [word, grade] of [
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
  ['Refurbished - Good', 'Good'],
  ['Refurbished – Excellent', 'Excellent'],
  ['Used: Very Good', 'Good'],
  ['UsedLikeNew', 'Excellent'],
  ['Pre-owned - Good', 'Good'],
  ['Used - Like New', 'Excellent'],
  ['Used - Acceptable', 'Fair'],
  ['Renewed Premium', 'Excellent'],
  ['Gebraucht: Sehr gut', 'Good'],
  ['flawless', 'Excellent'],
  ['Premium', 'Excellent'],
  ['S급', 'Excellent'],
  ['A급', 'Good'],
  ['B급', 'Fair'],
  ['Som ny', 'Excellent'],
  ['God men brugt', 'Good'],
  ['Tydelige brugsspor', 'Fair'],
  ['Idealios būklės', 'Excellent'],
  ['Su naudojimo žymėmis', 'Fair'],
  ['Klasa A', 'Excellent'],
  ['Klasse B', 'Good'],
  ['Reacondicionado B', 'Good'],
  ['B-C', 'Fair'],
  ['Muito bom', 'Good'],
  ['Ótimo estado', 'Excellent'],
  ['Zeer goed', 'Good'],
  ['Mycket bra skick', 'Good'],
  ['Erinomainen', 'Excellent'],
  ['Foarte bună', 'Good'],
  ['Újszerű', 'Excellent'],
  ['Çok iyi', 'Good'],
  ['Отличное состояние', 'Excellent'],
  ['б/у', 'Ungraded'],
  ['良品', 'Good'],
  ['未使用に近い', 'Excellent'],
  ['九成新', 'Good'],
  ['جيد جدًا', 'Good'],
] as const) {
  test(`"${word}" is read as ${grade}`, () => expect(parseGrade(word)?.grade).toBe(grade))
}

test('no word means two grades in two languages', () => {
  const seen = new Map<string, string>()
  for (const [language, words] of Object.entries(GRADE_WORDS)) {
    for (const [grade, some] of Object.entries(words)) {
      for (const word of some) {
        expect([word, language, seen.get(word) ?? grade]).toEqual([word, language, grade])
        seen.set(word, grade)
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
