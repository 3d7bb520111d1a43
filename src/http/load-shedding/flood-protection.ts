import { repeatUnref } from '../../lib/event-loop.ts'

/** Detects a flood of connections and slows down the clients that cause it. */
export type FloodProtection = {
  /** `atMs`: the caller's monotonic time. */
  isFlooded(atMs: number): boolean
  /**
   * During a flood, responses without a valid key and 429 responses close the connection, and all but a few of them are
   * delayed. A 503 is delayed briefly and keeps its connection. All other responses are returned as they are.
   */
  throttle(
    facts: { readonly principal: object | null; readonly status: number },
    response: Response,
    atMs: number,
  ): Response | Promise<Response>
  close(): void
}

export type FloodProtectionOptions = {
  /** A clock that never jumps, in milliseconds. */
  readonly monotonicMs?: () => number
  /** Calls `tick` periodically; returns a function that stops it. */
  readonly repeat?: (tick: () => void, everyMs: number) => () => void
  readonly wait?: (ms: number) => Promise<void>
}

const TICK_MS = 50
/** A timer this late means that the event loop runs no timers. */
const MAX_TIMER_DELAY_MS = 100
/** How long a flood is assumed to last after the last sign of it. */
const FLOODED_FOR_MS = 2_000
/** Responses per tick that are not delayed: health checks, a person who opens a page. */
const UNDELAYED_PER_TICK = 20
/** With this delay 2,000 connections send only some thousand requests a second. */
const DELAY_MS = 500
/** Lets requests in progress go first. Closing these connections too was tried and cost more than it saved. */
const OVERLOADED_DELAY_MS = 25

/**
 * With more than about a thousand busy connections Bun's event loop only reads from them: it runs no timers and takes no
 * messages from the writer thread, so a lookup waits for seconds. A timer that should have run by now shows that; then
 * the clients that flood us get delayed responses and must reconnect.
 */
export function floodProtection({
  monotonicMs = () => performance.now(),
  repeat = repeatUnref,
  wait = Bun.sleep,
}: FloodProtectionOptions = {}): FloodProtection {
  let lastTickAt = monotonicMs()
  let floodedUntil = Number.NEGATIVE_INFINITY
  let undelayed = 0

  function isFlooded(atMs: number): boolean {
    if (atMs - lastTickAt > MAX_TIMER_DELAY_MS) floodedUntil = atMs + FLOODED_FOR_MS
    return atMs < floodedUntil
  }

  const close = repeat(() => {
    const now = monotonicMs()
    isFlooded(now)
    lastTickAt = now
    undelayed = 0
  }, TICK_MS)

  return {
    isFlooded,
    throttle({ principal, status }, response, atMs) {
      const isOverload = status === 503
      if ((principal !== null && status !== 429 && !isOverload) || !isFlooded(atMs)) return response
      if (isOverload) return wait(OVERLOADED_DELAY_MS).then(() => response)
      response.headers.set('Connection', 'close')
      if (undelayed++ < UNDELAYED_PER_TICK) return response
      return wait(DELAY_MS).then(() => response)
    },
    close,
  }
}
