import { expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  addDays,
  DAY_MS,
  dayNumber,
  dayOf,
  endOfDay,
  isDay,
  isoInstant,
  MONTH_MS,
  startOfDay,
  startOfDayIn,
  YEAR_MS,
} from './time.ts'

const instants = fc.integer({ min: 0, max: Date.UTC(2999, 11, 31) })

test('an instant lies within its day, including both ends', () => {
  fc.assert(
    fc.property(instants, (at) => {
      const day = dayOf(at)
      expect(startOfDay(day)).toBeLessThanOrEqual(at)
      expect(endOfDay(day)).toBeGreaterThanOrEqual(at)
      expect(dayOf(startOfDay(day))).toBe(day)
      expect(dayOf(endOfDay(day))).toBe(day)
      expect(dayNumber(at)).toBe(startOfDay(day) / DAY_MS)
    }),
  )
})

test('a day of a time zone starts at its midnight, or later if the clock skips it', () => {
  for (const [day, timeZone, start] of [
    ['2026-11-16', 'UTC', '2026-11-16T00:00:00.000Z'],
    ['2026-11-16', 'Asia/Seoul', '2026-11-15T15:00:00.000Z'],
    ['2026-11-16', 'America/Los_Angeles', '2026-11-16T08:00:00.000Z'],
    ['2026-11-16', 'Asia/Kolkata', '2026-11-15T18:30:00.000Z'],
    // The day after a day of 23 hours, and after one of 25.
    ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
    ['2026-03-30', 'Europe/Berlin', '2026-03-29T22:00:00.000Z'],
    ['2026-10-26', 'Europe/Berlin', '2026-10-25T23:00:00.000Z'],
    // The clock goes from 23:59 to 1:00, and back from 23:59 to 23:00.
    ['2026-09-06', 'America/Santiago', '2026-09-06T04:00:00.000Z'],
    ['2026-04-05', 'America/Santiago', '2026-04-05T04:00:00.000Z'],
    // The clock goes back from 1:00 to 0:00.
    ['2026-11-01', 'America/Havana', '2026-11-01T04:00:00.000Z'],
  ] as const) {
    expect({ day, timeZone, start: isoInstant(startOfDayIn(day, timeZone)) }).toEqual({ day, timeZone, start })
  }
})

test('an instant is written in UTC with milliseconds', () => {
  expect(isoInstant(0)).toBe('1970-01-01T00:00:00.000Z')
  expect(isoInstant(Date.UTC(2026, 1, 28, 23, 59, 59, 999))).toBe('2026-02-28T23:59:59.999Z')
})

test('only dates of the calendar are days', () => {
  for (const day of ['2024-02-29', '2000-02-29', '2026-12-31']) expect(isDay(day)).toBe(true)
  for (const text of ['2023-02-29', '1900-02-29', '2024-2-9', '2024-13-01', '2024-00-10', '2024-01-32', '', 'today']) {
    expect(isDay(text)).toBe(false)
  }
  expect(isDay('2024-02-29T00:00')).toBe(false)
})

test('days are added across months, years and leap days', () => {
  expect(addDays('2024-02-28', 1)).toBe('2024-02-29')
  expect(addDays('2023-12-31', 1)).toBe('2024-01-01')
  expect(addDays('2024-03-01', -1)).toBe('2024-02-29')
  expect(addDays('2024-03-01', 0)).toBe('2024-03-01')
})

test('twelve months are a year', () => {
  expect(12 * MONTH_MS).toBe(YEAR_MS)
})
