import type { Decision } from '../ratelimit/limiter.ts'

/** Writes one header, however the caller keeps them. */
export type SetHeader = (name: string, value: string) => void

/** What every keyed answer says about its limit: the names most clients know, and those of the IETF draft. */
export function setLimitHeaders(set: SetHeader, decision: Decision, now: number): void {
  const { limit, remaining, resetAtEpochSeconds } = decision
  const secondsLeft = Math.max(0, Math.ceil(resetAtEpochSeconds - now / 1000))
  const allowed = allowanceOf(limit)
  set('X-RateLimit-Limit', allowed.limit)
  set('RateLimit-Policy', allowed.policy)
  set('X-RateLimit-Remaining', String(remaining))
  set('X-RateLimit-Reset', String(resetAtEpochSeconds))
  set('RateLimit', `"per-minute";r=${remaining};t=${secondsLeft}`)
}

type Allowance = { readonly limit: string; readonly policy: string }
const allowances = new Map<number, Allowance>()

/** There are few limits and many answers. */
function allowanceOf(limit: number): Allowance {
  let known = allowances.get(limit)
  if (!known) {
    if (allowances.size > 1_000) allowances.clear()
    known = { limit: String(limit), policy: `"per-minute";q=${limit};w=60` }
    allowances.set(limit, known)
  }
  return known
}
