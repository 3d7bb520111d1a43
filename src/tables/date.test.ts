import { expect, test } from 'bun:test'
import { isoInstant } from '../lib/time.ts'
import { type DateOrder, orderOfDates, parseDate } from './date.ts'

const read = (text: string, order?: DateOrder) => {
  const at = parseDate(text, order)
  return at === undefined ? undefined : isoInstant(at)
}
const DAY = '2023-12-27T00:00:00.000Z'

for (const text of [
  '2023-12-27',
  '27.12.2023.',
  '27.12.2023',
  '12/27/2023',
  '27/12/2023',
  '27-12-2023',
  '2023/12/27',
  'Dec 27, 2023',
  'December 27 2023',
  '27 Dec 2023',
  '27th December, 2023',
  '27-Dec-2023',
  '27-Dec-23',
  'Dec-27-23',
  '27. Dezember 2023',
  '27 déc. 2023',
  '27 grudnia 2023',
  '27 de diciembre de 2023 14:05',
  '2023年12月27日',
  '2023. 12. 27.',
  '12/27/23',
  '27.12.2023. 18:05',
  '45287',
  '45287.75',
]) {
  test(`"${text}" is the 27th of December 2023`, () => expect(read(text)).toBe(DAY))
}

test('instants and epochs keep their time', () => {
  expect(read('2023-12-27T10:30:00Z')).toBe('2023-12-27T10:30:00.000Z')
  expect(read('2023-12-27 10:30')).toBe('2023-12-27T10:30:00.000Z')
  expect(read('1703673000')).toBe('2023-12-27T10:30:00.000Z')
  expect(read('1703673000000')).toBe('2023-12-27T10:30:00.000Z')
})

test('an ambiguous date is parsed only with an explicit order', () => {
  expect(read('03/04/2024')).toBeUndefined()
  expect(read('03/04/2024', 'dmy')).toBe('2024-04-03T00:00:00.000Z')
  expect(read('03/04/2024', 'mdy')).toBe('2024-03-04T00:00:00.000Z')
  expect(read('04/04/2024')).toBe('2024-04-04T00:00:00.000Z')
})

test('a year of two digits is read only where one order gives a year of these lists', () => {
  expect(read('03/11/26')).toBeUndefined()
  expect(read('03/11/26', 'mdy')).toBe('2026-03-11T00:00:00.000Z')
  expect(read('24/11/23')).toBeUndefined()
  expect(read('26/11/08', 'ymd')).toBe('2026-11-08T00:00:00.000Z')
  expect(read('27.12.23')).toBeUndefined()
  expect(orderOfDates(['27.12.23'], Date.UTC(2026, 10, 18))).toBe('dmy')
  expect(orderOfDates(['26/11/08', '26/11/13'], Date.UTC(2026, 10, 18))).toBe('ymd')
})

test('a list that has one unambiguous date has the same order in all of them', () => {
  const now = Date.UTC(2026, 10, 18)
  expect(orderOfDates(['03/11/2026', '13/11/2026'], now)).toBe('dmy')
  expect(orderOfDates(['03/11/2026', '11/13/2026'], now)).toBe('mdy')
  // Read as 3 December it would be in the future.
  expect(orderOfDates(['03/11/2026', '12/03/2026'], now)).toBe('dmy')
  expect(orderOfDates(['03/11/2026', '2026-11-13'], now)).toBeUndefined()
  expect(orderOfDates(['13/11/2026', '11/13/2026'], now)).toBeUndefined()
})

for (const text of ['', '27.13.2023', '31.02.2023', '2023', 'yesterday', 'Foo 27, 2023', '27 Dec', '9'.repeat(50)]) {
  test(`"${text.slice(0, 20)}" is not a date`, () => expect(parseDate(text)).toBeUndefined())
}

test('a day without separators is a date', () => {
  expect(read('20261110')).toBe('2026-11-10T00:00:00.000Z')
  expect(read('20261310')).toBeUndefined()
})
