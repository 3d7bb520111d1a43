/** Guesses what a price list does not state, from its name, its columns and its titles. */

import { parseCondition } from '../../catalog/grade-words.ts'
import { DAY_MS, dayOf, isDay, startOfDay } from '../../lib/time.ts'
import { findMarket } from '../../pricing/country-market.ts'
import type { PriceSide } from '../../pricing/model/observation.ts'
import { columnKey } from '../../tables/column-key.ts'
import { COLUMN_KEYS, languageOfTitles, type NamedColumn } from '../../tables/column-words.ts'
import { DATE_ORDERS, type DateOrder, orderOfDates, parseDate } from '../../tables/date.ts'
import { listsIn, says } from '../../tables/stated-words.ts'
import type { ColumnMap, PriceCells } from './price-columns.ts'

/** Few titles say so, but those of other lists never do. */
const MIN_SELLER_SHARE = 0.02

const SIDES: readonly (readonly [NamedColumn, PriceSide])[] = [
  ['soldPrice', 'sold'],
  ['quotedPrice', 'quote'],
  ['shopSells', 'sold'],
  ['offered', 'ask'],
]

function sideOfWords(text: string): PriceSide | null {
  const stated = listsIn(text, [...SIDES.map(([list]) => list), 'otherCount'])
  return SIDES.find(([list]) => stated.has(list))?.[1] ?? null
}

/** Units sold, views and followers are counted of listings that are still offered. */
const isCount = (title: string) => COLUMN_KEYS.otherCount.includes(columnKey(title))

const isPrice = (title: string) => says(title, 'priceWord') || COLUMN_KEYS.amount.includes(columnKey(title))

/** What the prices are; null if nothing says so. The price column says most, then the name of the file, then its titles. */
export function guessSide(
  columns: readonly string[],
  amountColumn: string,
  file: string,
  titles: readonly string[],
): PriceSide | null {
  const others = columns.filter((title) => !isCount(title) && !amountColumn.startsWith(title))
  // Beside what the shop paid, another price is what it sells for.
  const isMargin =
    !says(amountColumn, 'quotedPrice') && others.some((title) => isPrice(title) && says(title, 'quotedPrice'))
  const words = others.filter((title) => !isPrice(title)).join(' | ')
  const stated = [amountColumn, file, words].flatMap((each) => sideOfWords(each) ?? [])
  // Shops that buy call their price an offer, too.
  if (stated[0] === 'ask' && says(amountColumn, 'offered') && stated.includes('quote')) return 'quote'
  if (stated[0]) return stated[0]
  if (isMargin) return 'sold'
  if (columns.some(isCount) || says(amountColumn, 'withVat')) return 'ask'
  const selling = titles.filter((title) => says(title, 'forSale')).length
  return titles.length > 0 && selling / titles.length >= MIN_SELLER_SHARE ? 'ask' : null
}

/** Letters that only one country of our markets writes. */
const SCRIPTS: readonly (readonly [RegExp, string])[] = [
  [/\p{Script=Hangul}/u, 'kr'],
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 'jp'],
  [/\p{Script=Thai}/u, 'th'],
  [/[đơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ]/iu, 'vn'],
]
const MIN_SCRIPT_SHARE = 0.2
/** Codes of countries that are words of file names, too. */
const COMMON_WORDS = new Set(['in', 'it', 'is', 'at', 'no', 'be', 'to', 'my', 'me', 'am', 'as', 'so', 'id', 'de'])

/** Countries whose language is spoken in no other country of these markets. */
const COUNTRIES_OF_LANGUAGES: Readonly<Record<string, string>> = {
  ...{ it: 'it', pl: 'pl', cs: 'cz', hr: 'hr', lt: 'lt', lv: 'lv', hu: 'hu', ro: 'ro', sv: 'se', da: 'dk', nb: 'no' },
  ...{ ko: 'kr', ja: 'jp', vi: 'vn', tr: 'tr' },
}

/** Currencies of the countries where a language is spoken, the likeliest first. */
const CURRENCIES_OF_LANGUAGES: Readonly<Record<string, readonly string[]>> = {
  de: ['EUR', 'CHF'],
  fr: ['EUR', 'CHF', 'CAD', 'XOF', 'XAF', 'MAD', 'TND', 'DZD'],
  es: ['EUR', 'MXN', 'COP', 'CLP', 'ARS', 'PEN', 'UYU', 'DOP', 'USD'],
  pt: ['EUR', 'BRL'],
  nl: ['EUR'],
  fi: ['EUR'],
  zh: ['CNY', 'TWD', 'HKD', 'SGD'],
  ...Object.fromEntries(
    Object.entries(COUNTRIES_OF_LANGUAGES).map(([language, country]) => [
      language,
      [findMarket(country)?.currency ?? ''],
    ]),
  ),
}

/** The currency of a list by the language of its columns; the usual one where it fits, or if nothing is known. */
export function guessCurrency(columns: readonly string[], usual: string | null): string | null {
  const likely = CURRENCIES_OF_LANGUAGES[languageOfTitles(columns) ?? '']
  return likely === undefined || likely.includes(usual ?? '') ? usual : (likely[0] ?? null)
}

/** The country of a list by a code in its name (`ads_kr.csv`), by the letters of its titles or by the language of its columns. */
export function guessMarket(file: string, titles: readonly string[], columns: readonly string[] = []): string | null {
  const tokens = file.toLowerCase().split(/[^a-z]+/)
  const named = tokens
    .filter((token) => token.length === 2 && !COMMON_WORDS.has(token))
    .flatMap((token) => findMarket(token === 'uk' ? 'gb' : token)?.code ?? [])
  if (new Set(named).size === 1) return named[0] ?? null
  const [, code] =
    SCRIPTS.find(([script]) => {
      const share = titles.filter((title) => script.test(title)).length / Math.max(1, titles.length)
      return share >= MIN_SCRIPT_SHARE
    }) ?? []
  return code ?? findMarket(COUNTRIES_OF_LANGUAGES[languageOfTitles(columns) ?? ''] ?? '')?.code ?? null
}

const STATED_GRADE = /(?<!\p{L})(\p{L}[\p{L} ]{1,30}?) ?[:=] ?([^,;:=()|.\n]+)(?=[,;()|.\n]|$)/gu

/** The only grade that the lines above the header state for all devices: "Zustand: gut". A legend names several. */
export function gradeInHeading(heading: string): string | null {
  const grades = [...heading.matchAll(STATED_GRADE)].flatMap(([, title = '', word = '']) =>
    COLUMN_KEYS.condition.some((key) => key === columnKey(title) || columnKey(title).endsWith(` ${key}`))
      ? [word.trim()]
      : [],
  )
  const [only, ...others] = new Set(grades)
  return only !== undefined && others.length === 0 && parseCondition(only) ? only : null
}

const DAY_IN_NAME = /(?<!\d)(20\d\d)(?:[-_. ]?(0[1-9]|1[0-2])(?:[-_. ]?(0[1-9]|[12]\d|3[01]))?)?(?!\d)/

/** A day in the name that is not in the order of ISO 8601: `export-14-11-2026`. */
const OTHER_DAY_IN_NAME = /(?<!\d)\d{1,2}([-._])\d{1,2}\1(?:20)?\d\d(?!\d)/

/** The last day of the year, month or day in the name of a list, such as `prices_2024-06.csv`; null if it names none before `today`. */
export function dayInName(file: string, today: string): string | null {
  const [other, separator = ''] = OTHER_DAY_IN_NAME.exec(file) ?? []
  const otherDay =
    other === undefined ? null : dayInHeading(other.replaceAll(separator, '/'), undefined, startOfDay(today) - 1)
  if (otherDay) return otherDay.isSure ? otherDay.day : null
  const [, year = '', month = '12', day] = DAY_IN_NAME.exec(file) ?? []
  if (year === '') return null
  const last = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()
  const named = `${year}-${month}-${day ?? last}`
  return isDay(named) && named < today && year >= FIRST_YEAR ? named : null
}

/** Older dates above the header are about something else. */
const MAX_HEADING_AGE_MS = 366 * DAY_MS
const DATE = /(?<![\d.])(?:\d{1,2}[./-]\d{1,2}[./-](?:20)?\d\d|20\d\d-\d\d-\d\d)(?![\d.]*\d)/g

/** "1st November 2026", "12 de noviembre de 2026", "Nov 12, 2026" */
const WORDED_DATE =
  /(?<![\p{L}\d])(?:\d{1,2}(?:st|nd|rd|th|er)?[. -]{0,2}(?:d[e’'] ?)?\p{L}{3,}|\p{L}{3,}\.? \d{1,2}(?:st|nd|rd|th)?)[.,]?[ -](?:de )?20\d\d(?!\d)|20\d\d ?[年년] ?\d{1,2} ?[月월] ?\d{1,2} ?[日일]/gu
/** "KW 46/2026", "week 46" */
const WEEK =
  /(?<!\p{L})(?:kw|cw|wk|week|woche|semaine|semana|settimana|vecka|týden|tydzień)\.? ?(\d{1,2})(?: ?[/-] ?(20\d\d))?(?!\d)/giu

/** The day that a text names; not sure if it is written in a way that may also mean another day: 11/09/2026. */
export type NamedDay = { readonly day: string; readonly isSure: boolean }

/** The only day of the last year that the lines above the header name: "Stand: 16.11.2026"; else the first day of the only week. */
export function dayInHeading(heading: string, order: DateOrder | undefined, now: number): NamedDay | null {
  return onlyDay(daysIn(heading, order, now)) ?? onlyDay(weeksIn(heading, now))
}

function onlyDay(days: readonly NamedDay[]): NamedDay | null {
  const [named, ...others] = Map.groupBy(days, ({ day }) => day).values()
  return named === undefined || others.length > 0 ? null : (named.find(({ isSure }) => isSure) ?? named[0] ?? null)
}

const isOfLastYear = (time: number, now: number) => time <= now && time > now - MAX_HEADING_AGE_MS

function daysIn(text: string, order: DateOrder | undefined, now: number): NamedDay[] {
  return [...text.matchAll(DATE), ...text.matchAll(WORDED_DATE)].flatMap(([date]) => {
    const usual = parseDate(date, order ?? orderOfDates([date], now))
    const times = usual === undefined ? DATE_ORDERS.flatMap((each) => parseDate(date, each) ?? []) : [usual]
    const days = [...new Set(times.filter((time) => isOfLastYear(time, now)).map(dayOf))].toSorted()
    // Lists are read soon after they are written.
    const newest = days.at(-1)
    return newest === undefined ? [] : [{ day: newest, isSure: days.length === 1 }]
  })
}

function weeksIn(text: string, now: number): NamedDay[] {
  return [...text.matchAll(WEEK)].flatMap(([, week = '', stated]) => {
    const years = stated === undefined ? [0, 1].map((ago) => new Date(now).getUTCFullYear() - ago) : [Number(stated)]
    const times = Number(week) < 1 || Number(week) > 53 ? [] : years.map((year) => startOfWeek(year, Number(week)))
    const time = times.find((monday) => isOfLastYear(monday, now))
    return time === undefined ? [] : [{ day: dayOf(time), isSure: true }]
  })
}

/** Monday of a week of ISO 8601: the first week has the 4th of January. */
function startOfWeek(year: number, week: number): number {
  const fourth = Date.UTC(year, 0, 4)
  return fourth + ((week - 1) * 7 - ((new Date(fourth).getUTCDay() + 6) % 7)) * DAY_MS
}

/** The newest day on which one of these listings began; null if none says. The list was read then or later. */
export function newestListing(samples: readonly PriceCells[], order: DateOrder | undefined): string | null {
  const times = samples.flatMap(({ listedOn }) => (listedOn === '' ? [] : (parseDate(listedOn, order) ?? [])))
  return times.length === 0 ? null : dayOf(times.reduce((a, b) => Math.max(a, b)))
}

/** Older numbers in names are not years of price lists. */
const FIRST_YEAR = '2007'
const MIN_GRADES = 3
const LOCK_WORD = /^(?:un)?locked$|carrier/i

/**
 * Prices in an object of grades, such as `prices[].unlocked.{good,fair,broken}`: the map with a path that gives a row per
 * grade. Unchanged if the operator mapped the price or no object has grades for keys.
 */
export function withGradeObjects(paths: readonly string[], map: ColumnMap): ColumnMap {
  if (map.amount !== undefined || map.cents !== undefined || map.condition !== undefined) return map
  const parentOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('.')))
  const lastOf = (path: string) => path.slice(path.lastIndexOf('.') + 1)
  const graded = paths.filter((path) => parentOf(path) !== '' && parseCondition(columnKey(lastOf(path))) !== undefined)
  const groups = Map.groupBy(graded, parentOf)
  const parents = [...groups].filter(([, members]) => members.length >= MIN_GRADES).map(([parent]) => parent)
  const [first] = parents
  if (first === undefined) return map
  const isByLock = parents.length > 1 && parents.every((parent) => LOCK_WORD.test(lastOf(parent)))
  if (!isByLock) return { ...map, amount: `${first}.*`, condition: '*1' }
  return { ...map, amount: `${parentOf(first)}.*.*`, lock: '*1', condition: '*2' }
}
