/** How much of the room for work may be used at the moment, so that nobody waits long for their turn. */
export type LoopLagController = {
  /** A share of the whole: 1 while the loop keeps up. */
  limitFactor(): number
  /**
   * To be called whenever a request arrives that needs room, with whether there may be none for it: how long the loop takes
   * to come round is measured.
   */
  onRequest(isTight: boolean): void
  /** Whether the present turn of the loop is a long one already. */
  isIterationSlow(): boolean
}

export type LoopLagOptions = {
  /** A clock that never jumps, in milliseconds. */
  readonly monotonicMs?: () => number
  /** Calls a function once the loop has come round. */
  readonly nextIteration?: (called: () => void) => void
}

/** A turn of the loop that takes longer is a queue: what arrives meanwhile waits for its end. */
const MAX_ITERATION_MS = 10
/** What was measured is judged so often. */
const EVALUATE_EVERY_MS = 100
const DECREASE = 0.8
const INCREASE = 0.04
/** Never less: a pause may have nothing to do with load, such as another program's. */
const MIN_FACTOR = 0.5

/**
 * Every request waits for the turn of the loop that it arrives in, whether it is served or refused, and turns grow with
 * what is done in each. So that wait is measured. While turns are long although no more is taken on than there is room for,
 * there is less room, by a fifth ten times a second; otherwise a little more: as congestion control does on a network.
 */
export function loopLagController({
  monotonicMs = () => performance.now(),
  nextIteration: nextTurn = setImmediate,
}: LoopLagOptions = {}): LoopLagController {
  let share = 1
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
    // The turn that a request met with on average: long turns meet more of them than short ones.
    const weightedIterationMs = totalMs === 0 ? 0 : totalSquaredMs / totalMs
    const isOverloaded = wasNearLimit && weightedIterationMs > MAX_ITERATION_MS
    share = isOverloaded ? Math.max(MIN_FACTOR, share * DECREASE) : Math.min(1, share + INCREASE)
    evaluatedAt = now
    totalMs = 0
    totalSquaredMs = 0
    wasNearLimit = false
  }

  return {
    limitFactor: () => share,
    onRequest(isTight) {
      wasNearLimit ||= isTight
      if (iterationStartedAt !== undefined) return
      iterationStartedAt = monotonicMs()
      nextTurn(onIterationEnd)
    },
    isIterationSlow: () => iterationStartedAt !== undefined && monotonicMs() - iterationStartedAt > MAX_ITERATION_MS,
  }
}
