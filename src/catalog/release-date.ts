import { isDay } from '../lib/time.ts'
import type { DatePrecision } from './device.ts'

/** Parses YYYY, YYYY-MM or YYYY-MM-DD. Missing parts are filled with 01; `precision` says which were given. */
export function parseReleaseDate(text: string): { day: string; precision: DatePrecision } | null {
  const parts = /^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?$/.exec(text.trim())
  if (!parts) return null
  const [, year, month, date] = parts
  const day = `${year}-${(month ?? '1').padStart(2, '0')}-${(date ?? '1').padStart(2, '0')}`
  if (!isDay(day)) return null
  return { day, precision: date ? 'day' : month ? 'month' : 'year' }
}

/** Formats a date without the parts that were filled with 01. */
export function formatKnownDate(releasedOn: string, precision: DatePrecision | null): string {
  return releasedOn.slice(0, { year: 4, month: 7, day: 10 }[precision ?? 'day'])
}
