import { type Decision, decision, type LocalLimiter, WINDOW_MS } from './limiter.ts'
import { comesBackInMs, forgetOld, nothingSpent, type Spending, spend } from './window.ts'

type Options = {
  /** Keys remembered at most. Beyond it those not seen for longest are forgotten, so an attack from millions of addresses costs no memory. */
  readonly maxKeys?: number
  /** A clock that never jumps, in milliseconds. */
  readonly monotonicMs?: () => number
}

/** Limits kept in this process. Never waits: the hot path stays synchronous. */
export function memoryLimiter({
  maxKeys = 100_000,
  monotonicMs = () => performance.now(),
}: Options = {}): LocalLimiter {
  // Two generations instead of a sweep: a key seen again moves to the young one, and when the young one is a window old
  // or holds half of what we may keep, the old one is dropped as a whole.
  let young = new Map<string, Spending>()
  let old = new Map<string, Spending>()
  let turnedAt = monotonicMs()
  const half = Math.max(1, Math.floor(maxKeys / 2))

  function turn(now: number): void {
    old = young
    young = new Map()
    turnedAt = now
  }

  function spendingOf(key: string, now: number): Spending {
    const known = young.get(key)
    if (known !== undefined) return known
    const spending = old.get(key) ?? nothingSpent()
    old.delete(key)
    if (young.size >= half) turn(now)
    young.set(key, spending)
    return spending
  }

  return {
    take(key: string, limitPerMinute: number, cost: number, nowMs: number): Decision {
      const now = monotonicMs()
      if (now - turnedAt >= WINDOW_MS) turn(now)
      if (!(limitPerMinute >= 1)) return decision(false, 0, 0, WINDOW_MS, WINDOW_MS, nowMs)
      const spending = spendingOf(key, now)
      forgetOld(spending, now)
      const charged = cost > limitPerMinute ? limitPerMinute : cost
      const over = spending.total + charged - limitPerMinute
      if (over > 0) {
        const waitMs = comesBackInMs(spending, over, now)
        return decision(false, limitPerMinute, Math.max(0, limitPerMinute - spending.total), waitMs, waitMs, nowMs)
      }
      spend(spending, charged, now)
      return decision(true, limitPerMinute, limitPerMinute - spending.total, comesBackInMs(spending, 0, now), 0, nowMs)
    },
    charge(key, cost) {
      const now = monotonicMs()
      if (now - turnedAt >= WINDOW_MS) turn(now)
      const spending = spendingOf(key, now)
      forgetOld(spending, now)
      spend(spending, cost, now)
    },
    spent(key) {
      const spending = young.get(key) ?? old.get(key)
      if (spending === undefined) return 0
      forgetOld(spending, monotonicMs())
      return spending.total
    },
    size: () => young.size + old.size,
  }
}
