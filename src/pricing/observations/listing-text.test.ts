import { expect, test } from 'bun:test'
import { readListingText } from './listing-text.ts'

for (const [text, grade] of [
  ['iPhone 13 128GB like new, boxed', 'Excellent'],
  ['iPhone 13 128GB kao nov', 'Excellent'],
  ['아이폰13미니 128스타라이트 S급', 'Excellent'],
  ['아이폰13 128 A급 팝니다', 'Good'],
  ['아이폰13 b급', 'Fair'],
  ['(미개봉 새상품) 아이폰 13미니 128기가', 'New'],
  ['아이폰13 미개봉급 128', 'Excellent'],
  ['아이폰13 128 후면파손', 'Poor'],
  ['아이폰13 128 고장', 'broken'],
  ['아이폰13 128 파손없음', undefined],
  ['아이폰13 무파손 128', undefined],
  ['iPhone 13 sealed in box', 'New'],
  ['iPhone 13 neu OVP', 'New'],
  ['iPhone 13 brand new battery', undefined],
  ['iPhone 13 good condition, cracked screen', 'Poor'],
  ['iPhone 13 not working, for parts', 'broken'],
  ["iPhone 13 doesn't turn on", 'dead'],
  ['iPhone 13 no power', 'dead'],
  ['iPhone 13 ne radi', 'broken'],
  ['iPhone 13 be defektų, puiki būklė', 'Excellent'],
  ['iPhone 13 not broken', undefined],
  ['iPhone 13 ohne Defekt', undefined],
  ['iPhone 13 su defektais', 'damaged'],
  ['iPhone 13 iCloud locked', 'locked'],
  ['iPhone 13 mint green 128GB', undefined],
  ['Nothing Phone (2) 256GB new', undefined],
  ['', undefined],
] as const) {
  test(`"${text}" says ${grade ?? 'nothing of the condition'}`, () => {
    expect(readListingText(text).condition?.grade).toBe(grade as never)
  })
}

test('faults are taken out of a title', () => {
  expect(readListingText('iPhone 13 128GB cracked screen').withoutFaults?.trim()).toBe('iPhone 13 128GB')
  expect(readListingText('iPhone 13 128GB').withoutFaults).toBeNull()
})

test('battery health and lock are found in descriptions', () => {
  expect(readListingText('Akku bei 87 %, Kratzer').battery).toBe(87)
  expect(readListingText('Battery health: 79%').battery).toBe(79)
  expect(readListingText('91% battery, boxed').battery).toBe(91)
  expect(readListingText('배터리효율 88%').battery).toBe(88)
  expect(readListingText('100% original, 20% off').battery).toBeNull()
  expect(readListingText('Factory unlocked, any network').isUnlocked).toBe(true)
  expect(readListingText('ist in gutem Zustand').isUnlocked).toBe(false)
})
