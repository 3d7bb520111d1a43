import type { TimeSliced } from './time-sliced.ts'

/** Maximum time of a slice; a step started within it may exceed it slightly. */
export const SLICE_MS = 4

/** Runs work in slices of about `sliceMs`; `pause` yields to the event loop. */
export async function runTimeSliced<T>(work: TimeSliced<T>, pause = yieldToEventLoop, sliceMs = SLICE_MS): Promise<T> {
  for (;;) {
    const until = performance.now() + sliceMs
    do {
      const step = work.next()
      if (step.done) return step.value
    } while (performance.now() < until)
    await pause()
  }
}

/**
 * Yields until all waiting requests are handled. `setImmediate` would let in only one round of them; a timer lets in all.
 */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0))
}

/** For loops over short steps: the returned function yields only if the current slice is used up. */
export function timeSlice(): () => Promise<void> {
  let sliceEnd = performance.now() + SLICE_MS
  return async () => {
    if (performance.now() < sliceEnd) return
    await yieldToEventLoop()
    sliceEnd = performance.now() + SLICE_MS
  }
}

/** Calls `tick` periodically without keeping the process alive; the returned function stops it. */
export function repeatUnref(tick: () => void, everyMs: number): () => void {
  const timer = setInterval(tick, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}
