export const WINDOW_MS = 60_000

/** What a limiter says about one request, in the units its headers need. */
export type RateLimitDecision = {
  readonly allowed: boolean
  readonly limit: number
  /** Requests that would still be allowed right now. */
  readonly remaining: number
  /** When the oldest spent requests come back; on a refusal, when this very request would pass. */
  readonly resetAtEpochSeconds: number
  /** 0 when allowed. Waiting exactly this long succeeds, one second less does not. */
  readonly retryAfterSeconds: number
}

export type RateLimiter = {
  /**
   * Spends `cost` of the `limitPerMinute` requests that `key` has in any 60 seconds, or refuses and spends nothing.
   * A cost above the limit counts as the whole limit, or it could never pass. `nowMs` is the epoch time the caller's
   * answer will carry; the limit itself runs on a clock that never jumps.
   */
  take(key: string, limitPerMinute: number, cost: number, nowMs: number): RateLimitDecision | Promise<RateLimitDecision>
}

/** The part of a limiter that never waits for anybody: usable on the synchronous path. */
export type LocalRateLimiter = {
  take(key: string, limitPerMinute: number, cost: number, nowMs: number): RateLimitDecision
  /** Counts what somebody else let through for the key. */
  charge(key: string, cost: number): void
  /** What the key has spent in the last 60 seconds, as far as is known here. */
  spent(key: string): number
  /** Keys remembered at the moment, for metrics. */
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
