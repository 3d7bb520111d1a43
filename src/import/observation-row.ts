/** One row of a price list, read by rules that never guess: what it lacks is said, not made up. */
import type { ObservationTable } from '../db/schema.ts'
import { readGrade } from '../pricing/condition.ts'
import { type ListingState, SIDES, type Side } from '../pricing/observation.ts'
import type { Named, Resolver } from '../pricing/resolution.ts'

/** The columns of the format, each with the other names people use for it. */
export const COLUMNS = {
  source: ['source', 'market', 'vendor'],
  side: ['side'],
  variant: ['variant_id', 'variant'],
  sku: ['sku'],
  partNumber: ['part_number', 'part'],
  make: ['make', 'brand', 'manufacturer'],
  model: ['model', 'title', 'device'],
  storage: ['storage', 'storage_gb', 'capacity'],
  color: ['color', 'colour'],
  condition: ['condition', 'grade'],
  amount: ['amount', 'price', 'price_usd', 'sold_price', 'sold_price_usd'],
  cents: ['price_cents', 'amount_cents'],
  currency: ['currency'],
  date: ['date', 'observed_at', 'observed_on', 'sold_at', 'sold_date', 'list_date', 'day'],
  listing: ['listing_id', 'listing', 'item_id', 'id'],
  state: ['state', 'status'],
  listedOn: ['listed_on', 'listed_at'],
  lock: ['lock', 'carrier', 'lock_status'],
} as const satisfies Record<string, readonly string[]>

export type Column = keyof typeof COLUMNS
export type Cells = Readonly<Record<Column, string>>

export type RowReading = { readonly row: ObservationTable } | { readonly problem: string; readonly detail: string }

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

const DAY_MS = 86_400_000
const OLDEST = Date.UTC(2007, 0, 1)
/** No used device of the registry costs a hundred thousand dollars. */
const MOST_CENTS = 10_000_000
/**
 * An amount this far from the launch price is a slip of the unit or the currency: cents taken for dollars are a hundredfold,
 * yen or rupees taken for dollars about as much. The dearest real collectors' prices stay below it.
 */
const MOST_TIMES_LIST = 8
const LEAST_SHARE_OF_LIST = 0.004

const no = (problem: string, detail: string) => ({ problem, detail })

/** Reads a row, or says why it cannot be used. */
export function readObservationRow(cells: Cells, rules: RowRules): RowReading {
  const at = (column: Column) => cells[column] || rules.defaults[column] || ''
  const source = at('source')
  if (source === '' || source.length > 60) return no('source is missing or too long', source)
  const said = at('side').toLowerCase()
  // What is said to be sold was sold; an offer that nobody calls a dealer's is an ask.
  const side = said === '' && at('state') !== '' ? sideOf(at('state')) : SIDES.find((known) => known === said)
  if (!side) return no('side is not ask, sold or quote', said)
  const grade = readGrade(at('condition'))
  if (!grade) return no('unknown condition', at('condition'))
  const state = STATES[at('state').toLowerCase()]
  if (!state) return no('unknown state', at('state'))
  const observedAt = readInstant(at('date'))
  if (observedAt === undefined) return no('date is not a day or an instant', at('date'))
  if (observedAt > rules.now) return no('date is in the future', at('date'))
  if (observedAt < OLDEST) return no('date is before 2007', at('date'))
  const listedAt = at('listedOn') === '' ? null : readInstant(at('listedOn'))
  if (listedAt === undefined) return no('listed_on is not a day or an instant', at('listedOn'))

  const inCents = at('cents')
  const written = inCents || at('amount')
  const read = readAmount(written)
  if (read === undefined) return no('amount is not a number', written)
  if (read <= 0) return no('amount is not above zero', written)
  const amount = inCents ? read / 100 : read
  const currency = at('currency').toUpperCase()
  if (currency === '') return no('currency is missing', '')
  const rate = currency === 'USD' ? 1 : rules.rateOf(currency, dayOf(observedAt))
  if (rate === undefined) return no('no exchange rate for that currency and day', `${currency} ${dayOf(observedAt)}`)
  const cents = Math.round(amount * rate * 100)
  if (cents < 1 || cents > MOST_CENTS) return no('amount is absurd', `${written} ${currency}`)

  const found = rules.resolve(namedBy(at))
  if ('problem' in found) return found
  if (found.listCents > 0 && cents > found.listCents * MOST_TIMES_LIST) {
    return no('amount is many times the launch price; is it in cents or in another currency?', `${written} ${currency}`)
  }
  if (found.listCents > 0 && cents < found.listCents * LEAST_SHARE_OF_LIST) {
    return no('amount is next to nothing of the launch price; is it in another unit?', `${written} ${currency}`)
  }
  return {
    row: {
      source,
      listing_id: at('listing'),
      side,
      device_id: found.deviceId,
      configuration: found.configuration,
      variant_id: found.variantId,
      rung: grade.rung,
      label: grade.label,
      lock: at('lock').toLowerCase().slice(0, 40),
      cents,
      paid_in: currency,
      observed_at: observedAt,
      listed_at: listedAt !== null && listedAt <= observedAt ? listedAt : null,
      state: settledState(state, side),
    },
  }
}

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)

function sideOf(state: string): Side | undefined {
  const known = STATES[state.toLowerCase()]
  return known === undefined ? undefined : known === 'sold' ? 'sold' : 'ask'
}

/** What was sold is no longer for sale, and an offer to buy is no listing at all. */
function settledState(state: ListingState, side: Side): ListingState {
  return side === 'sold' ? 'sold' : side === 'quote' ? 'active' : state
}

function namedBy(at: (column: Column) => string): Named {
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

/** "1,299.00", "1299", "$1299.00" and "1299.5"; a comma as the decimal sign is not guessed at. */
function readAmount(text: string): number | undefined {
  const plain = text.replace(/^[$€£]\s?/, '')
  if (/^-?\d{1,9}(\.\d{1,6})?$/.test(plain)) return Number(plain)
  if (/^-?\d{1,3}(,\d{3})+(\.\d{1,2})?$/.test(plain)) return Number(plain.replaceAll(',', ''))
  return undefined
}

export function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && readInstant(text) !== undefined
}

const days = new Map<string, number>()

/** A day is its beginning in UTC. Lists repeat few days many times, so each is read once. */
function readInstant(text: string): number | undefined {
  if (text.length === 10) {
    const known = days.get(text)
    if (known !== undefined) return known
    const at = Date.parse(`${text}T00:00:00Z`)
    if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== text) {
      return undefined
    }
    if (days.size > 20_000) days.clear()
    days.set(text, at)
    return at
  }
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
      const earlier = new Date(Date.parse(`${day}T00:00:00Z`) - back * DAY_MS).toISOString().slice(0, 10)
      const usd = byDay.get(`${currency} ${earlier}`)
      if (usd !== undefined) return usd
    }
    return undefined
  }
}
