/** What a limiter decided about one request. */
export type Decision = {
  readonly allowed: boolean
  readonly limit: number
  readonly remaining: number
  /** When the whole limit is free again. */
  readonly resetAtEpochSeconds: number
  /** Whole seconds after which the same request succeeds; 0 when it was allowed. */
  readonly retryAfterSeconds: number
}

/** Counts requests per minute under a name. In memory it answers at once; a shared one may have to ask. */
export type Limiter = {
  take(name: string, limitPerMinute: number, cost: number, nowMs: number): Decision | Promise<Decision>
}
