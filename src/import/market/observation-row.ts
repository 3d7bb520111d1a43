/** One row of a price list, read by rules that never guess: what it lacks is said, not made up. */

import {
  type ListingState,
  type NewObservation,
  SIDES,
  type Side,
  type Terms,
} from '../../pricing/engine/observation.ts'
import { isKeptApart, readGrade } from '../../pricing/market/grade-words.ts'
import type { Named, Resolution, Resolver } from '../../pricing/market/resolution.ts'
import { remembered } from '../../remembered.ts'
import { addDays, dayOf, isDay, startOfDay } from '../../time.ts'
import type { Cells, Column } from './observation-cells.ts'

type Problem = { readonly problem: string; readonly detail: string }
/** `listingId` is empty where the row has none. */
type RowReading = NewObservation | Problem

export type RowRules = {
  readonly resolve: Resolver
  /** US dollars for one unit on a day, or nothing when no imported rate covers it. */
  readonly rateOf: (currency: string, day: string) => number | undefined
  readonly now: number
  /** What stands for a column the file does not have, from the command line. */
  readonly defaults: Partial<Record<Column, string>>
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

const no = (problem: string, detail: string): Problem => ({ problem, detail })
/** A list names few things over and over; what was made of each is kept, up to so many. */
const MOST_KEPT = 50_000

/** A reader of rows, which says of each what it is or why it cannot be used. Rows share the objects for what they share. */
export function observationRowReader(rules: RowRules): (cells: Cells) => RowReading {
  const { defaults, now, rateOf } = rules
  const subjects = kept<Resolution>()
  const termsOf = kept<Terms | Problem>()
  const sources = kept<string>()

  return (cells) => {
    const named = cells.source || defaults.source || ''
    if (named === '' || named.length > 60) return no('source is missing or too long', named)
    const source = sources.get(named) ?? sources.keep(named, named)
    const currency = cells.currency || defaults.currency || ''
    const side = cells.side || defaults.side || ''
    const condition = cells.condition || defaults.condition || ''
    const state = cells.state || defaults.state || ''
    const lock = cells.lock || defaults.lock || ''
    const said = `${side}\t${condition}\t${state}\t${lock}\t${currency}`
    const terms = termsOf.get(said) ?? termsOf.keep(said, readTerms(side, condition, state, lock, currency))
    if ('problem' in terms) return terms
    const date = cells.date || defaults.date || ''
    const observedAt = readInstant(date)
    if (observedAt === undefined) return no('date is not a day or an instant', date)
    if (observedAt > now) return no('date is in the future', date)
    if (observedAt < OLDEST) return no('date is before 2007', date)
    const listedOn = cells.listedOn || defaults.listedOn || ''
    const listedAt = listedOn === '' ? null : readInstant(listedOn)
    if (listedAt === undefined) return no('listed_on is not a day or an instant', listedOn)

    const inCents = cells.cents || defaults.cents || ''
    const written = inCents || cells.amount || defaults.amount || ''
    const read = readAmount(written)
    if (read === undefined) return no('amount is not a number', written)
    if (read <= 0) return no('amount is not above zero', written)
    const amount = inCents ? read / 100 : read
    if (currency === '') return no('currency is missing', '')
    const rate = terms.paidIn === 'USD' ? 1 : rateOf(terms.paidIn, dayOf(observedAt))
    if (rate === undefined) {
      return no('no exchange rate for that currency and day', `${terms.paidIn} ${dayOf(observedAt)}`)
    }
    const cents = Math.round(amount * rate * 100)
    if (cents < 1 || cents > MOST_CENTS) return no('amount is absurd', `${written} ${terms.paidIn}`)

    const name = nameKey(cells, defaults)
    const subject = subjects.get(name) ?? subjects.keep(name, rules.resolve(nameIn(cells, defaults)))
    if ('problem' in subject) return subject
    if (subject.listCents > 0 && cents > subject.listCents * MOST_TIMES_LIST) {
      return no(
        'amount is many times the launch price; is it in cents or in another currency?',
        `${written} ${terms.paidIn}`,
      )
    }
    if (subject.listCents > 0 && cents < subject.listCents * LEAST_SHARE_OF_LIST) {
      return no('amount is next to nothing of the launch price; is it in another unit?', `${written} ${terms.paidIn}`)
    }
    return {
      source,
      listingId: cells.listing || defaults.listing || '',
      subject,
      terms,
      cents,
      observedAt,
      listedAt: listedAt !== null && listedAt <= observedAt ? listedAt : null,
    }
  }
}

function readTerms(side: string, condition: string, state: string, lock: string, currency: string): Terms | Problem {
  const said = side.toLowerCase()
  // What is said to be sold was sold; an offer that nobody calls a dealer's is an ask.
  const meant = said === '' && state !== '' ? sideOf(state) : SIDES.find((known) => known === said)
  if (!meant) return no('side is not ask, sold or quote', said)
  const grade = readGrade(condition)
  if (!grade)
    return no(isKeptApart(condition) ? 'in no grade: not working, for parts or locked' : 'unknown condition', condition)
  const listing = STATES[state.toLowerCase()]
  if (!listing) return no('unknown state', state)
  return {
    side: meant,
    rung: grade.rung,
    label: grade.label,
    lock: lock.toLowerCase().slice(0, 40),
    paidIn: currency.toUpperCase(),
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

function nameIn(cells: Cells, defaults: Partial<Cells>): Named {
  const at = (column: Column) => cells[column] || defaults[column] || ''
  return {
    variantId: at('variant'),
    sku: at('sku'),
    partNumber: at('partNumber'),
    make: at('make'),
    model: at('model'),
    storage: at('storage'),
    color: at('color'),
  }
}

/** A variant's id decides alone, so what it stands for is kept under it alone. */
function nameKey(cells: Cells, defaults: Partial<Cells>): string {
  return cells.variant || defaults.variant || Object.values(nameIn(cells, defaults)).join('\t')
}

/** What was made of each text; nearly always it is there, so asking for it makes nothing. */
function kept<Value extends object | string>() {
  const known = new Map<string, Value>()
  return {
    get: (key: string) => known.get(key),
    keep(key: string, value: Value): Value {
      if (known.size >= MOST_KEPT) known.clear()
      known.set(key, value)
      return value
    },
  }
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

/** "1,299.00", "1299", "$1299.00" and "1299.5"; a comma as the decimal sign is not guessed at. */
function readAmount(text: string): number | undefined {
  const plain = text.replace(/^[$€£]\s?/, '')
  if (/^-?\d{1,9}(\.\d{1,6})?$/.test(plain)) return Number(plain)
  if (/^-?\d{1,3}(,\d{3})+(\.\d{1,2})?$/.test(plain)) return Number(plain.replaceAll(',', ''))
  return undefined
}

/** Lists repeat few days many times, so each is read once. */
const dayBegin = remembered(20_000, (day: string) => (isDay(day) ? startOfDay(day) : undefined))

/** A day is its beginning in UTC. */
function readInstant(text: string): number | undefined {
  if (text.length === 10) return dayBegin(text)
  if (!/^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?$/.test(text)) return undefined
  const at = Date.parse(/Z|[+-]\d{2}:?\d{2}$/.test(text) ? text : `${text.replace(' ', 'T')}Z`)
  return Number.isNaN(at) ? undefined : at
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
