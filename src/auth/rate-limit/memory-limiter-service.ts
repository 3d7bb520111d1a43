import { type LocalRateLimiter, type RateLimitDecision, toRateLimitDecision, WINDOW_MS } from './rate-limiter.ts'
import { addToWindow, dropExpired, emptyWindow, msUntilAvailable, type WindowUsage } from './sliding-window.ts'

type MemoryLimiterOptions = {
  /** Beyond this the least recently seen keys are dropped, so that an attack from millions of addresses costs no memory. */
  readonly maxKeys?: number
  /** A monotonic clock in milliseconds. */
  readonly monotonicMs?: () => number
}

/** Limits in this process. Synchronous, for the hot path. */
export function memoryLimiter({
  maxKeys = 100_000,
  monotonicMs = () => performance.now(),
}: MemoryLimiterOptions = {}): LocalRateLimiter {
  // Two generations instead of a sweep: a key seen again moves to the young one. When the young one is a window old or
  // holds half of `maxKeys`, the old one is dropped as a whole.
  let young = new Map<string, WindowUsage>()
  let old = new Map<string, WindowUsage>()
  let rotatedAt = monotonicMs()
  const half = Math.max(1, Math.floor(maxKeys / 2))

  function rotateGenerations(now: number): void {
    old = young
    young = new Map()
    rotatedAt = now
  }

  function spendingOf(key: string, now: number): WindowUsage {
    const recent = young.get(key)
    if (recent !== undefined) return recent
    const spending = old.get(key) ?? emptyWindow()
    old.delete(key)
    if (young.size >= half) rotateGenerations(now)
    young.set(key, spending)
    return spending
  }

  return {
    take(key: string, limitPerMinute: number, cost: number, nowMs: number): RateLimitDecision {
      const now = monotonicMs()
      if (now - rotatedAt >= WINDOW_MS) rotateGenerations(now)
      if (!(limitPerMinute >= 1)) return toRateLimitDecision(false, 0, 0, WINDOW_MS, WINDOW_MS, nowMs)
      const spending = spendingOf(key, now)
      dropExpired(spending, now)
      const charged = cost > limitPerMinute ? limitPerMinute : cost
      const over = spending.total + charged - limitPerMinute
      if (over > 0) {
        const waitMs = msUntilAvailable(spending, over, now)
        return toRateLimitDecision(
          false,
          limitPerMinute,
          Math.max(0, limitPerMinute - spending.total),
          waitMs,
          waitMs,
          nowMs,
        )
      }
      addToWindow(spending, charged, now)
      return toRateLimitDecision(
        true,
        limitPerMinute,
        limitPerMinute - spending.total,
        msUntilAvailable(spending, 0, now),
        0,
        nowMs,
      )
    },
    charge(key, cost) {
      const now = monotonicMs()
      if (now - rotatedAt >= WINDOW_MS) rotateGenerations(now)
      const spending = spendingOf(key, now)
      dropExpired(spending, now)
      addToWindow(spending, cost, now)
    },
    spent(key) {
      const spending = young.get(key) ?? old.get(key)
      if (spending === undefined) return 0
      dropExpired(spending, monotonicMs())
      return spending.total
    },
    size: () => young.size + old.size,
  }
}
