/** Guesses what a price list does not state, from its name, its columns and its titles. */

import { parseCondition } from '../../catalog/grade-words.ts'
import { DAY_MS, dayOf, isDay } from '../../lib/time.ts'
import { findMarket } from '../../pricing/country-market.ts'
import type { PriceSide } from '../../pricing/model/observation.ts'
import { languageOfTitles } from '../read/column-words.ts'
import { type DateOrder, orderOfDates, parseDate } from './date.ts'
import type { ColumnMap, PriceCells } from './price-columns.ts'

const QUOTE_WORDS =
  /ankauf|einkauf|buy ?back|\bbuy\b(?! it now)|buying (?!options)|we pay|payout|trade-?in|quotes?\b|rachat|compra|skup|zakup|supirk|inkoop|výkup|felvásárl|otkup|opkøb|acquisto|thu mua|매입|買取/
const SOLD_WORDS =
  /verkauf|\bvk\b|\bsold\b(?! (?:quantity|qty|count|units))|\bsales\b|vente|vendu|venta|venda|vendid|sprzeda|pardav|parduot|verkoop|vendit|prodej|prodajn|eladás|eladási|salg|satış|đã bán|판매|落札/
const ASK_WORDS =
  /listings?\b|anzeige|angebot|offerta|oferta|\bads?\b|offers?\b|annonce|anuncio|ogłosz|oglosz|skelb|buying ?options|item ?summar|\bsell(?:er|ing)?\b|retail|scrap|crawl|매물|availability|permalink|\b(?:link|url|watchers|inventory|published)\b/
/** A private seller offers something: "iPhone 13 for sale". */
const SELLER_WORDS =
  /팝니다|판매|\bfor sale\b|\bwts\b|\bverkaufe\b|\bvendo\b|\bvends\b|\bsprzedam\b|\bparduodu\b|\bprodajem\b|\bprodam\b|\bcần bán\b/iu
/** Few titles say so, but those of other lists never do. */
const MIN_SELLER_SHARE = 0.02

const wordsOf = (text: string) =>
  text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replaceAll(/[_./\\-]+/g, ' ')

/** What the prices are; null if nothing says so. The price column says most, then the name of the file, then its titles. */
export function guessSide(
  columns: readonly string[],
  amountColumn: string,
  file: string,
  titles: readonly string[],
): PriceSide | null {
  for (const words of [amountColumn, file, columns.join(' ')].map(wordsOf)) {
    if (QUOTE_WORDS.test(words)) return 'quote'
    if (SOLD_WORDS.test(words)) return 'sold'
    if (ASK_WORDS.test(words)) return 'ask'
  }
  const selling = titles.filter((title) => SELLER_WORDS.test(title)).length
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
  ...{ it: 'it', pl: 'pl', cs: 'cz', hr: 'hr', lt: 'lt', lv: 'lv', hu: 'hu', ro: 'ro' },
  ...{ ko: 'kr', ja: 'jp', vi: 'vn', tr: 'tr' },
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

const DAY_IN_NAME = /(?<!\d)(20\d\d)(?:[-_. ]?(0[1-9]|1[0-2])(?:[-_. ]?(0[1-9]|[12]\d|3[01]))?)?(?!\d)/

/** The last day of the year, month or day in the name of a list, such as `prices_2024-06.csv`; null if it names none before `today`. */
export function dayInName(file: string, today: string): string | null {
  const [, year = '', month = '12', day] = DAY_IN_NAME.exec(file) ?? []
  if (year === '') return null
  const last = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()
  const named = `${year}-${month}-${day ?? last}`
  return isDay(named) && named < today && year >= FIRST_YEAR ? named : null
}

/** Older dates above the header are about something else. */
const MAX_HEADING_AGE_MS = 366 * DAY_MS
const DATE = /(?<![\d.])(?:\d{1,2}[./-]\d{1,2}[./-](?:20)?\d\d|20\d\d-\d\d-\d\d)(?![\d.]*\d)/g

/** The only day of the last year that the lines above the header name: "Stand: 16.11.2026". */
export function dayInHeading(heading: string, order: DateOrder | undefined, now: number): string | null {
  const days = new Set(
    [...heading.matchAll(DATE)].flatMap(([text]) => {
      const time = parseDate(text, order ?? orderOfDates([text], now))
      return time !== undefined && time <= now && time > now - MAX_HEADING_AGE_MS ? [dayOf(time)] : []
    }),
  )
  const [day] = days
  return days.size === 1 && day !== undefined ? day : null
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
  const graded = paths.filter((path) => parentOf(path) !== '' && parseCondition(wordsOf(lastOf(path))) !== undefined)
  const groups = Map.groupBy(graded, parentOf)
  const parents = [...groups].filter(([, members]) => members.length >= MIN_GRADES).map(([parent]) => parent)
  const [first] = parents
  if (first === undefined) return map
  const isByLock = parents.length > 1 && parents.every((parent) => LOCK_WORD.test(lastOf(parent)))
  if (!isByLock) return { ...map, amount: `${first}.*`, condition: '*1' }
  return { ...map, amount: `${parentOf(first)}.*.*`, lock: '*1', condition: '*2' }
}
