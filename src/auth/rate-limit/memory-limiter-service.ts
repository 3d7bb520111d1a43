import type { RateLimitDecision } from '../../http/admission.ts'
import { type LocalRateLimiter, toRateLimitDecision, WINDOW_MS } from './rate-limiter.ts'
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
  const maxYoungKeys = Math.max(1, Math.floor(maxKeys / 2))

  function rotateGenerations(now: number): void {
    old = young
    young = new Map()
    rotatedAt = now
  }

  function usageOf(key: string, now: number): WindowUsage {
    const recent = young.get(key)
    if (recent !== undefined) return recent
    const usage = old.get(key) ?? emptyWindow()
    old.delete(key)
    if (young.size >= maxYoungKeys) rotateGenerations(now)
    young.set(key, usage)
    return usage
  }

  return {
    take(key: string, limitPerMinute: number, cost: number, nowMs: number): RateLimitDecision {
      const now = monotonicMs()
      if (now - rotatedAt >= WINDOW_MS) rotateGenerations(now)
      if (!(limitPerMinute >= 1)) return toRateLimitDecision(false, 0, 0, WINDOW_MS, WINDOW_MS, nowMs)
      const usage = usageOf(key, now)
      dropExpired(usage, now)
      const chargedCost = cost > limitPerMinute ? limitPerMinute : cost
      const excess = usage.total + chargedCost - limitPerMinute
      if (excess > 0) {
        const waitMs = msUntilAvailable(usage, excess, now)
        return toRateLimitDecision(
          false,
          limitPerMinute,
          Math.max(0, limitPerMinute - usage.total),
          waitMs,
          waitMs,
          nowMs,
        )
      }
      addToWindow(usage, chargedCost, now)
      return toRateLimitDecision(
        true,
        limitPerMinute,
        limitPerMinute - usage.total,
        msUntilAvailable(usage, 0, now),
        0,
        nowMs,
      )
    },
    charge(key, cost) {
      const now = monotonicMs()
      if (now - rotatedAt >= WINDOW_MS) rotateGenerations(now)
      const usage = usageOf(key, now)
      dropExpired(usage, now)
      addToWindow(usage, cost, now)
    },
    spent(key) {
      const usage = young.get(key) ?? old.get(key)
      if (usage === undefined) return 0
      dropExpired(usage, monotonicMs())
      return usage.total
    },
    size: () => young.size + old.size,
  }
}
