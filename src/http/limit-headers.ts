import type { Decision } from '../ratelimit/limiter.ts'

/** Writes one header, however the caller keeps them. */
export type SetHeader = (name: string, value: string) => void

/** What every keyed answer says about its limit: the names most clients know, and those of the IETF draft. */
export function setLimitHeaders(set: SetHeader, decision: Decision, now: number): void {
  const { limit, remaining, resetAtEpochSeconds } = decision
  const allowed = allowanceOf(limit)
  set('X-RateLimit-Limit', allowed.text)
  set('RateLimit-Policy', allowed.policy)
  set('X-RateLimit-Remaining', String(remaining))
  set('X-RateLimit-Reset', String(resetAtEpochSeconds))
  set('RateLimit', rateLimit(remaining, secondsUntil(resetAtEpochSeconds, now)))
}

export function secondsUntil(epochSeconds: number, now: number): number {
  return Math.max(0, Math.ceil(epochSeconds - now / 1000))
}

export function rateLimit(remaining: number, secondsLeft: number): string {
  return `"per-minute";r=${remaining};t=${secondsLeft}`
}

type Allowance = { readonly text: string; readonly policy: string }
const allowances = new Map<number, Allowance>()

/** There are few limits and many answers. */
export function allowanceOf(limit: number): Allowance {
  let known = allowances.get(limit)
  if (!known) {
    if (allowances.size > 1_000) allowances.clear()
    known = { text: String(limit), policy: `"per-minute";q=${limit};w=60` }
    allowances.set(limit, known)
  }
  return known
}
