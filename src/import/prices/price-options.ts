/** Options of a price list from the command line or a feed, parsed once before the first row. */

import { parseCondition } from '../../catalog/grade-words.ts'
import { CONDITIONS } from '../../contract/condition-grades.ts'
import { invalid } from '../../lib/errors.ts'
import { reason } from '../../lib/reasons.ts'
import { isDay } from '../../lib/time.ts'
import { parseMarket } from '../../pricing/country-market.ts'
import { PRICE_SIDES } from '../../pricing/model/observation.ts'
import { DATE_ORDERS, type DateOrder } from '../../tables/date.ts'
import { parseOptionPairs } from './option-pairs.ts'
import type { PriceColumn } from './price-columns.ts'
import { type ColumnMap, parseColumnMap } from './price-columns.ts'
import { RANGE_RULES, type RangeRule, titleKey } from './price-row.ts'

/** Option names with a description of their value. */
export const PRICE_OPTIONS = {
  map: 'title=COLUMN,price=COLUMN,… for columns whose names say too little; state=- leaves one out',
  'make-column': 'COLUMN that names the make',
  title: 'TEXT that names the device of all rows, in place of a column',
  source: 'NAME of the market, in place of a column; else the name of the file',
  side: 'ask|sold|quote (what others ask, what you sell for, what you pay), in place of a column',
  currency: 'CODE, in place of a column',
  market: 'COUNTRY whose prices they are, such as hr, in place of a column; else by the currency',
  unit: 'FACTOR of the amounts: 1, 0.01 for cents, 1000 for thousands; set 1 if they are right although far from known prices',
  vat: 'included|excluded: whether prices contain VAT; included when neither said here nor in the name of the column',
  date: 'DAY of all prices, in place of a column',
  'date-order': 'dmy|mdy, where 03/04/2024 could be two days',
  condition: 'WORD=Grade,… for words of the file, or one word for a file without that column',
  assign: 'TITLE=MODEL,… for titles that are not recognised; remembered for later imports',
  range:
    'low|refuse for prices from … to …; when not said, low for a narrow range and for the smallest of several sizes',
} as const

export type PriceOptions = {
  readonly map: ColumnMap
  readonly defaults: Partial<Record<PriceColumn, string>>
  readonly grades: ReadonlyMap<string, string>
  /** Models that the operator assigned to titles, by title key. */
  readonly assigned: ReadonlyMap<string, string>
  readonly vat: 'included' | 'excluded' | undefined
  /** What one unit of an amount is. */
  readonly unit: number | undefined
  readonly dateOrder: DateOrder | undefined
  readonly ranges: RangeRule
}

export function parsePriceOptions(options: Readonly<Record<string, string>>): PriceOptions {
  const map = {
    ...(options.map ? parseColumnMap(options.map) : {}),
    ...(options['make-column'] ? { make: options['make-column'] } : {}),
  }
  const { grades, fallback } = parseConditions(options.condition ?? '')
  const defaults: Partial<Record<PriceColumn, string>> = {}
  if (options.source) defaults.source = options.source
  if (options.title) defaults.model = options.title
  if (options.side) defaults.side = parseChoice('side', options.side.toLowerCase(), PRICE_SIDES)
  if (options.currency) defaults.currency = parseCurrencyCode(options.currency)
  if (options.market) defaults.country = parseMarket(options.market).code
  if (options.date) defaults.date = parseDayOption(options.date)
  if (fallback !== undefined) defaults.condition = fallback
  return {
    map,
    defaults,
    grades,
    assigned: parseAssignments(options.assign ?? ''),
    vat: options.vat === undefined ? undefined : parseChoice('vat', options.vat, ['included', 'excluded'] as const),
    unit: options.unit === undefined ? undefined : parseUnit(options.unit),
    dateOrder:
      options['date-order'] === undefined ? undefined : parseChoice('date-order', options['date-order'], DATE_ORDERS),
    ranges: options.range === undefined ? 'sizes' : parseChoice('range', options.range, RANGE_RULES),
  }
}

/** `rabljeno=Good,a_old=Fair`, or a single grade for files without a condition column. */
function parseConditions(text: string): { grades: Map<string, string>; fallback: string | undefined } {
  const grades = new Map<string, string>()
  let fallback: string | undefined
  for (const [word, grade, pair] of parseOptionPairs('condition', text, 'last')) {
    if (!parseCondition(grade)) {
      throw invalid(
        'condition',
        pair,
        `a grade: ${CONDITIONS.join(', ')}, New, used, damaged, broken or dead`,
        reason('not_a_grade'),
      )
    }
    if (word === '') fallback = grade
    else grades.set(word.toLowerCase(), grade)
  }
  return { grades, fallback }
}

/** `galaxi s twenty=Samsung Galaxy S20 128GB`. */
function parseAssignments(text: string): Map<string, string> {
  const assigned = new Map<string, string>()
  for (const [title, model, pair] of parseOptionPairs('assign', text, 'last')) {
    if (title === '' || model === '' || model.length > 300) {
      throw invalid('assign', pair, 'a title and its model, such as galaxi s20=Samsung Galaxy S20 128GB')
    }
    assigned.set(titleKey(title), model)
  }
  return assigned
}

function parseChoice<T extends string>(option: string, value: string, words: readonly T[]): T {
  const word = words.find((candidate) => candidate === value)
  if (!word) throw invalid(option, value, words.join(', '))
  return word
}

function parseCurrencyCode(value: string): string {
  const code = value.trim().toUpperCase()
  if (!/^[A-Z]{3}$/.test(code))
    throw invalid('currency', value, 'a currency code such as EUR', reason('not_a_currency'))
  return code
}

function parseUnit(value: string): number {
  const unit = Number(value)
  if (!(unit > 0 && unit <= 1_000_000)) throw invalid('unit', value, 'a factor such as 0.01 or 1000')
  return unit
}

function parseDayOption(value: string): string {
  if (!isDay(value)) throw invalid('date', value, 'a day such as 2024-10-15', reason('not_a_day'))
  return value
}
