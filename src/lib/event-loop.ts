import type { TimeSliced } from './time-sliced.ts'

/** How long the event loop is held at a stretch; a step begun within it may run a little over. */
export const SLICE_MS = 4

/** Holds the event loop for about `sliceMs` at a time; `pause` lets everybody else run. */
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
 * Lets requests that came in meanwhile be answered. An immediate would let in one round of them; a timer, which takes a
 * millisecond at least, lets in all of them.
 */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0))
}
