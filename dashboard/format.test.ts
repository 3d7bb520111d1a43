import { expect, test } from 'bun:test'
import { formatIn, formatReleaseDate } from './format.ts'

test('a release date is shown with its known precision', () => {
  expect(formatReleaseDate('2026-03-06', 'day')).toBe('6 Mar 2026')
  expect(formatReleaseDate('2026-03-01', 'month')).toBe('March 2026')
  expect(formatReleaseDate('2026-01-01', 'year')).toBe('2026')
  expect(formatReleaseDate(null, null)).toBe('unknown')
})

test('each language formats numbers, amounts and dates in its own way', () => {
  const [german, polish] = [formatIn('de'), formatIn('pl')]
  expect(german.amount(123_450, 'EUR')).toBe('1.234,50\u00a0€')
  expect(german.day('2026-03-06')).toBe('6. März 2026')
  expect(german.relativeTime('2026-03-06T10:00:00Z', Date.parse('2026-03-06T12:00:00Z'))).toBe('vor 2 Stunden')
  expect(polish.count(12_345)).toBe('12\u00a0345')
})
