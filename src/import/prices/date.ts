/** Parses days and instants. Ambiguous dates are rejected, not guessed. */
import { DAY_MS, isDay, startOfDay } from '../../lib/time.ts'

export const DATE_ORDERS = ['dmy', 'mdy', 'ymd'] as const
export type DateOrder = (typeof DATE_ORDERS)[number]

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const MAX_DATE_CHARS = 40

const ISO_INSTANT = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?$/
const NUMERIC = /^(\d{1,4})([./-])(\d{1,2})\2(\d{1,4})\.?$/
const EPOCH_SECONDS = /^1\d{9}(\.\d+)?$/
const EPOCH_MILLISECONDS = /^1\d{12}$/

/** Days since 1899-12-30, as spreadsheets store dates that are not formatted as such: 2007 to 2064. */
const SPREADSHEET_DAY = /^(39[1-9]\d{2}|[45]\d{4})(?:\.\d+)?$/

/**
 * Returns epoch milliseconds; a day without a time is midnight UTC. `order` decides what "03/04/2024" means; without it
 * such ambiguous dates return undefined.
 */
export function parseDate(text: string, order?: DateOrder): number | undefined {
  if (text.length > MAX_DATE_CHARS) return undefined
  if (isDay(text)) return startOfDay(text)
  if (ISO_INSTANT.test(text)) {
    const instant = Date.parse(/Z|[+-]\d{2}:?\d{2}$/.test(text) ? text : `${text.replace(' ', 'T')}Z`)
    return Number.isNaN(instant) ? undefined : instant
  }
  if (EPOCH_SECONDS.test(text)) return Math.round(Number(text) * 1000)
  if (EPOCH_MILLISECONDS.test(text)) return Number(text)
  const [, spreadsheetDay] = SPREADSHEET_DAY.exec(text) ?? []
  if (spreadsheetDay !== undefined) return Date.UTC(1899, 11, 30) + Number(spreadsheetDay) * DAY_MS
  return parseNumericDate(text, order) ?? parseDateWithMonthName(text)
}

/**
 * The order in which the dates of a list are written, if one of them can only be read in one way or would be in the future
 * otherwise; undefined if all of them are ambiguous or they contradict each other.
 */
export function orderOfDates(texts: readonly string[], now: number): DateOrder | undefined {
  const fits = (order: DateOrder) =>
    texts.every((text) => {
      if (!NUMERIC.test(text.split(/,?\s+/)[0] ?? '')) return true
      const time = parseDate(text, order)
      return time !== undefined && time <= now
    })
  const [isDayFirst, isMonthFirst] = [fits('dmy'), fits('mdy')]
  return isDayFirst === isMonthFirst ? undefined : isDayFirst ? 'dmy' : 'mdy'
}

function parseNumericDate(text: string, order: DateOrder | undefined): number | undefined {
  const [date = '', time, ...rest] = text.split(/,?\s+(?=\d{1,2}:)/)
  if (rest.length > 0 || (time !== undefined && !/^\d{1,2}:\d{2}(:\d{2})?$/.test(time))) return undefined
  const match = NUMERIC.exec(date.trim())
  if (!match) return undefined
  const [, first = '', separator, second = '', third = ''] = match
  if (first.length === 4) return startOfDate(first, second, third)
  if (third.length !== 4) return undefined
  // With dots the day always comes first; slashes and dashes are used for both orders.
  if (separator === '.' || order === 'dmy') return startOfDate(third, second, first)
  if (order === 'mdy') return startOfDate(third, first, second)
  const asDayFirst = startOfDate(third, second, first)
  const asMonthFirst = startOfDate(third, first, second)
  if (asDayFirst === asMonthFirst) return asDayFirst
  return asDayFirst === undefined || asMonthFirst === undefined ? (asDayFirst ?? asMonthFirst) : undefined
}

/** "Dec 27, 2023", "27 December 2023", "27-Dec-2023". */
function parseDateWithMonthName(text: string): number | undefined {
  const words = text
    .toLowerCase()
    .split(/[\s,.-]+/)
    .filter(Boolean)
  if (words.length !== 3) return undefined
  const monthIndex = words.findIndex((word) => /^[a-z]{3,9}$/.test(word))
  const month = MONTHS.indexOf(words[monthIndex]?.slice(0, 3) ?? '') + 1
  const year = words[2] ?? ''
  const day = words[monthIndex === 0 ? 1 : 0]?.replace(/(st|nd|rd|th)$/, '') ?? ''
  if (month === 0 || monthIndex > 1 || !/^\d{4}$/.test(year) || !/^\d{1,2}$/.test(day)) return undefined
  return startOfDate(year, String(month), day)
}

function startOfDate(year: string, month: string, day: string): number | undefined {
  const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return isDay(iso) ? startOfDay(iso) : undefined
}
