import { findMarket } from '../country-market.ts'
import { uses } from './model-parts.ts'
import type { Trade } from './observation.ts'

/**
 * Prior price level of a country before any of its prices was observed, in ln relative to the United States.
 *
 * Consumers see prices with tax in most countries, so used prices there are higher by about that tax. The remaining
 * difference, `PRICE_LEVELS`, was learned by pricing each set of real prices from all sets of other countries
 * (`npm run lab -- evaluate --markets`): half of the median difference, because one set is one source of one country.
 */
const PRICE_LEVELS: Readonly<Record<string, number>> = { kr: -0.03, vn: 0.07 }

/** Standard deviation (ln) of a country's level around its prior, and around one borrowed from observed countries. */
export const COUNTRY_LEVEL_SPREAD = 0.13
export const BORROWED_LEVEL_SPREAD = 0.1
/** Dealers outside the United States pay less than resale prices imply. */
const BUYBACK_LEVEL_ABROAD = -0.15
const HOME = 'us'

/** Prior level (ln) of a country's prices relative to the United States. */
export function countryLevel(code: string, trade: Trade): number {
  if (code === HOME || !uses('country levels')) return 0
  const market = findMarket(code)
  if (!market) return 0
  // Dealers pay private sellers, who charge no tax.
  if (trade === 'buyback') return BUYBACK_LEVEL_ABROAD + (PRICE_LEVELS[code] ?? 0)
  return (market.taxIncluded ? Math.log(1 + market.taxRate) : 0) + (PRICE_LEVELS[code] ?? 0)
}
