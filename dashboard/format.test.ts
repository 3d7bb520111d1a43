import { expect, test } from 'bun:test'
import { formatReleaseDate } from './format.ts'

test('a release is shown as far as it is known', () => {
  expect(formatReleaseDate('2026-03-06', 'day')).toBe('6 Mar 2026')
  expect(formatReleaseDate('2026-03-01', 'month')).toBe('March 2026')
  expect(formatReleaseDate('2026-01-01', 'year')).toBe('2026')
  expect(formatReleaseDate(null, null)).toBe('unknown')
})
