/** What an operator says about a price list on the command line or in a feed, read once before the first row. */
import { CONDITIONS } from '../../contract/grades.ts'
import { invalid } from '../../errors.ts'
import { SIDES } from '../../pricing/engine/observation.ts'
import { readGrade } from '../../pricing/market/grade-words.ts'
import { isDay } from '../../time.ts'
import { DATE_ORDERS, type DateOrder } from './date.ts'
import { readPairs } from './pairs.ts'
import { type Column, type ColumnMap, readColumnMap } from './price-columns.ts'

/** The options by name, each with what its value is. */
export const PRICE_OPTIONS = {
  map: 'title=COLUMN,price=COLUMN,… for columns whose names say too little; state=- leaves one out',
  'make-column': 'COLUMN that names the make',
  source: 'NAME of the market, for a file without that column; else the name of the file',
  side: 'ask|sold|quote, for a file without that column',
  currency: 'CODE, for a file without that column',
  date: 'DAY of all prices, for a file without that column',
  'date-order': 'dmy|mdy, where 03/04/2024 could be two days',
  condition: 'WORD=Grade,… for words of the file, or one word for a file without that column',
  range: 'low|refuse for prices from … to …; refuse when not said',
} as const

export type PriceOptions = {
  readonly map: ColumnMap
  readonly defaults: Partial<Record<Column, string>>
  readonly grades: ReadonlyMap<string, string>
  readonly dateOrder: DateOrder | undefined
  readonly ranges: 'low' | 'refuse'
}

export function readPriceOptions(given: Readonly<Record<string, string>>): PriceOptions {
  const map = {
    ...(given.map ? readColumnMap(given.map) : {}),
    ...(given['make-column'] ? { make: given['make-column'] } : {}),
  }
  const { grades, fallback } = readConditions(given.condition ?? '')
  const defaults: Partial<Record<Column, string>> = {}
  if (given.source) defaults.source = given.source
  if (given.side) defaults.side = oneOf('side', given.side.toLowerCase(), SIDES)
  if (given.currency) defaults.currency = currencyCode(given.currency)
  if (given.date) defaults.date = day(given.date)
  if (fallback !== undefined) defaults.condition = fallback
  return {
    map,
    defaults,
    grades,
    dateOrder: given['date-order'] === undefined ? undefined : oneOf('date-order', given['date-order'], DATE_ORDERS),
    ranges: given.range === undefined ? 'refuse' : oneOf('range', given.range, ['low', 'refuse'] as const),
  }
}

/** `rabljeno=Good,a_old=Fair`, or one word without a sign for a file that has no such column. */
function readConditions(text: string): { grades: Map<string, string>; fallback: string | undefined } {
  const grades = new Map<string, string>()
  let fallback: string | undefined
  for (const [word, meant, pair] of readPairs('condition', text, 'last')) {
    if (!readGrade(meant)) throw invalid('condition', pair, `a grade: ${CONDITIONS.join(', ')}, New or used`)
    if (word === '') fallback = meant
    else grades.set(word.toLowerCase(), meant)
  }
  return { grades, fallback }
}

function oneOf<T extends string>(option: string, sent: string, words: readonly T[]): T {
  const word = words.find((known) => known === sent)
  if (!word) throw invalid(option, sent, words.join(', '))
  return word
}

function currencyCode(sent: string): string {
  const code = sent.trim().toUpperCase()
  if (!/^[A-Z]{3}$/.test(code)) throw invalid('currency', sent, 'a currency code such as EUR')
  return code
}

function day(sent: string): string {
  if (!isDay(sent)) throw invalid('date', sent, 'a day such as 2024-10-15')
  return sent
}
