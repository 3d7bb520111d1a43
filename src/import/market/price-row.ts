/** One row of a price list, read by rules that never guess: what it lacks is said, not made up. */
import {
  type ListingState,
  type NewObservation,
  SIDES,
  type Side,
  type Terms,
} from '../../pricing/engine/observation.ts'
import { isKeptApart, readGrade } from '../../pricing/market/grade-words.ts'
import type { FoundSubject, Named, NoSubject, SubjectFinder } from '../../pricing/market/subject.ts'
import { remembered } from '../../remembered.ts'
import { addDays, dayOf } from '../../time.ts'
import { readAmount } from './amount.ts'
import { type DateOrder, readDate } from './date.ts'
import type { Cells, Column } from './price-columns.ts'

export type Problem = NoSubject
/** `listingId` is empty where the row has none. `remark` says how something was read that could be read otherwise. */
export type RowReading = (NewObservation & { readonly remark?: string }) | Problem

export type RowRules = {
  readonly findSubject: SubjectFinder
  /** US dollars for one unit on a day, or nothing when no imported rate covers it. */
  readonly rateOf: (currency: string, day: string) => number | undefined
  readonly now: number
  /** What stands for a column the file does not have, as the operator says it. */
  readonly defaults: Partial<Record<Column, string>>
  /** Grades for words of the file, as the operator says it; a word is compared without regard to case. */
  readonly grades: ReadonlyMap<string, string>
  readonly dateOrder?: DateOrder | undefined
  /** A price from … to …: taken by its low end, or refused. */
  readonly ranges: 'low' | 'refuse'
}

const STATES: Readonly<Record<string, ListingState>> = {
  '': 'active',
  active: 'active',
  new: 'active',
  alive: 'active',
  gone: 'gone',
  ended: 'gone',
  expired: 'gone',
  sold: 'sold',
}

const OLDEST = Date.UTC(2007, 0, 1)
/** No used device of the registry costs a hundred thousand dollars. */
const MOST_CENTS = 10_000_000
/**
 * An amount this far from the launch price is a slip of the unit or the currency: cents taken for dollars are a hundredfold,
 * yen or rupees taken for dollars about as much. The dearest real collectors' prices stay below it.
 */
const MOST_TIMES_LIST = 8
const LEAST_SHARE_OF_LIST = 0.004
/** A list names few things over and over; what was made of each is kept, up to so many. */
const MOST_KEPT = 50_000

const no = (problem: string, detail: string): Problem => ({ problem, detail })

/** A reader of rows, which says of each what it is or why it cannot be used. Rows share the objects for what they share. */
export function priceRowReader(rules: RowRules): (cells: Cells) => RowReading {
  const { defaults, now, rateOf } = rules
  const subjectsById = kept<FoundSubject | NoSubject>()
  const subjectsByName = kept<FoundSubject | NoSubject>()
  const termsBySaid = kept<Terms | Problem>()
  const sources = kept<string>()
  const dateOf = remembered(MOST_KEPT, (date: string) => readDate(date, rules.dateOrder))
  const amountOf = remembered(MOST_KEPT, readAmount)

  return (cells) => {
    const at = (column: Column) => cells[column] || defaults[column] || ''
    const named = at('source')
    if (named === '' || named.length > 60) return no('source is missing or too long', named)
    const source = sources(named, () => named)

    const date = at('date')
    const observedAt = dateOf(date)
    if (observedAt === undefined) return no(dateProblem(date), date)
    if (observedAt > now) return no('date is in the future', date)
    if (observedAt < OLDEST) return no('date is before 2007', date)
    const listedOn = at('listedOn')
    const listedAt = listedOn === '' ? null : dateOf(listedOn)
    if (listedAt === undefined) return no('listed_on is not a day or an instant', listedOn)

    const inCents = at('cents')
    const written = inCents || at('amount')
    const amount = amountOf(written)
    if ('problem' in amount) return no(amount.problem, written)
    if (amount.isRange && rules.ranges === 'refuse') return no('amount is a range', written)
    if (amount.value <= 0) return no('amount is not above zero', written)
    const currency = (at('currency') || amount.currency || '').toUpperCase()
    if (currency === '') return no('currency is missing', '')
    if (amount.currency !== null && amount.currency !== currency) {
      return no('the amount names another currency than the row', `${written} ${currency}`)
    }
    const rate = currency === 'USD' ? 1 : rateOf(currency, dayOf(observedAt))
    if (rate === undefined) return no('no exchange rate for that currency and day', `${currency} ${dayOf(observedAt)}`)
    const cents = Math.round((inCents ? amount.value / 100 : amount.value) * rate * 100)
    if (cents < 1 || cents > MOST_CENTS) return no('amount is absurd', `${written} ${currency}`)

    const variant = at('variant')
    const find = () => rules.findSubject(nameOf(at))
    // An id decides alone, so what it stands for is kept under it alone.
    const subject = variant === '' ? subjectsByName(nameKey(at), find) : subjectsById(variant, find)
    const isFound = !('problem' in subject)
    // A size that could be added must be worth adding: whatever else is wrong with the row is said first.
    if (!isFound && !subject.newSize) return subject
    const listCents = isFound ? subject.listCents : (subject.newSize?.listCents ?? 0)
    if (listCents > 0 && cents > listCents * MOST_TIMES_LIST) {
      return no(
        'amount is many times the launch price; is it in cents or in another currency?',
        `${written} ${currency}`,
      )
    }
    if (listCents > 0 && cents < listCents * LEAST_SHARE_OF_LIST) {
      return no('amount is next to nothing of the launch price; is it in another unit?', `${written} ${currency}`)
    }
    const lock = at('lock') || (isFound ? subject.lock : '')
    const said = [at('side'), at('condition'), at('state'), lock, currency] as const
    const terms = termsBySaid(said.join('\t'), () => readTerms(...said, rules.grades))
    if ('problem' in terms) return terms
    if (!isFound) return subject
    return {
      source,
      listingId: at('listing'),
      subject,
      terms,
      cents,
      observedAt,
      listedAt: listedAt !== null && listedAt <= observedAt ? listedAt : null,
      ...(amount.isRange ? { remark: 'a range of prices was taken by its low end' } : {}),
    }
  }
}

/** What was made of a row's texts; nearly always it is there already. */
function kept<Value extends object | string>() {
  const known = new Map<string, Value>()
  return (key: string, make: () => Value): Value => {
    const before = known.get(key)
    if (before !== undefined) return before
    if (known.size >= MOST_KEPT) known.clear()
    const made = make()
    known.set(key, made)
    return made
  }
}

function dateProblem(date: string): string {
  if (date === '') return 'date is missing'
  return /^\d{1,2}[/-]\d{1,2}[/-]\d{4}/.test(date)
    ? 'date could be two days; say the order of day and month'
    : 'date is not a day or an instant'
}

function readTerms(
  side: string,
  condition: string,
  state: string,
  lock: string,
  paidIn: string,
  grades: ReadonlyMap<string, string>,
): Terms | Problem {
  const said = side.toLowerCase()
  // What is said to be sold was sold; an offer that nobody calls a dealer's is an ask.
  const meant = said === '' && state !== '' ? sideOf(state) : SIDES.find((known) => known === said)
  if (!meant) return no('side is not ask, sold or quote', said)
  const word = grades.get(condition.trim().toLowerCase()) ?? condition
  const grade = readGrade(word)
  if (!grade && isKeptApart(word)) return no('in no grade: not working, for parts or locked', condition)
  if (!grade) return no(condition === '' ? 'condition is missing' : 'unknown condition', condition)
  const listing = STATES[state.toLowerCase()]
  if (!listing) return no('unknown state', state)
  // The seller's own word is kept where the operator only said what it means.
  const label = word === condition ? grade.label : condition.trim().toLowerCase().slice(0, 40)
  return {
    side: meant,
    rung: grade.rung,
    label,
    lock: lock.toLowerCase().slice(0, 40),
    paidIn,
    state: settledState(listing, meant),
  }
}

function sideOf(state: string): Side | undefined {
  const known = STATES[state.toLowerCase()]
  return known === undefined ? undefined : known === 'sold' ? 'sold' : 'ask'
}

/** What was sold is no longer for sale, and an offer to buy is no listing at all. */
function settledState(state: ListingState, side: Side): ListingState {
  return side === 'sold' ? 'sold' : side === 'quote' ? 'active' : state
}

type At = (column: Column) => string

/** How a row names what it is about. */
export const nameIn = (cells: Cells, defaults: RowRules['defaults']): Named =>
  nameOf((column) => cells[column] || defaults[column] || '')

const nameOf = (at: At): Named => ({
  variantId: at('variant'),
  sku: at('sku'),
  partNumber: at('partNumber'),
  make: at('make'),
  model: at('model'),
  storage: at('storage'),
  ram: at('ram'),
  color: at('color'),
})

/** Most lists have a title and nothing else; no cell begins with a tab. */
function nameKey(at: At): string {
  const beside = at('sku') || at('partNumber') || at('make') || at('storage') || at('ram') || at('color')
  if (beside === '') return at('model')
  return `\t${at('sku')}\t${at('partNumber')}\t${at('make')}\t${at('model')}\t${at('storage')}\t${at('ram')}\t${at('color')}`
}

/**
 * A row without an id gets one made of all it says, and a number for the second, third, … row that says the same: two
 * like sales on one day are two, and the same file twice is once.
 */
export function listingNames(): (row: NewObservation) => string {
  const seenBySource = new Map<string, Map<number, number>>()
  return (row) => {
    if (row.listingId !== '') return row.listingId.slice(0, 120)
    const { subject, terms } = row
    const said = `${terms.side}|${subject.deviceId}|${subject.configuration}|${subject.variantId}|${terms.label}|${terms.lock}|${row.cents}|${terms.paidIn}|${row.observedAt}|${terms.state}`
    const hash = Bun.hash.wyhash(said)
    const name = `row-${hash.toString(36)}`
    let seen = seenBySource.get(row.source)
    if (!seen) {
      seen = new Map()
      seenBySource.set(row.source, seen)
    }
    // As a number, of which a million take a fifth of the memory of texts.
    const short = Number(hash >> 11n)
    const times = (seen.get(short) ?? 0) + 1
    seen.set(short, times)
    return times === 1 ? name : `${name}-${times}`
  }
}

/** The newest rate on or up to a week before a day; markets close, but a month-old rate is another price. */
const RATE_AGE_DAYS = 7

export function rateTable(rates: readonly { currency: string; day: string; usd: number }[]): RowRules['rateOf'] {
  const byDay = new Map(rates.map(({ currency, day, usd }) => [`${currency} ${day}`, usd]))
  return (currency, day) => {
    for (let back = 0; back <= RATE_AGE_DAYS; back++) {
      const usd = byDay.get(`${currency} ${addDays(day, -back)}`)
      if (usd !== undefined) return usd
    }
    return undefined
  }
}
