/** Whether the process has more to do than it can in good time, and what is done about those who press it. */
export type Pressure = {
  /** `atMs` is the monotonic time of whoever asks. */
  isHigh(atMs: number): boolean
  /**
   * The answer as it is given at this moment. Under pressure a stranger's connection is closed behind its answer, and
   * beyond a few in a row the answer waits a while. So it is for a caller who is refused for asking too often. Whoever
   * comes while there is no room waits a moment for hearing so, and may come again on the same connection.
   */
  relieve(
    facts: { readonly key: object | null; readonly status: number },
    response: Response,
    atMs: number,
  ): Response | Promise<Response>
  close(): void
}

export type PressureOptions = {
  /** A clock that never jumps, in milliseconds. */
  readonly monotonicMs?: () => number
  /** Has a function called over and over, so far apart; returns how to stop that. */
  readonly repeat?: (tick: () => void, everyMs: number) => () => void
  readonly wait?: (ms: number) => Promise<void>
}

const TICK_MS = 50
/** A timer that is due for so long and was not called: the loop has not come round since. */
const LATE_MS = 100
/** For so long after that the process still counts as pressed: whoever floods it does not stop from one turn to the next. */
const LASTS_MS = 2_000
/** Between two ticks so many are answered at once even under pressure: a health check, a person who looks at a page. */
const AT_ONCE = 20
/** Two thousand connections that wait so long between two requests are a few thousand requests a second, not many. */
const HELD_MS = 500
/** Enough to be out of the way of what is in progress. Closing these connections too was tried and cost more than it saved. */
const OVERLOADED_HELD_MS = 25

/**
 * More than about a thousand busy connections keep Bun's loop from everything but reading from them: it calls no timer
 * and takes no message from the writing thread, and a lookup then waits for seconds. So lateness is seen at the moment of
 * the question, by a timer that should have been called meanwhile, and those who flood us are made less busy: their
 * answers wait, and they have to connect again.
 */
export function watchPressure({
  monotonicMs = () => performance.now(),
  repeat = everySoOften,
  wait = Bun.sleep,
}: PressureOptions = {}): Pressure {
  let calledAt = monotonicMs()
  let highUntil = Number.NEGATIVE_INFINITY
  let givenAtOnce = 0

  function isHigh(atMs: number): boolean {
    if (atMs - calledAt > LATE_MS) highUntil = atMs + LASTS_MS
    return atMs < highUntil
  }

  const close = repeat(() => {
    const now = monotonicMs()
    isHigh(now)
    calledAt = now
    givenAtOnce = 0
  }, TICK_MS)

  return {
    isHigh,
    relieve({ key, status }, response, atMs) {
      const isOverload = status === 503
      if ((key !== null && status !== 429 && !isOverload) || !isHigh(atMs)) return response
      if (isOverload) return wait(OVERLOADED_HELD_MS).then(() => response)
      response.headers.set('Connection', 'close')
      if (givenAtOnce++ < AT_ONCE) return response
      return wait(HELD_MS).then(() => response)
    },
    close,
  }
}

function everySoOften(tick: () => void, everyMs: number): () => void {
  const timer = setInterval(tick, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}
