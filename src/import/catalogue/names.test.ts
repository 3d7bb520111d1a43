import { expect, test } from 'bun:test'
import { parseReleaseDate } from '../../catalog/release-date.ts'
import { cleanText, isLatin, normalizeName, normalizeNameWithoutNetwork, withLine, withoutRadio } from './names.ts'

for (const [written, tidy] of [
  ["9.4\\'\\' FFF", '9.4" FFF'],
  ['Xperia™  C4 ', 'Xperia C4'],
  ['MI  PLAY', 'MI PLAY'],
  ['Galaxy S21+ 5G', 'Galaxy S21+ 5G'],
] as const) {
  test(`${JSON.stringify(written)} is normalised`, () => expect(cleanText(written)).toBe(tidy))
}

for (const [written, folded] of [
  ['iPhone 5 (GSM)', 'iPhone 5'],
  ['iPhone 7 Plus (CDMA)', 'iPhone 7 Plus'],
  ['Xperia M dual', 'Xperia M'],
  ['Desire 816G dual sim', 'Desire 816G'],
  ['Galaxy Tab S9 5G', 'Galaxy Tab S9'],
  ['Galaxy Tab A7 Lite LTE', 'Galaxy Tab A7 Lite'],
  ['Redmi Pad 2 4G', 'Redmi Pad 2'],
  ['MEGA 2 WIFI', 'MEGA 2'],
  ['iPad Air (Wi-Fi + Cellular)', 'iPad Air'],
  // Not radio versions of one device: makers sell these as separate models.
  ['Galaxy A16 5G', 'Galaxy A16 5G'],
  ['Galaxy S2 LTE', 'Galaxy S2 LTE'],
  ['Galaxy S Duos', 'Galaxy S Duos'],
  ['Dual', 'Dual'],
  ['Moto G (5)', 'Moto G (5)'],
] as const) {
  test(`${written} is the device ${folded}`, () => expect(withoutRadio(written)).toBe(folded))
}

test('the line is not repeated in the name', () => {
  expect(withLine('K30 Pro', 'Redmi')).toBe('Redmi K30 Pro')
  expect(withLine('REDMI Note 15', 'Redmi')).toBe('REDMI Note 15')
  expect(withLine('RED MAGIC 5G', 'REDMAGIC')).toBe('RED MAGIC 5G')
  expect(withLine('Xiaomi 15', null)).toBe('Xiaomi 15')
})

test('spellings of one name have the same key', () => {
  expect(normalizeName('Samsung', 'Galaxy S10+')).toBe(normalizeName('Samsung', 'galaxy S10 Plus'))
  expect(normalizeName('LG', 'LG K4')).toBe(normalizeName('LG', 'K4'))
  expect(normalizeNameWithoutNetwork('Samsung', 'Galaxy S21 5G')).toBe('galaxy-s21')
})

test('names in another script are distinguished by their letters', () => {
  expect(isLatin('Café 5″')).toBe(true)
  expect(isLatin('荣耀X70')).toBe(false)
  expect(normalizeName('Huawei', '华为畅享 8')).not.toBe(normalizeName('Huawei', '荣耀 8'))
})

test('a release date keeps its precision', () => {
  expect(parseReleaseDate('2016-04')).toEqual({ day: '2016-04-01', precision: 'month' })
  expect(parseReleaseDate('2018-5-15')).toEqual({ day: '2018-05-15', precision: 'day' })
  expect(parseReleaseDate('2019')).toEqual({ day: '2019-01-01', precision: 'year' })
  expect(parseReleaseDate('2019-02-30')).toBeNull()
  expect(parseReleaseDate('soon')).toBeNull()
})
