import type { Decision } from '../ratelimit/limiter.ts'
import { flat } from '../wire/outgoing.ts'

/** The lines of the last answer that the next one will mostly repeat. */
let allowance = ''
let allowanceOf = Number.NaN
let reset = ''
let resetAt = Number.NaN
let secondsLeft = Number.NaN

/** What every keyed answer says about its limit: the names most clients know, and those of the IETF draft. */
export function limitFields({ limit, remaining, resetAtEpochSeconds }: Decision, now: number): string {
  if (limit !== allowanceOf) {
    allowanceOf = limit
    allowance = flat(`X-RateLimit-Limit: ${limit}\r\nRateLimit-Policy: "per-minute";q=${limit};w=60\r\n`)
  }
  const seconds = Math.max(0, Math.ceil(resetAtEpochSeconds - now / 1000))
  if (resetAtEpochSeconds !== resetAt || seconds !== secondsLeft) {
    resetAt = resetAtEpochSeconds
    secondsLeft = seconds
    reset = flat(`;t=${seconds}\r\nX-RateLimit-Reset: ${resetAtEpochSeconds}\r\n`)
  }
  const left = String(remaining)
  return `${allowance}X-RateLimit-Remaining: ${left}\r\nRateLimit: "per-minute";r=${left}${reset}`
}
