import type { Decision } from './limiter.ts'

const WINDOW_MS = 60_000

/**
 * The generic cell rate algorithm: a limit of n per minute lets one request pass every 60/n seconds, with a minute's
 * worth saved up at most. All that is remembered of a caller is one instant: when its allowance will be whole again.
 *
 * `wholeAtMs` and `nowMs` are of one clock that never jumps; `epochMs` is the wall clock, for what callers read.
 */
export function decide(
  wholeAtMs: number,
  limitPerMinute: number,
  cost: number,
  nowMs: number,
  epochMs: number,
): { decision: Decision; wholeAtMs: number } {
  const spacingMs = WINDOW_MS / limitPerMinute
  const from = Math.max(wholeAtMs, nowMs)
  const after = from + cost * spacingMs
  // A hair of tolerance: n steps of 60,000/n add up to a minute only in real arithmetic.
  const tooFarMs = after - nowMs - WINDOW_MS - 1e-6
  const allowed = tooFarMs <= 0
  const whole = allowed ? after : from
  const spentMs = whole - nowMs
  return {
    wholeAtMs: whole,
    decision: {
      allowed,
      limit: limitPerMinute,
      remaining: Math.max(0, Math.floor((WINDOW_MS - spentMs) / spacingMs + 1e-6)),
      resetAtEpochSeconds: Math.ceil((epochMs + spentMs) / 1000),
      retryAfterSeconds: allowed ? 0 : Math.max(1, Math.ceil(tooFarMs / 1000)),
    },
  }
}
