import { BASE_CURRENCY, type ExchangeRateWire } from '../contract/currency.ts'
import { editDistance } from '../lib/edit-distance.ts'
import { DomainError } from '../lib/errors.ts'
import { reason } from '../lib/reasons.ts'
import { minorUnitDigits } from './minor-units.ts'
import { type DatedRate, isStaleRate, type RateLookup } from './rate-lookup.ts'

/** Converts US cents, the unit of all stored amounts, to minor units of a currency. */
export type Exchange = {
  readonly currency: string
  /** Units of the currency for one US dollar, rounded as responses show it, so that callers can repeat the conversion. */
  readonly unitsPerUsd: number
  /** Decimals of the currency: 2 for most, 0 for yen and won, 3 for some dinars. */
  readonly digits: number
  /** The rate as responses show it; null for US dollars. */
  readonly rate: Required<ExchangeRateWire> | null
}

export const US_DOLLARS: Exchange = { currency: BASE_CURRENCY, unitsPerUsd: 1, digits: 2, rate: null }

const RATE_DIGITS = 8

/** `day`: the day of the response, by which a rate is stale or not. */
export function createExchange(currency: string, { usd, day: date, source }: DatedRate, day: string): Exchange {
  const unitsPerUsd = Number((1 / usd).toPrecision(RATE_DIGITS))
  const rate = { rate: unitsPerUsd, date, stale: isStaleRate(date, day), source }
  return { currency, unitsPerUsd, digits: minorUnitDigits(currency), rate }
}

const minorUnitsPerUnit = ({ digits }: Exchange) => 10 ** digits

/** US cents in minor units of the currency. Monotonic, so that grades and ranges keep their order. */
export function convertCents(cents: number, exchange: Exchange): number {
  return exchange === US_DOLLARS
    ? cents
    : Math.round((cents / 100) * exchange.unitsPerUsd * minorUnitsPerUnit(exchange))
}

/** Minor units of one currency in those of another. */
export function convertBetween(amount: number, from: Exchange, to: Exchange): number {
  if (from.currency === to.currency) return amount
  return Math.round((amount / minorUnitsPerUnit(from) / from.unitsPerUsd) * to.unitsPerUsd * minorUnitsPerUnit(to))
}

export function findExchange(
  rates: RateLookup,
  currency: string | undefined,
  day: string,
  field = 'currency',
): Exchange {
  if (currency === undefined || currency === BASE_CURRENCY) return US_DOLLARS
  const rate = rates.find(currency, day)
  if (!rate) throw missingRate(field, currency, rates.currencies)
  return createExchange(currency, rate, day)
}

/** Names the closest codes, because most unknown ones are typing errors, and how to add a rate. */
export function missingRate(field: string, currency: string, currencies: readonly string[]): DomainError {
  const nearest = currencies.filter((code) => editDistance(code, currency, 1) <= 1).slice(0, 5)
  const hint = nearest.length > 0 ? ` Did you mean ${nearest.join(', ')}?` : ''
  const message = `${field} was "${currency}", which has no exchange rate.${hint} Add rates of other currencies with "import rates".`
  return new DomainError('invalid', message, reason('no_exchange_rate', { currency }), [{ field, message }])
}
