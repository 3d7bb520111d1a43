import { BASE_CURRENCY, type ExchangeRateWire } from '../contract/currency.ts'

/** How amounts of the registry, which are US cents, become those of one currency. */
export type Exchange = {
  readonly currency: string
  /** Units of the currency for one US dollar, as an answer tells it: who multiplies by it comes to the same amounts. */
  readonly unitsPerUsd: number
  /** Digits behind the point of the currency's amounts: 2 for most, 0 for yen, 3 for some dinars. */
  readonly digits: number
  /** Null for US dollars, which need no rate. */
  readonly date: string | null
}

export const US_DOLLARS: Exchange = { currency: BASE_CURRENCY, unitsPerUsd: 1, digits: 2, date: null }

/** So many digits of a rate are told; the reckoning goes on with those and no others. */
const RATE_DIGITS = 8

/** `usd`: what one unit is worth in US dollars, as rates are imported. */
export function exchangeFrom(currency: string, usdPerUnit: number, day: string): Exchange {
  return {
    currency,
    unitsPerUsd: Number((1 / usdPerUnit).toPrecision(RATE_DIGITS)),
    digits: minorUnitDigits(currency),
    date: day,
  }
}

/** By ISO 4217; a code it does not know has two. */
export function minorUnitDigits(currency: string): number {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  return format.resolvedOptions().maximumFractionDigits ?? 2
}

const minorUnitsPerUnit = ({ digits }: Exchange) => 10 ** digits

/** US cents in minor units of the currency. What is more stays more, so that ladders and ranges keep their order. */
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

export function presentExchange({ unitsPerUsd: rate, date }: Exchange): ExchangeRateWire | null {
  return date === null ? null : { rate, date }
}
