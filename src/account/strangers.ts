import { blockedUntil } from './back-off.ts'

const MOST = 10_000

/**
 * Counts attempts on addresses that nobody has, by the same rule as for people, so that being slowed down does not
 * tell a stranger that an address is known. Kept in memory; the oldest are forgotten first.
 */
export function strangers() {
  const attempts = new Map<string, { failures: number; blocked: number | null }>()
  return {
    beginAttempt(email: string, now: number): number | null {
      const known = attempts.get(email)
      if (known?.blocked && known.blocked > now) return known.blocked
      const failures = (known?.failures ?? 0) + 1
      attempts.delete(email)
      attempts.set(email, { failures, blocked: blockedUntil(failures, now) })
      const [oldest] = attempts.keys()
      if (attempts.size > MOST && oldest !== undefined) attempts.delete(oldest)
      return null
    },
  }
}
