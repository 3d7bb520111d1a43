/** Lowers the concurrency limit while the event loop lags (additive increase, multiplicative decrease). */
export type LoopLagController = {
  /** Fraction of the concurrency limit to use now: 1 while the loop keeps up. */
  limitFactor(): number
  /** Call for every request that takes a slot; measures the current loop iteration. */
  onRequest(isNearLimit: boolean): void
  /** Whether the current iteration already exceeds MAX_ITERATION_MS. */
  isIterationSlow(): boolean
}

export type LoopLagOptions = {
  /** A clock that never jumps, in milliseconds. */
  readonly monotonicMs?: () => number
  /** Calls back at the end of the current loop iteration. */
  readonly nextIteration?: (callback: () => void) => void
}

/** A longer iteration is a queue: requests that arrive meanwhile wait for its end. */
const MAX_ITERATION_MS = 10
const EVALUATE_EVERY_MS = 100
const DECREASE = 0.8
const INCREASE = 0.04
/** Never lower: a pause may have nothing to do with load, such as another program on the machine. */
const MIN_FACTOR = 0.5

/**
 * Every request waits for the loop iteration in which it arrives, served or rejected. While iterations are slow near the
 * limit, the limit is lowered by a fifth ten times a second, otherwise raised a little, as congestion control does.
 */
export function loopLagController({
  monotonicMs = () => performance.now(),
  nextIteration = setImmediate,
}: LoopLagOptions = {}): LoopLagController {
  let factor = 1
  let iterationStartedAt: number | undefined
  let evaluatedAt = monotonicMs()
  let totalMs = 0
  let totalSquaredMs = 0
  let wasNearLimit = false

  function onIterationEnd(): void {
    const now = monotonicMs()
    const iterationMs = now - (iterationStartedAt ?? now)
    iterationStartedAt = undefined
    totalMs += iterationMs
    totalSquaredMs += iterationMs * iterationMs
    if (now - evaluatedAt < EVALUATE_EVERY_MS) return
    // The iteration an average request met: long iterations meet more requests than short ones.
    const weightedIterationMs = totalMs === 0 ? 0 : totalSquaredMs / totalMs
    const isOverloaded = wasNearLimit && weightedIterationMs > MAX_ITERATION_MS
    factor = isOverloaded ? Math.max(MIN_FACTOR, factor * DECREASE) : Math.min(1, factor + INCREASE)
    evaluatedAt = now
    totalMs = 0
    totalSquaredMs = 0
    wasNearLimit = false
  }

  return {
    limitFactor: () => factor,
    onRequest(isNearLimit) {
      wasNearLimit ||= isNearLimit
      if (iterationStartedAt !== undefined) return
      iterationStartedAt = monotonicMs()
      nextIteration(onIterationEnd)
    },
    isIterationSlow: () => iterationStartedAt !== undefined && monotonicMs() - iterationStartedAt > MAX_ITERATION_MS,
  }
}
