/** What a price list does not say about its prices and nobody has answered yet. The operator is asked once for the whole file. */

import { parseCondition } from '../../catalog/grade-words.ts'
import { DomainError } from '../../lib/errors.ts'
import { reason } from '../../lib/reasons.ts'
import { findMarket } from '../../pricing/country-market.ts'
import { readListingText } from '../../pricing/observations/listing-text.ts'
import { isDoubtfulLevel, type PriceLevel } from '../../pricing/price-level.ts'
import { meaningOfSign, parseAmount, resolveSign, type SignMeaning } from '../../tables/amount.ts'
import { isNothing } from '../../tables/fields.ts'
import type { ColumnLayout, PriceCells, PriceColumn } from './price-columns.ts'
import { gradeInHeading, guessCurrency, guessMarket, guessSide } from './price-guesses.ts'
import type { PriceOptions } from './price-options.ts'

/** Also the names of the options that answer them. */
export type PriceQuestionName = 'title' | 'side' | 'currency' | 'market' | 'date' | 'condition' | 'unit' | 'range'

export type PriceQuestion = {
  readonly name: PriceQuestionName
  /** The likely answer; null if nothing suggests one. */
  readonly guess: string | null
  /** The file says so, in other words. A command takes it for the answer. */
  readonly isSure: boolean
}

/** Values that hold for rows that do not state them. */
export type PriceAssumptions = {
  readonly market: string
  readonly currency: string | null
  readonly vat: 'included' | 'excluded'
}

/** A share of rows below this leaves the question open. */
const MIN_STATED_SHARE = 0.5
/** Grade of a file that does not name one: used, not graded. */
export const USUAL_CONDITION = 'used'

type ListFacts = {
  /** Its name, with its folder. */
  readonly file: string
  readonly columns?: readonly string[]
  /** The lines above the header. */
  readonly heading?: string
  /** The name of the sheet. */
  readonly sheet?: string
  readonly layout: ColumnLayout
  /** The first rows. */
  readonly samples: readonly PriceCells[]
  readonly options: Pick<PriceOptions, 'defaults' | 'vat'>
  readonly defaultMarket: string
  /** Whether the amounts of known devices are plausible in a currency; absent if the caller cannot tell. */
  readonly isPlausibleIn?: (currency: string) => boolean
  /** Whether the amounts of known devices are what such devices sell for; in a currency, null if they name it. */
  readonly isSellingLevel?: (currency: string | null) => boolean
  /** The device that the name of a file without such a column names; sure if no cell names another one. */
  /** A date above the header that may mean another day, if the prices have none of their own. */
  readonly doubtfulDate?: string | null
  readonly deviceInName?: { readonly name: string; readonly isSure: boolean } | null
}

export function findPriceQuestions({
  file,
  columns = [],
  heading = '',
  sheet = '',
  layout,
  samples,
  options,
  defaultMarket,
  isPlausibleIn = () => false,
  isSellingLevel = () => false,
  deviceInName = null,
  doubtfulDate = null,
}: ListFacts): PriceQuestion[] {
  if (samples.length === 0) return []
  const { defaults } = options
  const { names, implied } = layout
  const questions: PriceQuestion[] = []
  const isMostlyStated = (test: (cells: PriceCells) => boolean) =>
    samples.filter(test).length / samples.length >= MIN_STATED_SHARE
  const titles = samples.map(({ model }) => model)
  if (deviceInName !== null) questions.push({ name: 'title', guess: deviceInName.name, isSure: deviceInName.isSure })
  const market = names.country || defaults.country ? null : guessMarket(file, titles, columns)
  const usualCurrency = currencyOf(defaults.country ?? market ?? defaultMarket)
  const isStatedIn = (currency: string | null) => {
    const isMeant = (sign: SignMeaning | undefined) =>
      sign !== undefined && (names.country !== undefined || resolveSign(sign, currency ?? undefined) !== null)
    return (
      names.currency !== undefined ||
      implied.currency !== undefined ||
      isMeant(meaningOfSign(layout.currencySign ?? '')) ||
      isMostlyStated(({ amount, cents }) => isMeant(signOf(cents || amount)))
    )
  }
  const hasCurrency = defaults.currency !== undefined || isStatedIn(usualCurrency)
  const isOtherMarket = market !== null && market !== defaultMarket
  if (!names.side && !names.state && !implied.side && !defaults.side) {
    const currency = hasCurrency ? (defaults.currency ?? implied.currency ?? null) : usualCurrency
    const guess =
      guessSide(columns, `${names.amount ?? ''} ${heading}`, file, titles) ?? (isSellingLevel(currency) ? 'ask' : null)
    questions.push({ name: 'side', guess, isSure: guess !== null })
  }
  if (!hasCurrency) {
    const named = currencyInHeading(heading)
    const shared = [meaningOfSign(layout.currencySign ?? ''), ...samples.map((cells) => signOf(cells.amount))]
    const sharing = shared.find((sign) => sign?.sharedBy)?.sharedBy ?? []
    const ofLanguage = guessCurrency(columns, usualCurrency)
    const ofSign = sharing.find((currency) => currency === ofLanguage) ?? sharing[0]
    const guess = named ?? ofSign ?? ofLanguage
    const isStated = named !== null || market !== null || defaults.country !== undefined
    questions.push({
      name: 'currency',
      guess,
      isSure: isStated || (guess !== null && guess === usualCurrency && !ofSign && isPlausibleIn(guess)),
    })
  }
  // A sign such as ¥ means the currency of the country.
  if (isOtherMarket && (!hasCurrency || !isStatedIn(currencyOf(defaultMarket))))
    questions.push({ name: 'market', guess: market, isSure: true })
  if (doubtfulDate !== null) questions.push({ name: 'date', guess: doubtfulDate, isSure: false })
  if (!defaults.condition && !isGradedSheet(sheet) && !isMostlyStated(statesCondition)) {
    questions.push({ name: 'condition', guess: gradeInHeading(heading) ?? USUAL_CONDITION, isSure: true })
  }
  return questions
}

/** Units in which amounts are written: cents, thousands, ten thousands. */
const UNITS = [0.01, 1000, 10_000]
const NEAR = Math.log(2.6)

/** Asks about amounts that are far from what is known of their devices; the guess is the unit that explains it. */
export function levelQuestion(level: PriceLevel | null): PriceQuestion[] {
  if (!level || !isDoubtfulLevel(level)) return []
  const distance = (unit: number) => Math.abs(Math.log(level.ratio * unit))
  const nearest = UNITS.reduce((best, unit) => (distance(unit) < distance(best) ? unit : best))
  return [{ name: 'unit', guess: distance(nearest) < NEAR ? String(nearest) : null, isSure: false }]
}

/** The name of a sheet may be the grade of its devices. */
export const isGradedSheet = (sheet: string) => parseCondition(sheet) !== undefined

/** The only currency that the lines above the header name: "All prices in EUR". */
function currencyInHeading(heading: string): string | null {
  const codes = heading.split(/[\s,;:()/.-]+/).flatMap((word) => {
    const meaning = /^[A-Z]{3}$|^\p{Sc}$|^[Ee]uros?$/u.test(word) ? meaningOfSign(word.toLowerCase()) : undefined
    return meaning?.currency && !meaning.sharedBy ? [meaning.currency] : []
  })
  return new Set(codes).size === 1 ? (codes[0] ?? null) : null
}

export function assumeTerms({ layout, options, defaultMarket }: ListFacts): PriceAssumptions {
  const market = options.defaults.country ?? defaultMarket
  return {
    market,
    currency: options.defaults.currency ?? layout.implied.currency ?? currencyOf(market),
    vat: options.vat ?? layout.vat ?? 'included',
  }
}

const currencyOf = (market: string) => findMarket(market)?.currency ?? null

function signOf(text: string): SignMeaning | undefined {
  const amount = parseAmount(text)
  return 'problem' in amount || (amount.currency === null && !amount.sharedBy) ? undefined : amount
}

const statesCondition = ({ condition, model, description, notes }: PriceCells) =>
  !isNothing(condition) || [model, description, notes].some((text) => readListingText(text).condition !== undefined)

const SUBJECTS: Readonly<Record<PriceQuestionName, string>> = {
  title: 'which device its prices are of',
  side: 'what its prices are',
  currency: 'their currency',
  market: 'their country',
  date: 'their day',
  condition: 'the condition of the devices',
  unit: 'the unit or currency of its amounts, which are far from known prices',
  range: 'which end of its price ranges counts',
}
const ANSWERS: Readonly<Record<PriceQuestionName, string>> = {
  title: 'title',
  side: 'side (sold: what you sell for, quote: what you pay, ask: what others ask)',
  currency: 'currency',
  market: 'market',
  date: 'date',
  condition: 'condition',
  unit: 'unit (1 if the amounts are right)',
  range: 'range (low or refuse)',
}

/** The answers that a file gives in other words, if it gives all of them; undefined if one is open. */
export function sureAnswers(questions: readonly PriceQuestion[]): Partial<Record<PriceColumn, string>> | undefined {
  if (questions.some(({ guess, isSure }) => guess === null || !isSure)) return undefined
  return Object.fromEntries(
    questions.flatMap(({ name, guess }) => {
      const column = COLUMN_OF_ANSWER[name]
      return column ? [[column, guess ?? '']] : []
    }),
  )
}

const COLUMN_OF_ANSWER: Readonly<Partial<Record<PriceQuestionName, PriceColumn>>> = {
  title: 'model',
  side: 'side',
  currency: 'currency',
  market: 'country',
  date: 'date',
  condition: 'condition',
}

/** The file as a whole waits for answers; no row was rejected. */
export class OpenPriceQuestionsError extends DomainError {
  constructor(file: string, questions: readonly PriceQuestion[]) {
    const list = new Intl.ListFormat('en')
    const answers = questions.map(({ name, guess }) => ANSWERS[name] + (guess === null ? '' : `, such as ${guess}`))
    super(
      'invalid',
      `${file} does not say ${list.format(questions.map(({ name }) => SUBJECTS[name]))}: set ${answers.join('; ')}.`,
      reason('open_questions', { name: file }),
      questions.map(({ name }) => ({ field: `open ${name}`, message: SUBJECTS[name] })),
    )
  }
}

/** The options that answer the questions of an error; empty for other errors. */
export const openQuestions = ({ details }: DomainError): string[] =>
  details.flatMap(({ field }) => (field.startsWith('open ') ? [field.slice('open '.length)] : []))
