/** Whether the process has more to do than it can in good time, and what is done about those who press it. */
export type FloodProtection = {
  /** `atMs` is the monotonic time of whoever asks. */
  isFlooded(atMs: number): boolean
  /**
   * The answer as it is given at this moment. Under pressure a stranger's connection is closed behind its answer, and
   * beyond a few in a row the answer waits a while. So it is for a caller who is refused for asking too often. Whoever
   * comes while there is no room waits a moment for hearing so, and may come again on the same connection.
   */
  throttle(
    facts: { readonly key: object | null; readonly status: number },
    response: Response,
    atMs: number,
  ): Response | Promise<Response>
  close(): void
}

export type FloodProtectionOptions = {
  /** A clock that never jumps, in milliseconds. */
  readonly monotonicMs?: () => number
  /** Has a function called over and over, so far apart; returns how to stop that. */
  readonly repeat?: (tick: () => void, everyMs: number) => () => void
  readonly wait?: (ms: number) => Promise<void>
}

const TICK_MS = 50
/** A timer that is due for so long and was not called: the loop has not come round since. */
const MAX_TIMER_DELAY_MS = 100
/** For so long after that the process still counts as pressed: whoever floods it does not stop from one turn to the next. */
const FLOODED_FOR_MS = 2_000
/** Between two ticks so many are answered at once even under pressure: a health check, a person who looks at a page. */
const UNDELAYED_PER_TICK = 20
/** Two thousand connections that wait so long between two requests are a few thousand requests a second, not many. */
const DELAY_MS = 500
/** Enough to be out of the way of what is in progress. Closing these connections too was tried and cost more than it saved. */
const OVERLOADED_DELAY_MS = 25

/**
 * More than about a thousand busy connections keep Bun's loop from everything but reading from them: it calls no timer
 * and takes no message from the writing thread, and a lookup then waits for seconds. So lateness is seen at the moment of
 * the question, by a timer that should have been called meanwhile, and those who flood us are made less busy: their
 * answers wait, and they have to connect again.
 */
export function floodProtection({
  monotonicMs = () => performance.now(),
  repeat = repeatUnref,
  wait = Bun.sleep,
}: FloodProtectionOptions = {}): FloodProtection {
  let lastTickAt = monotonicMs()
  let floodedUntil = Number.NEGATIVE_INFINITY
  let undelayed = 0

  function isHigh(atMs: number): boolean {
    if (atMs - lastTickAt > MAX_TIMER_DELAY_MS) floodedUntil = atMs + FLOODED_FOR_MS
    return atMs < floodedUntil
  }

  const close = repeat(() => {
    const now = monotonicMs()
    isHigh(now)
    lastTickAt = now
    undelayed = 0
  }, TICK_MS)

  return {
    isFlooded: isHigh,
    throttle({ key, status }, response, atMs) {
      const isOverload = status === 503
      if ((key !== null && status !== 429 && !isOverload) || !isHigh(atMs)) return response
      if (isOverload) return wait(OVERLOADED_DELAY_MS).then(() => response)
      response.headers.set('Connection', 'close')
      if (undelayed++ < UNDELAYED_PER_TICK) return response
      return wait(DELAY_MS).then(() => response)
    },
    close,
  }
}

function repeatUnref(tick: () => void, everyMs: number): () => void {
  const timer = setInterval(tick, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}
