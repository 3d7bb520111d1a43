/** What the first rows of a price list say about all of them: their day, and whether a currency or a side fits the amounts. */
import { DAY_MS, dayOf } from '../../lib/time.ts'
import type { FirstPriceRanges } from '../../pricing/first-price-ranges.ts'
import type { NewObservation } from '../../pricing/model/observation.ts'
import { parseAmount } from '../../tables/amount.ts'
import { languageOfTitles } from '../../tables/column-words.ts'
import { type DateOrder, orderOfDates } from '../../tables/date.ts'
import type { ColumnLayout, PriceCells } from './price-columns.ts'
import { nameWithFolder } from './price-file-name.ts'
import { dayInHeading, dayInName, type NamedDay, newestListing } from './price-guesses.ts'
import type { PriceOptions } from './price-options.ts'
import { USUAL_CONDITION } from './price-questions.ts'
import { createPriceRowParser, IMPLAUSIBLE_AMOUNT, MAX_NARROW_RANGE, type PriceRowRules } from './price-row.ts'

/** Rows that are compared with what devices cost. */
const COMPARED_ROWS = 60
const MIN_PLAUSIBLE_ROWS = 3
const MIN_LEVEL_ROWS = 5
/** Median amount relative to the first price of the device: 0.5 to 0.75 in buyback lists, above 1.2 in asking prices. */
const MIN_SELLING_LEVEL = 1.2
/** A list whose newest listing is older than this was not read today. */
const MAX_READ_LATER_MS = 30 * DAY_MS

type SampleRules = Pick<PriceRowRules, 'rates' | 'defaultMarket' | 'now' | 'assigned' | 'findSubject'> & {
  readonly firstPriceOf: FirstPriceRanges
  readonly options: PriceOptions
}

type PriceSamples = {
  /** Day of prices without a date. */
  readonly date: string
  /** The file names a day that may also mean another one. */
  readonly isDateDoubtful: boolean
  readonly dateOrder: DateOrder | undefined
  /** Of amounts without a sign: the only currency that the other amounts name. */
  readonly usualCurrency: string | undefined
  /** The rows of known devices whatever their amounts, in a currency; null if the amounts name it. */
  rowsIn(currency: string | null, side: string): readonly NewObservation[]
  /** Share of the amounts that are wide ranges. */
  readonly wideRanges: number
  /** Whether amounts of known devices are what these devices cost in a currency. */
  isPlausibleIn(currency: string): boolean
  /** Whether the amounts are what devices sell for: shops pay about half of it. In a currency, null if the amounts name it. */
  isSellingLevel(currency: string | null): boolean
}

/** `heading`: the lines above the header. */
export function examineSamples(
  rows: readonly PriceCells[],
  layout: ColumnLayout,
  { file, heading, columns }: { readonly file: string; readonly heading: string; readonly columns: readonly string[] },
  { options, firstPriceOf, now, ...rules }: SampleRules,
): PriceSamples {
  const dateOrder =
    options.dateOrder ??
    orderOfDates(
      rows.flatMap(({ date, listedOn }) => [date, listedOn].filter(Boolean)),
      now,
    ) ??
    orderOfLanguage(columns) ??
    orderOfCurrency(options.defaults.currency ?? layout.implied.currency ?? onlyCurrency(rows))
  const { day: date, isSure } = dateOfList(rows, layout, file, heading, dateOrder, now)

  /** The rows of known devices, in a currency; null if the amounts name it. */
  function parse(currency: string | null, expected: FirstPriceRanges | null = firstPriceOf, side = 'ask') {
    const readSample = createPriceRowParser({
      ...rules,
      unit: layout.unit,
      isPerLot: layout.isPerLot,
      statedUnit: options.unit,
      ...{
        now,
        grades: options.grades,
        dateOrder,
        ranges: 'low',
        openSizes: 'base',
        firstPriceOf: expected,
      },
      defaults: {
        ...{ source: 'samples', date, side, condition: USUAL_CONDITION },
        ...layout.implied,
        ...(currency === null ? {} : { currency }),
        ...options.defaults,
      },
    })
    const parsed = rows.slice(0, COMPARED_ROWS).map((cells) => readSample(cells))
    return {
      accepted: parsed.flatMap((row) => ('problem' in row ? [] : [row])),
      implausible: parsed.filter((row) => 'problem' in row && row.problem === IMPLAUSIBLE_AMOUNT).length,
    }
  }

  return {
    date,
    isDateDoubtful: !isSure,
    usualCurrency: onlyCurrency(rows),
    dateOrder,
    rowsIn: (currency, side) => parse(currency, null, side).accepted,
    wideRanges: rows.filter(({ amount }) => isWideRange(amount)).length / Math.max(1, rows.length),
    isPlausibleIn(currency) {
      const { accepted, implausible } = parse(currency)
      return accepted.length >= MIN_PLAUSIBLE_ROWS && accepted.length >= implausible * 4
    },
    isSellingLevel(currency) {
      const levels = parse(currency)
        .accepted.flatMap(({ subject, terms, cents, observedAt }) => {
          const first = firstPriceOf({ ...subject, grade: terms.grade, isQuote: false, observedAt })
          return first ? [cents / Math.sqrt(first.low * first.high)] : []
        })
        .sort((a, b) => a - b)
      return levels.length >= MIN_LEVEL_ROWS && (levels[levels.length >> 1] ?? 0) >= MIN_SELLING_LEVEL
    },
  }
}

const YEAR_FIRST_LANGUAGES = new Set(['ko', 'ja', 'zh', 'hu', 'lt'])

/** Only in English the month may come first: no other language of these lists writes it there. */
function orderOfLanguage(columns: readonly string[]): DateOrder | undefined {
  const language = languageOfTitles(columns)
  return language === null || YEAR_FIRST_LANGUAGES.has(language) ? undefined : 'dmy'
}

/** Where the month or the year may come first. */
const OTHER_ORDER_CURRENCIES = new Set(['USD', 'CAD', 'PHP', 'KRW', 'JPY', 'CNY', 'TWD'])

const orderOfCurrency = (currency: string | undefined): DateOrder | undefined =>
  currency === undefined || OTHER_ORDER_CURRENCIES.has(currency) ? undefined : 'dmy'

function isWideRange(text: string): boolean {
  const amount = parseAmount(text)
  return !('problem' in amount) && amount.isRange && (amount.high ?? amount.value) > amount.value * MAX_NARROW_RANGE
}

function onlyCurrency(rows: readonly PriceCells[]): string | undefined {
  const currencies = rows.flatMap(({ amount, cents }) => {
    const parsed = parseAmount(cents || amount)
    return 'problem' in parsed ? [] : (parsed.currency ?? parsed.sharedBy ?? [])
  })
  const [only, ...others] = new Set(currencies)
  return others.length === 0 ? only : undefined
}

function dateOfList(
  rows: readonly PriceCells[],
  layout: ColumnLayout,
  file: string,
  heading: string,
  dateOrder: DateOrder | undefined,
  now: number,
): NamedDay {
  const today = dayOf(now)
  const inName = dayInName(nameWithFolder(file), today)
  const named = inName === null ? dayInHeading(heading, dateOrder, now) : { day: inName, isSure: true }
  const listed = layout.names.listedOn === undefined ? null : newestListing(rows, dateOrder)
  const isOld = listed !== null && listed < dayOf(now - MAX_READ_LATER_MS)
  return named ?? { day: isOld ? listed : today, isSure: true }
}
