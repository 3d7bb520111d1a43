import { expect, test } from 'bun:test'
import { batteryPercent, lockInText, readListingText, storageSizes, withoutDefects } from './listing-text.ts'

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

for (const text of [
  'Perku iPhone 13',
  'Nupirksiu iPhone',
  '아이폰13 사고싶어요',
  'WTB: iPhone 13 128GB',
  'kupim iphone 12',
  'iPhone 13 købes',
]) {
  test(`"${text}" is a wanted ad`, () => expect(readListingText(text).isWanted).toBe(true))
}

test('words for defects are taken out of a title, negated ones too', () => {
  expect(withoutDefects('iPhone 13 128GB for parts')?.text.trim()).toBe('iphone 13 128gb')
  expect(withoutDefects('아이폰 13 고장 128기가')?.text.replace(/\s+/g, ' ')).toBe('아이폰 13 128기가')
  expect(withoutDefects('iPhone 13 128GB')).toBeUndefined()
})

test('battery health, lock and storage are found in descriptions', () => {
  expect(batteryPercent('Akku bei 87 %, Kratzer')).toBe(87)
  expect(batteryPercent('Battery health: 79%')).toBe(79)
  expect(batteryPercent('91% battery, boxed')).toBe(91)
  expect(batteryPercent('배터리효율 88%')).toBe(88)
  expect(batteryPercent('100% original, 20% off')).toBeUndefined()
  expect(lockInText('Factory unlocked, any network')).toBe('unlocked')
  expect(lockInText('ist in gutem Zustand')).toBe('')
  expect(storageSizes('Atmintis: 128 GB, RAM 8GB')).toEqual(['128GB'])
  expect(storageSizes('64 or 128GB, 1TB too')).toEqual(['128GB', '1TB'])
  expect(storageSizes('version 13, 256기가')).toEqual(['256GB'])
})
