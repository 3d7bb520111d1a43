import { MINUTE_MS } from '../lib/time.ts'

/** Wrong passwords that cost nothing, so that a person may mistype. */
export const FREE_FAILURES = 5
const FIRST_PAUSE_MS = 10_000
const MAX_PAUSE_MS = 15 * MINUTE_MS

/** When the next attempt may be made after that many wrong passwords in a row; each pause doubles the one before. */
export function blockedUntil(failures: number, now: number): number | null {
  if (failures < FREE_FAILURES) return null
  return now + Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(20, failures - FREE_FAILURES))
}
