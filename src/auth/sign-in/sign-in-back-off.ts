import { MINUTE_MS } from '../../lib/time.ts'

/** Free attempts, because people mistype. */
export const FREE_FAILURES = 5
const FIRST_PAUSE_MS = 10_000
const MAX_PAUSE_MS = 15 * MINUTE_MS

/** Exponential back-off after failed attempts in a row. */
export function blockedUntil(failures: number, now: number): number | null {
  if (failures < FREE_FAILURES) return null
  return now + Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(20, failures - FREE_FAILURES))
}
