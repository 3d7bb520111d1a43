import { expect, test } from 'bun:test'
import { normalizeMake, resolveMake } from './makes.ts'

for (const [brand, make] of [
  ['samsung', 'Samsung'],
  ['Samsung Electronics Co., Ltd.', 'Samsung'],
  ['LGE', 'LG'],
  ['LG_Electronics', 'LG'],
  ['TCT (Alcatel)', 'Alcatel'],
  ['OPPO', 'OPPO'],
  ['Oppo', 'OPPO'],
  ['VIVO', 'vivo'],
  ['google', 'Google'],
  ['Kruger_Matz', 'Kruger&Matz'],
  ['onn.', 'Onn'],
  ['Honor', 'Honor'],
  ['Some_New Brand', 'Some New Brand'],
] as const) {
  test(`${brand} is the make ${make}`, () => expect(resolveMake(brand)).toEqual({ make, line: null }))
}

for (const [brand, make, line] of [
  ['Redmi', 'Xiaomi', 'Redmi'],
  ['POCO', 'Xiaomi', 'POCO'],
  ['iQOO', 'vivo', 'iQOO'],
  ['CMF by Nothing', 'Nothing', 'CMF'],
] as const) {
  test(`${brand} is a line of ${make}`, () => expect(resolveMake(brand)).toEqual({ make, line }))
}

test('the registry decides how an unlisted make is spelt', () => {
  expect(resolveMake('ALLNET', (key) => (key === 'allnet' ? 'Allnet' : undefined)).make).toBe('Allnet')
})

test('makes that differ by more than punctuation stay apart', () => {
  expect(normalizeMake('Smart')).not.toBe(normalizeMake('SMART +'))
  expect(normalizeMake('小米')).toBe('小米')
})
