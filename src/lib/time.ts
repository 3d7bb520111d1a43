/**
 * Days and times. A day is text, `YYYY-MM-DD`, always in UTC; a time is epoch milliseconds. Nothing here reads the clock.
 */
const SECOND_MS = 1_000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS
export const WEEK_MS = 7 * DAY_MS
/** The mean Gregorian year and month. */
export const YEAR_MS = 365.25 * DAY_MS
export const MONTH_MS = YEAR_MS / 12

/** ISO 8601 in UTC with milliseconds. */
export function isoInstant(at: number): string {
  return new Date(at).toISOString()
}

let lastSecond = Number.NaN
let lastSecondText = ''

/** ISO 8601 in UTC without fractions, as the envelope shows the time of a response. Memoized: many share a second. */
export function isoSecond(at: number): string {
  const second = Math.floor(at / 1000)
  if (second !== lastSecond) {
    lastSecond = second
    lastSecondText = `${new Date(second * 1000).toISOString().slice(0, 19)}Z`
  }
  return lastSecondText
}

export function isoInstantOrNull(at: number | null): string | null {
  return at === null ? null : isoInstant(at)
}

/** For tables: to the minute, UTC. */
export function formatMinute(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ')
}

/** The day of a time. */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

/** Days since 1970, which are cheaper to compute and compare. */
export function dayNumber(at: number): number {
  return Math.floor(at / DAY_MS)
}

/** The first millisecond of a valid day. */
export function startOfDay(day: string): number {
  return Date.parse(`${day}T00:00:00Z`)
}

/** The first millisecond of a valid day in a time zone such as `Europe/Vilnius`, also where the clock skips midnight. */
export function startOfDayIn(day: string, timeZone: string): number {
  // Swedish writes a day as YYYY-MM-DD and the time with 24 hours.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  const localTime = (at: number) => Date.parse(`${format.format(at).replace(' ', 'T')}Z`)
  const midnight = startOfDay(day)
  const offsets = [midnight - DAY_MS, midnight + DAY_MS].map((at) => localTime(at) - at)
  const candidates = offsets.map((offset) => midnight - offset).sort((left, right) => left - right)
  return candidates.find((at) => localTime(at) >= midnight) ?? midnight
}

/** The day of a time in a time zone. */
export function dayIn(at: number, timeZone: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(at)
}

/** The last millisecond of a day. */
export function endOfDay(day: string): number {
  return startOfDay(day) + DAY_MS - 1
}

/** Whether a text is a valid calendar day: "2024-02-29" is, "2023-02-29" and "2024-2-9" are not. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const at = startOfDay(text)
  // Some engines roll "2023-02-30" over into March.
  return !Number.isNaN(at) && dayOf(at) === text
}

/** The day `days` later; earlier if negative. */
export function addDays(day: string, days: number): string {
  return dayOf(startOfDay(day) + days * DAY_MS)
}

/** Calendar month (UTC), such as `2026-11`. */
export const monthOf = (at: number): string => dayOf(at).slice(0, 7)

/** First day of the calendar month (UTC). */
export const startOfMonth = (at: number): string => `${monthOf(at)}-01`

/** Start of the next calendar month (UTC). */
export function nextMonthAt(at: number): number {
  const date = new Date(at)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
}
