import i18next from 'i18next'
import type { DeviceWire } from '../src/contract/device.ts'
import type { Language } from '../src/contract/languages.ts'
import { minorUnitDigits } from '../src/currency/minor-units.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../src/lib/time.ts'
import { currentLanguage, localeOf } from './i18n.ts'

export type Format = ReturnType<typeof createFormat>

/** Numbers, amounts, dates and durations in one language. */
function createFormat(language: Language) {
  const locale = localeOf(language)
  // English dates have the month as a word between day and year, which no reader can mistake.
  const dateLocale = language === 'en' ? 'en-GB' : locale
  const number = new Intl.NumberFormat(locale)
  const decimalSign = number.formatToParts(0.5).find(({ type }) => type === 'decimal')?.value ?? '.'
  const short = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 })
  const percent = new Intl.NumberFormat(locale, { style: 'percent' })
  const day = new Intl.DateTimeFormat(dateLocale, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
  const shortDay = new Intl.DateTimeFormat(dateLocale, { day: 'numeric', month: 'short', timeZone: 'UTC' })
  const shortMonth = new Intl.DateTimeFormat(dateLocale, { month: 'short', year: 'numeric', timeZone: 'UTC' })
  const month = new Intl.DateTimeFormat(dateLocale, { month: 'long', year: 'numeric', timeZone: 'UTC' })
  const time = new Intl.DateTimeFormat(dateLocale, { dateStyle: 'medium', timeStyle: 'short' })
  const shortTime = new Intl.DateTimeFormat(dateLocale, {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  })
  const clock = new Intl.DateTimeFormat(dateLocale, { timeStyle: 'short' })
  const hour = new Intl.DateTimeFormat(dateLocale, {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: 'UTC',
  })
  const regions = new Intl.DisplayNames(locale, { type: 'region', fallback: 'none' })
  const relative = new Intl.RelativeTimeFormat(locale)
  const relativeDay = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  const percentTenths = new Intl.NumberFormat(locale, {
    style: 'percent',
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  })
  const tenths = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
  const minutes = new Intl.NumberFormat(locale, { style: 'unit', unit: 'minute', unitDisplay: 'long' })
  const currencies = new Map<
    string,
    { exact: Intl.NumberFormat; whole: Intl.NumberFormat; compact: Intl.NumberFormat; unit: number }
  >()

  function currencyFormat(currency: string) {
    let format = currencies.get(currency)
    if (!format) {
      const exact = new Intl.NumberFormat(locale, { style: 'currency', currency })
      const whole = new Intl.NumberFormat(locale, { style: 'currency', currency, maximumFractionDigits: 0 })
      const compact = new Intl.NumberFormat(locale, {
        style: 'currency',
        currency,
        notation: 'compact',
        maximumFractionDigits: 1,
      })
      format = { exact, whole, compact, unit: 10 ** minorUnitDigits(currency) }
      currencies.set(currency, format)
    }
    return format
  }
  const text = (key: 'unknown' | 'never' | 'justNow') => i18next.t(`time.${key}`, { lng: language })
  const formatDay = (date: string | null) => (date === null ? text('unknown') : day.format(new Date(date)))

  return {
    /** Minor units of any currency, without decimals if whole or `rounded`. */
    amount(minor: number | null, currency: string, rounded = false): string {
      if (minor === null) return '–'
      const { exact, whole, unit } = currencyFormat(currency)
      const amount = rounded || minor % unit === 0 ? whole.format(Math.round(minor / unit)) : exact.format(minor / unit)
      return amount.replace('-', '−')
    },
    /** With all decimals, for columns whose amounts are compared. */
    exactAmount(minor: number, currency: string): string {
      const { exact, unit } = currencyFormat(currency)
      return exact.format(minor / unit).replace('-', '−')
    },
    /** For the axis of a chart, such as "€1.2K". */
    shortAmount(minor: number, currency: string): string {
      const { compact, unit } = currencyFormat(currency)
      return compact.format(minor / unit).replace('-', '−')
    },
    /** Name of a country or region by its code, such as `de`; the given name if the browser does not know it. */
    country: (code: string, name: string) => regions.of(code.toUpperCase()) ?? name,
    count: (value: number) => number.format(value),
    shortCount: (value: number) => short.format(value),
    /** A number as written in English, with all its decimals: `6.10` → "6,10". */
    decimals: (text: string) => text.replace('.', decimalSign),
    /** A share from 0 to 1. English has the space too, as in the texts of the API. */
    percent: (share: number) => (language === 'en' ? `${Math.round(100 * share)} %` : percent.format(share)),
    /** With one decimal. */
    percentTenths: (share: number) =>
      language === 'en' ? `${tenths.format(100 * share)} %` : percentTenths.format(share),
    day: formatDay,
    /** Without the year, such as "14 Nov". */
    shortDay: (date: string | null) => (date === null ? text('unknown') : shortDay.format(new Date(date))),
    /** Such as "Nov 2026". */
    shortMonth: (date: string) => shortMonth.format(new Date(date)),
    /** To the known precision: "2026", "March 2026" or the day. */
    releaseDate(date: string | null, precision: 'day' | 'month' | 'year' | null): string {
      if (date !== null && precision === 'year') return date.slice(0, 4)
      return date !== null && precision === 'month' ? month.format(new Date(date)) : formatDay(date)
    },
    time: (instant: string | null) => (instant === null ? '–' : time.format(new Date(instant))),
    /** Day and time without the year. */
    shortTime: (instant: string) => shortTime.format(new Date(instant)),
    /** Time of the day, such as "14:05". */
    clock: (instant: string) => clock.format(new Date(instant)),
    /** A heading: "Today", "Yesterday" or the date, of days as `YYYY-MM-DD`. */
    dayHeading(date: string, today: string): string {
      const daysAgo = Math.round((Date.parse(today) - Date.parse(date)) / DAY_MS)
      const heading = daysAgo < 2 ? relativeDay.format(-daysAgo, 'day') : formatDay(date)
      return heading.charAt(0).toLocaleUpperCase(locale) + heading.slice(1)
    },
    /** Hour in UTC, such as "14 Nov, 09:00". */
    hour: (instant: number) => hour.format(instant),
    /** Such as "30 minutes". */
    minutes: (count: number) => minutes.format(count),
    duration(from: string, to: string): string {
      const seconds = (Date.parse(to) - Date.parse(from)) / 1000
      if (seconds < 10) return `${tenths.format(seconds)} s`
      return seconds < 120 ? `${number.format(Math.round(seconds))} s` : minutes.format(Math.round(seconds / 60))
    },
    relativeTime(instant: string | null, now = Date.now()): string {
      if (instant === null) return text('never')
      const elapsed = now - Date.parse(instant)
      const elapsedMinutes = Math.round(elapsed / MINUTE_MS)
      if (elapsedMinutes < 1) return text('justNow')
      if (elapsedMinutes < 60) return relative.format(-elapsedMinutes, 'minute')
      const hours = Math.round(elapsed / HOUR_MS)
      return hours < 48 ? relative.format(-hours, 'hour') : relative.format(-Math.round(elapsed / DAY_MS), 'day')
    },
  }
}

const formats = new Map<Language, Format>()

/** Formats of a language, for paper that is not in the language of the page. */
export function formatIn(language: Language): Format {
  let format = formats.get(language)
  if (!format) {
    format = createFormat(language)
    formats.set(language, format)
  }
  return format
}

const current = () => formatIn(currentLanguage())

export const formatAmount: Format['amount'] = (...args) => current().amount(...args)
export const formatExactAmount: Format['exactAmount'] = (...args) => current().exactAmount(...args)
export const formatShortAmount: Format['shortAmount'] = (...args) => current().shortAmount(...args)
export const formatCountry: Format['country'] = (...args) => current().country(...args)
export const formatCount: Format['count'] = (value) => current().count(value)
export const formatShortCount: Format['shortCount'] = (value) => current().shortCount(value)
export const formatPercent: Format['percent'] = (share) => current().percent(share)
export const formatPercentTenths: Format['percentTenths'] = (share) => current().percentTenths(share)
export const formatDay: Format['day'] = (date) => current().day(date)
export const formatShortDay: Format['shortDay'] = (date) => current().shortDay(date)
export const formatShortMonth: Format['shortMonth'] = (date) => current().shortMonth(date)
export const formatReleaseDate: Format['releaseDate'] = (...args) => current().releaseDate(...args)
export const formatTime: Format['time'] = (instant) => current().time(instant)
export const formatShortTime: Format['shortTime'] = (instant) => current().shortTime(instant)
export const formatClock: Format['clock'] = (instant) => current().clock(instant)
export const formatDayHeading: Format['dayHeading'] = (...args) => current().dayHeading(...args)
export const formatHour: Format['hour'] = (instant) => current().hour(instant)
export const formatMinutes: Format['minutes'] = (count) => current().minutes(count)
export const formatDuration: Format['duration'] = (...args) => current().duration(...args)
export const formatRelativeTime: Format['relativeTime'] = (...args) => current().relativeTime(...args)

export const minorUnitsPerUnit = (currency: string) => 10 ** minorUnitDigits(currency)

/** `in_stock` → "In stock". */
export function humanize(word: string): string {
  const text = word.replaceAll('_', ' ').replace(/\bos\b/g, 'OS')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** The API's device names do not repeat the make. */
export const deviceName = ({ make, name }: Pick<DeviceWire, 'make' | 'name'>) => `${make.name} ${name}`
