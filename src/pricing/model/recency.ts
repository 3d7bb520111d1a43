import { DAY_MS } from '../../lib/time.ts'

/** Older observations say nothing the drifted pool does not say better. */
export const WINDOW_DAYS = 365

/** By then a usual market has moved by half of what one listing is unsure of. */
export const MAX_HALF_LIFE_DAYS = 45
const MIN_HALF_LIFE_DAYS = 10
/** Months until a price counts half, where what wanders in a month is as much as what listings differ by. */
const HALF_LIFE_MONTHS = 0.3

/** Where prices wander farther than single listings differ, what was seen last month is soon old news. */
export function halfLifeDays(spreads: { readonly listing: number; readonly volatility: number }): number {
  const days = HALF_LIFE_MONTHS * 30.4375 * (spreads.listing / spreads.volatility) ** 2
  return Math.max(MIN_HALF_LIFE_DAYS, Math.min(MAX_HALF_LIFE_DAYS, days))
}

/** How much is forgotten per millisecond (ln). */
export function decayPerMs(halfLife: number): number {
  return Math.LN2 / (halfLife * DAY_MS)
}
