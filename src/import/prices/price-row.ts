/** Parses one row of a price list. Nothing is guessed: an incomplete row is rejected with the reason. */

import { isDefectGrade } from '../../catalog/grade.ts'
import { type ParsedCondition, parseCondition } from '../../catalog/grade-words.ts'
import { BASE_CURRENCY } from '../../contract/currency.ts'
import { formatAmount } from '../../currency/format-amount.ts'
import { minorUnitDigits } from '../../currency/minor-units.ts'
import { isStaleRate, type RateLookup } from '../../currency/rate-lookup.ts'
import { foldText } from '../../lib/fold-text.ts'
import { memoize } from '../../lib/memoize.ts'
import type { RejectionCode, Remark } from '../../lib/rejections.ts'
import { dayOf } from '../../lib/time.ts'
import { findMarket, marketOfCurrency, nearestMarkets } from '../../pricing/country-market.ts'
import type { FirstPriceRanges } from '../../pricing/first-price-ranges.ts'
import type { ListingState, NewObservation, ObservationTerms, PriceSide } from '../../pricing/model/observation.ts'
import { isUnderstood, type ListingText, readListingText } from '../../pricing/observations/listing-text.ts'
import {
  LOCKED_DEVICE,
  SEVERAL_SIZES,
  STORAGE_MISSING,
  type SubjectMatch,
  type SubjectMatcher,
  type SubjectMismatch,
  type SubjectQuery,
  WANTED_AD,
} from '../../pricing/observations/subject-matcher.ts'
import { describeRange, isPlausible, type PlausibleRange, plausibleRange } from '../../pricing/plausible-amount.ts'
import { LARGE_MOVE, type MovingPrice } from '../../pricing/price-move.ts'
import { meaningOfSign, type ParsedAmount, parseAmount, resolveSign } from '../../tables/amount.ts'
import { type DateOrder, parseDate } from '../../tables/date.ts'
import { isNothing } from '../../tables/fields.ts'
import { storageSizes } from '../../text/sizes.ts'
import { type PriceCells, type PriceColumn, parseListingState, parseSide } from './price-columns.ts'

export type RowProblem = SubjectMismatch
/** `listingId` is empty if the row has none. `remarks` are counted in the report. */
export type ParsedPriceRow = (NewObservation & { readonly remarks?: readonly Remark[] }) | RowProblem

export type PriceRowRules = {
  readonly findSubject: SubjectMatcher
  readonly rates: RateLookup
  readonly now: number
  /** Market of rows without a country whose currency does not imply one. */
  readonly defaultMarket: string
  /** Prices are without VAT: it is added, as people pay it. */
  readonly isWithoutVat?: boolean
  /** The rate that the list names; else that of the market. */
  readonly vatRate?: number | undefined
  /** Amounts are of all pieces of the row. */
  readonly isPerLot?: boolean | undefined
  /** What one unit of an amount without a sign is: 0.01 for cents. */
  readonly unit?: number | undefined
  /** What one unit of every amount is, if the operator said so. */
  readonly statedUnit?: number | undefined
  /** Sign in the name of the price column that several currencies share, such as `$`. */
  readonly currencySign?: string | undefined
  /** Currency of amounts that name none, in a list whose other amounts do. */
  readonly usualCurrency?: string | undefined
  /** Values for columns that the file does not have or leaves empty. */
  readonly defaults: Partial<Record<PriceColumn, string>>
  /** The operator's grades for words of the file, in lower case. */
  readonly grades: ReadonlyMap<string, string>
  /** Models that a person assigned to titles, by title key. */
  readonly assigned?: ReadonlyMap<string, string>
  readonly dateOrder?: DateOrder | undefined
  /** What a device cost according to launch price and age; null if the caller checks amounts itself. */
  readonly firstPriceOf: FirstPriceRanges | null
  /** Price ranges: use the low end, reject the row, or use the low end where it has a meaning. */
  readonly ranges: RangeRule
  /** Rows of a known device whose size is open: count them for the base model, or reject them (the default). */
  readonly openSizes?: 'base' | 'refuse'
}

/** `sizes`: of a listing with several sizes the low end is the price of the smallest; other ranges must be narrow. */
export const RANGE_RULES = ['low', 'refuse', 'sizes'] as const
export type RangeRule = (typeof RANGE_RULES)[number]

/** Ratio of the ends of a range that is still one price. */
export const MAX_NARROW_RANGE = 1.25

const OLDEST_DATE = Date.UTC(2007, 0, 1)
/** No used device of the catalogue costs a hundred thousand dollars. */
const MAX_CENTS = 10_000_000
/** Minimum battery health in percent for Excellent and Good. */
const MIN_GOOD_BATTERY = 80
/** Lists repeat the same titles, dates and amounts, so this many parsed values are cached. */
const MAX_CACHED = 50_000
/** Texts are longer and repeat less. */
const MAX_CACHED_TEXTS = 10_000

export const NO_RATE = 'rate_missing'
export const RATE_TOO_NEW = 'rate_too_new'

const rejectRow = (problem: RejectionCode, detail: string): RowProblem => ({ problem, detail })

export const IMPLAUSIBLE_AMOUNT = 'amount_implausible'

/** `range` in US cents. */
export const rejectAmount = (amount: string, range: PlausibleRange): RowProblem =>
  rejectRow(IMPLAUSIBLE_AMOUNT, `${amount}; expected ${describeRange(range, BASE_CURRENCY)}`)

/** `ownCents`: what prices of this device with the same configuration and grade usually are. */
export const rejectMove = (amount: string, ownCents: number): RowProblem =>
  rejectRow(LARGE_MOVE, `${amount}; your own prices say ${formatAmount(ownCents, BASE_CURRENCY)}`)

export const movingPrice = (
  { subject, terms, cents, observedAt, source }: NewObservation,
  organizationId: string,
): MovingPrice => ({
  configuration: subject.configuration,
  grade: terms.grade,
  isQuote: terms.side === 'quote',
  cents,
  observedAt,
  source: organizationId === '' ? source : '',
})

/** `subject`: the device of the row if it was found before. */
export type PriceRowParser = (cells: PriceCells, subject?: SubjectMatch | SubjectMismatch) => ParsedPriceRow

/** Creates a parser of rows. Rows with equal subjects or terms share one object, so that each is stored once. */
export function createPriceRowParser(rules: PriceRowRules): PriceRowParser {
  const { defaults, now, rates } = rules
  const findSubject = (_key: string, cell: CellGetter) => rules.findSubject(toSubjectName(cell, rules.assigned))
  const subjectByDay = memoize(MAX_CACHED, (_key: string, { cell, day }: { cell: CellGetter; day: string }) =>
    rules.findSubject({ ...toSubjectName(cell, rules.assigned), day }),
  )
  const subjectById = memoize(MAX_CACHED, findSubject)
  const subjectByName = memoize(MAX_CACHED, findSubject)
  const termsByKey = memoize(MAX_CACHED, (_key: string, stated: StatedTerms) => parseTerms(stated))
  const internSource = memoize(MAX_CACHED, (source: string) => source)
  const dateOf = memoize(MAX_CACHED, (date: string) => parseDate(date, rules.dateOrder))
  const amountOf = memoize(MAX_CACHED, parseAmount)
  const marketOf = memoize(MAX_CACHED, findMarket)
  const columnSign = rules.currencySign === undefined ? undefined : meaningOfSign(rules.currencySign)
  const textOf = memoize(MAX_CACHED_TEXTS, readListingText)
  const understands = memoize(MAX_CACHED_TEXTS, isUnderstood)
  const ownCurrency = findMarket(rules.defaultMarket)?.currency

  function readDay(cell: CellGetter): RowDay | RowProblem {
    // An asking price that is still listed is one of the day it was read, which `--date` states; else the listing's day counts.
    const date = cell('date') || cell('listedOn')
    const observedAt = dateOf(date)
    if (observedAt === undefined) return rejectRow(describeDateProblem(date), date)
    if (observedAt > now) return rejectRow('date_in_future', date)
    if (observedAt < OLDEST_DATE) return rejectRow('date_too_old', date)
    const listedOn = cell('listedOn')
    const listedAt = listedOn === '' ? null : dateOf(listedOn)
    if (listedAt === undefined) return rejectRow('listed_on_invalid', listedOn)
    return {
      observedAt,
      day: dayOf(observedAt),
      listedAt: listedAt !== null && listedAt <= observedAt ? listedAt : null,
    }
  }

  function readAmount(cell: CellGetter, { quantity }: PriceCells, day: string): RowAmount | RowProblem {
    const centsText = cell('cents')
    const amountText = centsText || cell('amount')
    const amount = amountOf(amountText)
    if (amountText === '') return rejectRow('amount_missing', '')
    if ('problem' in amount) return rejectRow(amount.problem, amountText)
    if (amount.value <= 0) return rejectRow('amount_not_positive', amountText)
    const country = cell('country')
    const statedMarket = marketOf(country === '' ? rules.defaultMarket : country)
    const sign = amount.currency === null && !amount.sharedBy && columnSign ? columnSign : amount
    const currencyCell = cell('currency')
    const columnMeaning = meaningOfSign(currencyCell.toLowerCase()) ?? { currency: currencyCell }
    const isBare = amount.currency === null && !amount.sharedBy
    const currency = (
      resolveSign(currencyCell ? columnMeaning : sign, statedMarket?.currency) ??
      (isBare ? rules.usualCurrency : undefined) ??
      ''
    ).toUpperCase()
    if (currency === '') return rejectRow('currency_missing', `${amountText} ${currencyCell}`.trim())
    if (
      amount.sharedBy ? !amount.sharedBy.includes(currency) : amount.currency !== null && amount.currency !== currency
    ) {
      return rejectRow('currency_differs', `${amountText} ${currency}`)
    }
    const rate = currency === BASE_CURRENCY ? undefined : rates.find(currency, day)
    if (!rate && currency !== BASE_CURRENCY) {
      const reason = rates.currencies.includes(currency) ? RATE_TOO_NEW : NO_RATE
      return rejectRow(reason, `${currency} ${day}`)
    }
    const market = country === '' ? marketOfCurrency(currency, rules.defaultMarket) : statedMarket?.code
    const taxFactor = rules.isWithoutVat ? 1 + (rules.vatRate ?? addedTax(market)) : 1
    const unit = rules.statedUnit ?? (centsText ? 0.01 : isBare ? (rules.unit ?? 1) : 1)
    const pieces = rules.isPerLot ? Number(quantity) : 1
    if (!(pieces > 0)) return rejectRow('amount_not_a_number', `${amountText} / ${quantity || '?'}`)
    const units = (amount.value * unit * taxFactor) / pieces
    const cents = Math.round(units * (rate?.usd ?? 1) * 100)
    if (cents < 1 || cents > MAX_CENTS) {
      const described = describeRange({ low: 1, high: MAX_CENTS }, BASE_CURRENCY, '')
      const stated = formatAmount(Math.round(units * 10 ** minorUnitDigits(currency)), currency)
      return rejectRow('amount_out_of_range', `${stated}; expected ${described}`)
    }
    // In the shop's own currency the rate cancels out when prices are shown.
    const staleRate = rate && currency !== ownCurrency && isStaleRate(rate.day, day) ? rate.day : null
    return { text: amountText, amount, cents, currency, market, staleRate }
  }

  /** A known device that the catalogue lacks a size of is a problem, but its row may be valid otherwise. */
  function readSubject(
    cell: CellGetter,
    day: string,
    knownSubject: SubjectMatch | SubjectMismatch | undefined,
  ): RowSubject {
    const variant = cell('variant')
    // A variant id takes precedence over all other columns.
    const titleSubject = withStorageFromText(
      knownSubject ?? (variant === '' ? subjectByName(subjectNameKey(cell), cell) : subjectById(variant, cell)),
      cell,
      rules.findSubject,
    )
    const datedSubject = isDecidedBy(titleSubject, day)
      ? subjectByDay(`${day}\t${subjectNameKey(cell)}`, { cell, day })
      : titleSubject
    const openSize = rules.openSizes === 'base' ? assumedSize(datedSubject) : undefined
    return { subject: openSize?.base ?? datedSubject, sizeRemark: openSize?.remark }
  }

  /** Undefined if the amount is what the device may cost. */
  function findImplausibleAmount(
    cell: CellGetter,
    { subject }: RowSubject,
    { grade }: ParsedCondition,
    { observedAt }: RowDay,
    { text, cents, currency }: RowAmount,
  ): RowProblem | undefined {
    if (!rules.firstPriceOf) return undefined
    const isFound = !('problem' in subject)
    const listCents = isFound ? subject.listCents : (subject.missingVariant?.listCents ?? 0)
    const isQuote = parseSide(cell('side')) === 'quote'
    const expected = isFound ? rules.firstPriceOf({ ...subject, grade, isQuote, observedAt }) : null
    const range = plausibleRange(expected, listCents, { isNew: grade === 'New', isDefective: isDefectGrade(grade) })
    return range && !isPlausible(cents, range) ? rejectAmount(`${text} ${currency}`, range) : undefined
  }

  function readTerms(
    cell: CellGetter,
    cells: PriceCells,
    { subject }: RowSubject,
    { grade, label }: ParsedCondition,
    { currency, market }: RowAmount,
  ): ObservationTerms | RowProblem {
    const remarks = remarksOf(cells)
    const lock =
      cell('lock') ||
      ('problem' in subject ? '' : subject.lock) ||
      (remarks !== '' && textOf(remarks).isUnlocked ? 'unlocked' : '')
    if (market === undefined) return rejectRow('country_unknown', describeCountry(cell('country')))
    const otherTerms = { side: cell('side'), state: cell('state'), lock, currency, market }
    const termsKey = [grade, label, ...Object.values(otherTerms)].join('\t')
    return termsByKey(termsKey, { condition: { grade, label }, ...otherTerms })
  }

  return (cells, knownSubject) => {
    const cell = (column: PriceColumn) => cells[column] || defaults[column] || ''
    const source = cell('source')
    if (source === '' || source.length > 60) return rejectRow('source_missing', source)
    const day = readDay(cell)
    if ('problem' in day) return day
    const amount = readAmount(cell, cells, day.day)
    if ('problem' in amount) return amount
    const named = readSubject(cell, day.day, knownSubject)
    const { subject, sizeRemark } = named
    if (amount.amount.isRange && !isUsableRange(amount.amount, rules.ranges, sizeRemark !== undefined))
      return rejectRow('amount_is_range', amount.text)
    const isFound = !('problem' in subject)
    // Adds a missing size to the catalogue only for rows that are valid otherwise.
    if (!isFound && !subject.missingVariant) return subject
    const title = textOf(isFound && subject.isOnlyName ? '' : cells.model)
    if (title.isWanted) return rejectRow(WANTED_AD, cells.model)
    const stated = findCondition(cells, rules, title, textOf)
    if ('problem' in stated) return stated
    const implausible = findImplausibleAmount(cell, named, stated, day, amount)
    if (implausible) return implausible
    const hasWeakBattery =
      findBattery(cells, title, textOf) < MIN_GOOD_BATTERY && (stated.grade === 'Excellent' || stated.grade === 'Good')
    const condition = hasWeakBattery ? ({ ...stated, grade: 'Poor' } as const) : stated
    const terms = readTerms(cell, cells, named, condition, amount)
    if ('problem' in terms) return terms
    if (!isFound) return subject
    const remarks: readonly Remark[] = [
      ...(amount.amount.isRange ? ['range_low_end' as const] : []),
      ...(sizeRemark ? [sizeRemark] : []),
      ...(hasWeakBattery ? ['weak_battery' as const] : []),
      ...(cells.notes !== '' && !isNothing(cells.notes) && !understands(cells.notes)
        ? ['note_not_understood' as const]
        : []),
      ...(amount.staleRate === null ? [] : [`stale_rate:${amount.currency} ${amount.staleRate}` as const]),
    ]
    return {
      source: internSource(source),
      listingId: cell('listing'),
      subject,
      terms,
      cents: amount.cents,
      observedAt: day.observedAt,
      listedAt: day.listedAt,
      ...(remarks.length > 0 && { remarks }),
    }
  }
}

type RowDay = {
  readonly observedAt: number
  readonly day: string
  /** Null if the row does not say since when it is offered. */
  readonly listedAt: number | null
}

type RowAmount = {
  readonly text: string
  readonly amount: Exclude<ParsedAmount, { readonly problem: RejectionCode }>
  /** In US cents, with VAT. */
  readonly cents: number
  readonly currency: string
  /** Undefined if the country is not known. */
  readonly market: string | undefined
  /** Day of a rate that is older than usual. */
  readonly staleRate: string | null
}

type RowSubject = {
  readonly subject: SubjectMatch | SubjectMismatch
  /** The size is open, and the smallest counts. */
  readonly sizeRemark: Remark | undefined
}

/** Whether the name fits several devices, some of which were not sold on that day. */
const isDecidedBy = (subject: SubjectMatch | SubjectMismatch, day: string) =>
  'problem' in subject && subject.newestRelease !== undefined && day < subject.newestRelease

const SIZE_REMARKS: Readonly<Partial<Record<RejectionCode, Remark>>> = {
  [STORAGE_MISSING]: 'size_not_stated',
  [SEVERAL_SIZES]: 'smallest_of_sizes',
}

/** What stands for a known device whose size is open. */
function assumedSize(
  subject: SubjectMatch | SubjectMismatch,
): { readonly base: SubjectMatch; readonly remark: Remark } | undefined {
  if (!('problem' in subject)) return undefined
  const remark = SIZE_REMARKS[subject.problem]
  return subject.base && remark ? { base: subject.base, remark } : undefined
}

function isUsableRange(
  { value, high = value }: { value: number; high?: number },
  rule: RangeRule,
  isSizeOpen: boolean,
): boolean {
  if (rule !== 'sizes') return rule === 'low'
  return isSizeOpen || high <= value * MAX_NARROW_RANGE
}

/** The tax that prices in this market contain. */
function addedTax(code: string | undefined): number {
  const market = findMarket(code ?? '')
  return market?.taxIncluded ? market.taxRate : 0
}

/** A title without a storage size is matched with the only size that the description states. */
function withStorageFromText(
  subject: SubjectMatch | SubjectMismatch,
  cell: CellGetter,
  findSubject: SubjectMatcher,
): SubjectMatch | SubjectMismatch {
  if (!('problem' in subject) || subject.problem !== STORAGE_MISSING || cell('description') === '') return subject
  const [storage, ...others] = storageSizes(cell('description'))
  return storage && others.length === 0 ? findSubject({ ...toSubjectName(cell), storage }) : subject
}

function describeDateProblem(date: string): RejectionCode {
  if (date === '') return 'date_missing'
  return /^\d{1,2}[/-]\d{1,2}[/-]\d{4}/.test(date) ? 'date_ambiguous' : 'date_invalid'
}

/** Battery health in percent from its column, the title or the description; 100 where none states it. */
function findBattery(cells: PriceCells, title: ListingText, textOf: (text: string) => ListingText): number {
  const cell = Number(/^(\d{2,3}) ?%?$/.exec(cells.battery.trim())?.[1])
  return cell || (title.battery ?? textOf(remarksOf(cells)).battery ?? 100)
}

/** What the row says in words: the description and the notes. */
const remarksOf = ({ description, notes }: PriceCells) =>
  notes === '' ? description : description === '' ? notes : `${description}. ${notes}`

/**
 * The condition of a row: a defect of the title or the description, then the condition column, the title, the description, the
 * default. A cracked back in a column of Good devices is a cracked back.
 */
function findCondition(
  cells: PriceCells,
  { defaults, grades }: PriceRowRules,
  title: ListingText,
  textOf: (text: string) => ListingText,
): ParsedCondition | RowProblem {
  const inTitle = title.condition
  const description = textOf(remarksOf(cells))
  for (const text of [title, description])
    if (text.withoutFaults !== null && text.condition && isFaultGrade(text.condition)) return text.condition
  const cell = isNothing(cells.condition) ? '' : cells.condition
  const word = grades.get(cell.trim().toLowerCase()) ?? cell
  const parsed = parseCondition(word) ?? worstOf(word)
  if (cell !== '' && !parsed) return rejectRow('condition_unknown', cell)
  // Keep the seller's word as the label if the operator mapped it to a grade.
  const stated = parsed && word !== cell ? { ...parsed, label: cell.trim().toLowerCase().slice(0, 40) } : parsed
  if (stated && stated.grade !== 'Ungraded') return stated
  const inText = inTitle ?? description.condition
  // "Used" in the column contradicts "sealed" in the text.
  if (stated) return inText && inText.grade !== 'New' ? inText : stated
  return inText ?? parseCondition(defaults.condition ?? '') ?? rejectRow('condition_missing', '')
}

const isFaultGrade = ({ grade }: ParsedCondition) => grade === 'locked' || grade === 'Poor' || isDefectGrade(grade)

const WORST_LAST = ['New', 'Excellent', 'Good', 'Fair', 'Poor']

/** Of "used, scratched" the worse; undefined if one of the words is unknown. */
function worstOf(words: string): ParsedCondition | undefined {
  const parts = words.split(/[,;]|(?<=^[a-d][+-]?) ?\/ ?(?=[a-d][+-]?$)/i).map((part) => parseCondition(part.trim()))
  if (parts.length < 2 || parts.includes(undefined)) return undefined
  const rank = ({ grade }: ParsedCondition) =>
    grade === 'locked' || isDefectGrade(grade) ? WORST_LAST.length : WORST_LAST.indexOf(grade)
  return (parts as ParsedCondition[]).reduce((worst, part) => (rank(part) > rank(worst) ? part : worst))
}

type StatedTerms = Readonly<Record<'side' | 'state' | 'lock' | 'currency' | 'market', string>> & {
  readonly condition: ParsedCondition
}

function parseTerms({ side, condition, state, lock, currency, market }: StatedTerms): ObservationTerms | RowProblem {
  const sideText = side.toLowerCase()
  // A listing whose state is "sold" was sold; without a side any other listing is an ask.
  const parsedSide = sideText === '' && state !== '' ? sideFromState(state) : parseSide(sideText)
  if (!parsedSide) return rejectRow('side_unknown', sideText)
  const listingState = parseListingState(state)
  if (!listingState) return rejectRow('state_unknown', state)
  const { grade, label } = condition
  if (grade === 'locked') return rejectRow(LOCKED_DEVICE, label)
  return {
    side: parsedSide,
    grade,
    label,
    lock: lock.toLowerCase().slice(0, 40),
    currency,
    market,
    state: stateForSide(listingState, parsedSide),
  }
}

/** The unknown country text, with the nearest known markets. */
function describeCountry(text: string): string {
  const nearest = nearestMarkets(text).map(({ code }) => code)
  return nearest.length ? `${text}; did you mean ${nearest.join(', ')}?` : text
}

function sideFromState(state: string): PriceSide | undefined {
  const listingState = parseListingState(state)
  return listingState === undefined ? undefined : listingState === 'sold' ? 'sold' : 'ask'
}

/** A sold price has a sold listing; a buyback quote has no listing and counts as active. */
function stateForSide(state: ListingState, side: PriceSide): ListingState {
  return side === 'sold' ? 'sold' : side === 'quote' ? 'active' : state
}

type CellGetter = (column: PriceColumn) => string

/** The columns of a row that identify its device. */
export const subjectNameOf = (
  cells: PriceCells,
  { defaults, assigned }: Pick<PriceRowRules, 'defaults' | 'assigned'>,
): SubjectQuery => toSubjectName((column) => cells[column] || defaults[column] || '', assigned)

/** Titles are compared ignoring case, accents and repeated blanks. */
export const titleKey = (title: string) => foldText(title).replace(/\s+/g, ' ').trim()

/** Reports show titles with the make in front, so assignments may contain it. */
const findAssigned = (cell: CellGetter, assigned: ReadonlyMap<string, string>) =>
  assigned.get(titleKey(cell('model'))) ?? assigned.get(titleKey(`${cell('make')} ${cell('model')}`))

const toSubjectName = (cell: CellGetter, assigned?: ReadonlyMap<string, string>): SubjectQuery => ({
  variantId: cell('variant'),
  sku: cell('sku'),
  partNumber: cell('partNumber'),
  make: cell('make'),
  model: (assigned?.size ? findAssigned(cell, assigned) : undefined) ?? cell('model'),
  storage: cell('storage'),
  ram: cell('ram'),
  color: cell('color'),
})

/** Cache key. Most lists only have a title; the tab keeps longer keys distinct, because no cell begins with one. */
function subjectNameKey(cell: CellGetter): string {
  const otherCells =
    cell('sku') || cell('partNumber') || cell('make') || cell('storage') || cell('ram') || cell('color')
  if (otherCells === '') return cell('model')
  return `\t${cell('sku')}\t${cell('partNumber')}\t${cell('make')}\t${cell('model')}\t${cell('storage')}\t${cell('ram')}\t${cell('color')}`
}

/**
 * A row without an id gets one derived from its content, with a counter for identical rows: two equal sales on one day stay
 * two, and importing the same file twice adds nothing.
 */
export function createListingIdGenerator(): (row: NewObservation) => string {
  const countsBySource = new Map<string, Map<number, number>>()
  return (row) => {
    if (row.listingId !== '') return row.listingId.slice(0, 120)
    const { subject, terms } = row
    const content = `${terms.side}|${subject.deviceId}|${subject.configuration}|${subject.variantId}|${terms.label}|${terms.lock}|${row.cents}|${terms.currency}|${row.observedAt}|${terms.state}`
    const hash = Bun.hash.wyhash(content)
    const name = `row-${hash.toString(36)}`
    const counts = countsBySource.getOrInsertComputed(row.source, () => new Map())
    // Stored as a number: a million of them take a fifth of the memory of strings.
    const shortHash = Number(hash >> 11n)
    const count = (counts.get(shortHash) ?? 0) + 1
    counts.set(shortHash, count)
    return count === 1 ? name : `${name}-${count}`
  }
}
