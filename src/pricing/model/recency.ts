import { DAY_MS } from '../../lib/time.ts'
import { uses } from './model-parts.ts'

/** Older observations are ignored. */
export const WINDOW_DAYS = 365

/** After this time a typical market has moved by half the spread of a listing. */
export const MAX_HALF_LIFE_DAYS = 45
const MIN_HALF_LIFE_DAYS = 10
/** Half-life in months if the monthly volatility equals the spread of listings. */
const HALF_LIFE_MONTHS = 0.3

/** Half-life of a price: short if the volatility is large compared with the spread of listings. */
export function halfLifeDays(spreads: { readonly listing: number; readonly volatility: number }): number {
  if (!uses('half-life by volatility')) return MAX_HALF_LIFE_DAYS
  const days = HALF_LIFE_MONTHS * 30.4375 * (spreads.listing / spreads.volatility) ** 2
  return Math.max(MIN_HALF_LIFE_DAYS, Math.min(MAX_HALF_LIFE_DAYS, days))
}

/** Exponential decay rate per millisecond. */
export function decayPerMs(halfLife: number): number {
  return Math.LN2 / (halfLife * DAY_MS)
}
