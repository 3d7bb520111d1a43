import { DAY_MS } from './observation.ts'

export const HALF_LIFE_DAYS = 45
/** Older observations say nothing the drifted pool does not say better. */
export const WINDOW_DAYS = 365

const PER_MS = Math.LN2 / (HALF_LIFE_DAYS * DAY_MS)

/** A price counts half after 45 days: by then the market has moved by a third of what one listing is unsure of. */
export function recencyWeight(observedAt: number, now: number): number {
  return Math.exp(-Math.max(0, now - observedAt) * PER_MS)
}
