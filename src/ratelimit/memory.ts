import { decide } from './gcra.ts'
import type { Decision } from './limiter.ts'

const SWEEP_EVERY = 50_000

export type MemoryLimiter = { take(name: string, limitPerMinute: number, cost: number, epochMs: number): Decision }

/** Counts in this process, on a clock that never jumps. A name whose allowance is whole again is forgotten. */
export function memoryLimiter(clock: () => number = () => performance.now()): MemoryLimiter {
  const wholeAt = new Map<string, number>()
  let takes = 0
  return {
    take(name, limitPerMinute, cost, epochMs) {
      const nowMs = clock()
      if (++takes % SWEEP_EVERY === 0) for (const [known, at] of wholeAt) if (at <= nowMs) wholeAt.delete(known)
      const taken = decide(wholeAt.get(name) ?? 0, limitPerMinute, cost, nowMs, epochMs)
      wholeAt.set(name, taken.wholeAtMs)
      return taken.decision
    },
  }
}
