import { expect, test } from 'bun:test'
import { sampleDevice } from '../../test/support/device.ts'
import { presentDevice } from './present.ts'

test('a precision is said of a date, and of no date none', () => {
  const told = (releasedOn: string | null, releasePrecision: 'day' | 'month' | 'year' | null) =>
    presentDevice(sampleDevice('Acme', 'One', { releasedOn, releasePrecision }), '').release_date_precision
  expect(told('2026-03-01', 'month')).toBe('month')
  expect(told('2026-03-01', null)).toBe('day')
  expect(told(null, null)).toBeNull()
  expect(told(null, 'day')).toBeNull()
})
