import { expect, test } from 'bun:test'
import { foldTitle, GAP, MAX_TITLE_CHARS, tokenize } from './tokens.ts'

const pieces = (text: string) => tokenize(foldTitle(text)).map((token) => token.text)

test('letters and digits are split, so that joined and separate spellings agree', () => {
  expect(pieces('iPhone13ProMax')).toEqual(['iphone', '13', 'promax'])
  expect(pieces('Galaxy S 23')).toEqual(pieces('galaxy s23'))
  expect(pieces('WH-1000XM4')).toEqual(['wh', '1000', 'xm', '4'])
  expect(pieces('갤럭시S23울트라')).toEqual(['갤럭시', 's', '23', '울트라'])
})

test('meaningful symbols are tokens, all others only separate', () => {
  expect(pieces('S23+ (98%) & 13″')).toEqual(['s', '23', '+', '98', '%', '&', '13', '"'])
  expect(pieces('iPhone™ 13 🔥 mini')).toEqual(['iphone', '13', 'mini'])
})

test('one decimal point belongs to a number, the dots of a date do not', () => {
  expect(pieces('12.9 inch')).toEqual(['12.9', 'inch'])
  expect(pieces('27.12.2023')).toEqual(['27', '12', '2023'])
})

test('accents and full-width letters are normalized', () => {
  expect(pieces('Débloqué žuti Điện ｉＰｈｏｎｅ')).toEqual(['debloque', 'zuti', 'dien', 'iphone'])
})

test('each token records the gap before it', () => {
  const gaps = tokenize(foldTitle('iphone13 pro/max - x-t')).map((token) => token.gap)
  expect(gaps).toEqual([GAP.blank, GAP.none, GAP.blank, GAP.list, GAP.other, GAP.joint])
})

test('a long title is truncated first', () => {
  expect(foldTitle('a'.repeat(5000))).toHaveLength(MAX_TITLE_CHARS)
})
