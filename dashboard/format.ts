import { minorUnitDigits } from '../src/currency/minor-units.ts'
import { MINUTE_MS } from '../src/lib/time.ts'

/** Amounts and counts are written as the viewer is used to; texts and dates are English. */
const LOCALE = globalThis.navigator?.language || 'en-US'
const number = new Intl.NumberFormat(LOCALE)
const short = new Intl.NumberFormat(LOCALE, { notation: 'compact', maximumFractionDigits: 1 })
const dayFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
const monthFormat = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })
const timeFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })

const formats = new Map<string, { exact: Intl.NumberFormat; whole: Intl.NumberFormat; unit: number }>()

function currencyFormat(currency: string) {
  let format = formats.get(currency)
  if (!format) {
    const exact = new Intl.NumberFormat(LOCALE, { style: 'currency', currency })
    const whole = new Intl.NumberFormat(LOCALE, { style: 'currency', currency, maximumFractionDigits: 0 })
    format = { exact, whole, unit: 10 ** minorUnitDigits(currency) }
    formats.set(currency, format)
  }
  return format
}

export const minorUnitsPerUnit = (currency: string) => currencyFormat(currency).unit

/** Formats minor units of any currency, without decimals if whole or `rounded`. */
export function formatAmount(minor: number | null, currency: string, rounded = false): string {
  if (minor === null) return '–'
  const { exact, whole, unit } = currencyFormat(currency)
  const text = rounded || minor % unit === 0 ? whole.format(Math.round(minor / unit)) : exact.format(minor / unit)
  return text.replace('-', '−')
}
export const formatCount = (value: number) => number.format(value)
export const formatShortCount = (value: number) => short.format(value)
export const pluralize = (value: number, one: string, many = `${one}s`) =>
  `${formatCount(value)} ${value === 1 ? one : many}`
export const formatDay = (date: string | null) => (date === null ? 'unknown' : dayFormat.format(new Date(date)))
/** To the known precision: "2026", "March 2026" or the day. */
export function formatReleaseDate(date: string | null, precision: 'day' | 'month' | 'year' | null): string {
  if (date === null) return 'unknown'
  if (precision === 'year') return date.slice(0, 4)
  return precision === 'month' ? monthFormat.format(new Date(date)) : formatDay(date)
}
export const formatTime = (instant: string | null) => (instant === null ? '–' : timeFormat.format(new Date(instant)))

export function formatDuration(from: string, to: string): string {
  const seconds = (Date.parse(to) - Date.parse(from)) / 1000
  if (seconds < 10) return `${seconds.toFixed(1)} s`
  return seconds < 120 ? `${Math.round(seconds)} s` : pluralize(Math.round(seconds / 60), 'minute')
}

/** `in_stock` → "In stock". */
export function humanize(word: string): string {
  const text = word.replaceAll('_', ' ').replace(/\bos\b/g, 'OS')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

export function formatRelativeTime(instant: string | null, now = Date.now()): string {
  if (instant === null) return 'never'
  const minutes = Math.round((now - Date.parse(instant)) / MINUTE_MS)
  if (minutes < 1) return 'just now'
  if (minutes < 60) return `${pluralize(minutes, 'minute')} ago`
  const hours = Math.round(minutes / 60)
  if (hours < 48) return `${pluralize(hours, 'hour')} ago`
  return `${pluralize(Math.round(hours / 24), 'day')} ago`
}
