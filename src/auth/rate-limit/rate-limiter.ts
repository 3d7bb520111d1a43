import type { RateLimitDecision } from '../../http/admission.ts'

export const WINDOW_MS = 60_000

export type RateLimiter = {
  /**
   * Takes `cost` of the `limitPerMinute` requests that `key` has in any 60 seconds, or rejects and takes nothing. A cost
   * above the limit counts as the whole limit, or it could never pass. `nowMs` is the epoch time for the headers; the limit
   * itself runs on a monotonic clock.
   */
  take(key: string, limitPerMinute: number, cost: number, nowMs: number): RateLimitDecision | Promise<RateLimitDecision>
}

/** A limiter in this process: synchronous. */
export type LocalRateLimiter = {
  take(key: string, limitPerMinute: number, cost: number, nowMs: number): RateLimitDecision
  /** Counts requests that another process let through. */
  charge(key: string, cost: number): void
  /** Requests of the key in the last 60 seconds, as far as this process knows. */
  spent(key: string): number
  /** Number of keys in memory, for metrics. */
  size(): number
}

export function toRateLimitDecision(
  allowed: boolean,
  limit: number,
  remaining: number,
  resetInMs: number,
  retryInMs: number,
  nowMs: number,
): RateLimitDecision {
  return {
    allowed,
    limit,
    remaining,
    resetAtEpochSeconds: Math.ceil((nowMs + resetInMs) / 1000),
    retryAfterSeconds: allowed ? 0 : Math.max(1, Math.ceil(retryInMs / 1000)),
  }
}
