import { DAY_MS } from './observation.ts'

export const HALF_LIFE_DAYS = 45
/** Older observations say nothing the drifted pool does not say better. */
export const WINDOW_DAYS = 365

/** A price counts half after 45 days: by then the market has moved by a third of what one listing is unsure of. */
export function recencyWeight(observedAt: number, now: number): number {
  return 2 ** (-Math.max(0, now - observedAt) / (HALF_LIFE_DAYS * DAY_MS))
}
