/** Parses days and instants. Ambiguous dates are rejected, not guessed. */
import { foldText } from '../lib/fold-text.ts'
import { once } from '../lib/memoize.ts'
import { DAY_MS, isDay, startOfDay } from '../lib/time.ts'

export const DATE_ORDERS = ['dmy', 'mdy', 'ymd'] as const
export type DateOrder = (typeof DATE_ORDERS)[number]

const MAX_DATE_CHARS = 40
/** Languages of the lists, by whose names of months a date is read. */
const MONTH_LANGUAGES = 'en de fr es it pt nl pl cs hr lt lv da sv nb fi hu ro ru uk vi tr id'.split(' ')
const MONTH_COUNT = 12

const ISO_INSTANT = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?$/
const NUMERIC = /^(\d{1,4})([./-])(\d{1,2})\2(\d{1,4})\.?$/
const SHORT_YEAR = /^\d{1,2}([./-])\d{1,2}\1\d\d(?!\d)/
/** "2026年11月3日", "2026. 11. 3." */
const EAST_ASIAN = /^(\d{4}) ?[年년.] ?(\d{1,2}) ?[月월.] ?(\d{1,2}) ?[日일.]?(?= |$)/
/** "20261110" */
const COMPACT = /^(20\d\d)(\d\d)(\d\d)$/
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
  const [, year = '', month = '', day = ''] = COMPACT.exec(text) ?? []
  if (year !== '') return startOfDate(year, month, day)
  if (EPOCH_SECONDS.test(text)) return Math.round(Number(text) * 1000)
  if (EPOCH_MILLISECONDS.test(text)) return Number(text)
  const [, spreadsheetDay] = SPREADSHEET_DAY.exec(text) ?? []
  if (spreadsheetDay !== undefined) return Date.UTC(1899, 11, 30) + Number(spreadsheetDay) * DAY_MS
  return parseNumericDate(text.replace(EAST_ASIAN, '$1-$2-$3'), order) ?? parseDateWithMonthName(text)
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
  const hasShortYears = texts.some((text) => SHORT_YEAR.test(text))
  const [order, ...others] = DATE_ORDERS.filter(
    (candidate) => (candidate !== 'ymd' || hasShortYears) && fits(candidate),
  )
  return others.length === 0 ? order : undefined
}

function parseNumericDate(text: string, order: DateOrder | undefined): number | undefined {
  const [date = '', time, ...rest] = text.split(/,?\s+(?=\d{1,2}:)/)
  if (rest.length > 0 || (time !== undefined && !/^\d{1,2}:\d{2}(:\d{2})?$/.test(time))) return undefined
  const match = NUMERIC.exec(date.trim())
  if (!match) return undefined
  const [, first = '', separator, second = '', third = ''] = match
  if (first.length === 4) return startOfDate(first, second, third)
  if (third.length === 2) return parseShortDate([first, second, third], separator, order)
  if (third.length !== 4) return undefined
  // With dots the day always comes first; slashes and dashes are used for both orders.
  if (separator === '.' || order === 'dmy') return startOfDate(third, second, first)
  if (order === 'mdy') return startOfDate(third, first, second)
  const asDayFirst = startOfDate(third, second, first)
  const asMonthFirst = startOfDate(third, first, second)
  if (asDayFirst === asMonthFirst) return asDayFirst
  return asDayFirst === undefined || asMonthFirst === undefined ? (asDayFirst ?? asMonthFirst) : undefined
}

/** Years of two digits before this one are more likely days. */
const FIRST_SHORT_YEAR = 15

/** "03.11.26": the order in which the number of the year is one of the last years, if there is only one. */
function parseShortDate(parts: readonly [string, string, string], separator: string | undefined, order?: DateOrder) {
  const [first, second, third] = parts
  const orders = {
    dmy: [third, second, first],
    mdy: separator === '.' ? undefined : [third, first, second],
    ymd: [first, second, third],
  } as const satisfies Record<DateOrder, readonly string[] | undefined>
  const read = (candidate: DateOrder) => {
    const [year = '', month = '', day = ''] = orders[candidate] ?? []
    return Number(year) >= FIRST_SHORT_YEAR ? startOfDate(fullYear(year), month, day) : undefined
  }
  if (order) return read(order)
  const days = new Set(DATE_ORDERS.flatMap((candidate) => read(candidate) ?? []))
  const [day] = days
  return days.size === 1 ? day : undefined
}

/** "Dec 27, 2023", "27 décembre 2023", "27-Dec-23", "27 de diciembre de 2023 14:05"; the year comes last. */
function parseDateWithMonthName(text: string): number | undefined {
  const words = foldText(text)
    .replace(/,?\s+\d{1,2}:\d{2}(?::\d{2})?(?: ?[ap]m)?$/, '')
    .split(/[\s,./-]+/)
    .filter((word) => word !== '' && !DATE_PARTICLES.has(word))
  if (words.length !== 3) return undefined
  const monthIndex = words.findIndex((word) => /\p{L}{2}/u.test(word) && !/^\d/.test(word))
  const month = monthsByName().get(words[monthIndex] ?? '')
  const [, year = ''] = /^(\d{4}|\d{2})$/.exec(words[2] ?? '') ?? []
  const [, day = ''] = /^(\d{1,2})(?:st|nd|rd|th|er)?$/.exec(words[monthIndex === 0 ? 1 : 0] ?? '') ?? []
  if (month === undefined || monthIndex > 1 || year === '' || day === '') return undefined
  return startOfDate(fullYear(year), String(month), day)
}

const DATE_PARTICLES = new Set(['de', 'del', 'd', 'm', 'g', 'r'])
const fullYear = (year: string) => (year.length === 2 ? `20${year}` : year)

/** Names and abbreviations of months; without those that are different months in two languages. */
const monthsByName = once(() => {
  const months = new Map<string, number | undefined>()
  const add = (name: string, month: number) => {
    const known = months.get(name)
    months.set(name, months.has(name) && known !== month ? undefined : month)
  }
  for (const language of MONTH_LANGUAGES) {
    for (const style of ['long', 'short'] as const) {
      // Beside a day some languages inflect the name of the month.
      const formats = [{ month: style }, { month: style, day: 'numeric' }] as const
      for (const options of formats) {
        const format = new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' })
        for (let month = 1; month <= MONTH_COUNT; month++) {
          const parts = format.formatToParts(Date.UTC(2026, month - 1, 1))
          const name = foldText(parts.find(({ type }) => type === 'month')?.value ?? '').replace(/\.$/, '')
          if (/^\p{L}{3,}$/u.test(name)) add(name, month)
        }
      }
    }
  }
  add('sept', 9)
  return months
})

function startOfDate(year: string, month: string, day: string): number | undefined {
  const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return isDay(iso) ? startOfDay(iso) : undefined
}
