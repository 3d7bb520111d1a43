/**
 * Days and instants, once. A day is text, `YYYY-MM-DD`, and always in UTC; an instant is epoch milliseconds. Nothing here
 * asks what time it is: whoever needs that is told.
 */
const SECOND_MS = 1_000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS
export const WEEK_MS = 7 * DAY_MS
/** The mean year, leap days counted in, and a twelfth of it. */
export const YEAR_MS = 365.25 * DAY_MS
export const MONTH_MS = YEAR_MS / 12

/** An instant as it is written everywhere: ISO 8601 in UTC with milliseconds. */
export function isoInstant(at: number): string {
  return new Date(at).toISOString()
}

export function isoInstantOrNull(at: number | null): string | null {
  return at === null ? null : isoInstant(at)
}

/** An instant to the minute, as tables for people show it; in UTC like everything else. */
export function formatMinute(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ')
}

/** The day an instant falls on. */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

/** The same as a count of days since 1970, which is cheaper to make and to compare. */
export function dayNumber(at: number): number {
  return Math.floor(at / DAY_MS)
}

/** The first millisecond of a day. Give it a day that `isDay` accepts. */
export function startOfDay(day: string): number {
  return Date.parse(`${day}T00:00:00Z`)
}

/** The last millisecond of a day. */
export function endOfDay(day: string): number {
  return startOfDay(day) + DAY_MS - 1
}

/** Whether a text is a day of the calendar: "2024-02-29" is one, "2023-02-29" and "2024-2-9" are none. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const at = startOfDay(text)
  // Some engines roll "2023-02-30" over into March instead of refusing it.
  return !Number.isNaN(at) && dayOf(at) === text
}

/** The day so many days later, or earlier where the count is negative. */
export function addDays(day: string, days: number): string {
  return dayOf(startOfDay(day) + days * DAY_MS)
}
