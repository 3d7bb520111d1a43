/** What the market says about a device in stock: its chance to be sold, and the price that it should have today. */

import type { RepriceReason } from '../contract/stock.ts'
import { normalCdf, Z80 } from '../lib/normal-distribution.ts'

/** Current prices of a configuration in its grade, in the currency of the purchase. */
export type MarketToday = {
  readonly amount: number
  readonly low: number
  readonly high: number
  /** Percent that sell within 28 days at `amount`. */
  readonly liquidity: number
}

/** From this age on the price goes below that of the market. */
const LONG_DAYS = 45
const LONG_SHARE = 0.95
/** Buyers differ at least this much in what they pay (standard deviation of the logarithm), however well the price is known. */
const MIN_SPREAD = 0.1
/** Smaller differences are not worth a new label. */
const MIN_CHANGE = 0.04

/**
 * Percent that a device sells within 28 days at this price. Deals spread around the market price as its 80 % range says: the
 * fewer of them are at that price or above, the rarer is a buyer.
 */
export function chanceToSell(price: number, { amount, low, high, liquidity }: MarketToday): number {
  const spread = Math.max(MIN_SPREAD, Math.log(high / low) / (2 * Z80))
  const buyers = 2 * (1 - normalCdf(Math.log(price / amount) / spread))
  const atMarket = Math.min(0.99, Math.max(0.01, liquidity / 100))
  return Math.round(100 * (1 - (1 - atMarket) ** buyers))
}

/** The price that a device in stock should have today and why; null if its price is about right. */
export function priceOfToday(
  askingPrice: number | null,
  { amount }: Pick<MarketToday, 'amount'>,
  daysInStock: number,
  /** Minor units of a unit of the currency: nobody asks for cents. */
  unit: number,
): { readonly to: number; readonly reason: RepriceReason } | null {
  const isLong = daysInStock >= LONG_DAYS
  const to = Math.round((isLong ? LONG_SHARE * amount : amount) / unit) * unit
  if (to <= 0) return null
  if (askingPrice === null) return { to, reason: 'not_priced' }
  if (Math.abs(askingPrice - to) < Math.max(unit, MIN_CHANGE * to)) return null
  if (askingPrice < to) return { to, reason: 'below_market' }
  return { to, reason: isLong && askingPrice <= (1 + MIN_CHANGE) * amount ? 'unsold' : 'above_market' }
}
