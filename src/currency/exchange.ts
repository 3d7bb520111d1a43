import { BASE_CURRENCY, type ExchangeRateWire } from '../contract/currency.ts'

/** How amounts of the registry, which are US cents, become those of one currency. */
export type Exchange = {
  readonly currency: string
  /** Units of the currency for one US dollar, as an answer tells it: who multiplies by it comes to the same amounts. */
  readonly rate: number
  /** Digits behind the point of the currency's amounts: 2 for most, 0 for yen, 3 for some dinars. */
  readonly digits: number
  /** Null for US dollars, which need no rate. */
  readonly date: string | null
}

export const DOLLARS: Exchange = { currency: BASE_CURRENCY, rate: 1, digits: 2, date: null }

/** So many digits of a rate are told; the reckoning goes on with those and no others. */
const RATE_DIGITS = 8

/** `usd`: what one unit is worth in US dollars, as rates are imported. */
export function exchangeOf(currency: string, usd: number, day: string): Exchange {
  return { currency, rate: Number((1 / usd).toPrecision(RATE_DIGITS)), digits: minorDigits(currency), date: day }
}

/** By ISO 4217; a code it does not know has two. */
export function minorDigits(currency: string): number {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  return format.resolvedOptions().maximumFractionDigits ?? 2
}

const minorUnits = ({ digits }: Exchange) => 10 ** digits

/** US cents in minor units of the currency. What is more stays more, so that ladders and ranges keep their order. */
export function fromCents(cents: number, exchange: Exchange): number {
  return exchange === DOLLARS ? cents : Math.round((cents / 100) * exchange.rate * minorUnits(exchange))
}

/** Minor units of one currency in those of another. */
export function betweenCurrencies(amount: number, from: Exchange, to: Exchange): number {
  if (from.currency === to.currency) return amount
  return Math.round((amount / minorUnits(from) / from.rate) * to.rate * minorUnits(to))
}

export function presentExchange({ rate, date }: Exchange): ExchangeRateWire | null {
  return date === null ? null : { rate, date }
}
