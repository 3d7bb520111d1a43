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
export function timeSlice(pause = yieldToEventLoop, now = () => performance.now()): () => Promise<void> {
  let sliceEnd = now() + SLICE_MS
  return async () => {
    if (now() < sliceEnd) return
    await pause()
    sliceEnd = now() + SLICE_MS
  }
}

/**
 * For tasks that waited for the same promise: the returned function lets one after the other continue, and yields to the event
 * loop where the current slice is used up. Without it all of them continue in one turn.
 */
export function turnstile(slice = timeSlice()): () => Promise<void> {
  let last = Promise.resolve()
  return () => {
    last = last.then(slice)
    return last
  }
}

/**
 * Starts tasks one after the other, the next when one is done or waits for the event loop, and yields where the current slice
 * is used up: on SQLite, tasks that read at the same moment would hold the event loop together.
 */
export function taskQueue(
  slice = timeSlice(),
  pause = yieldToEventLoop,
): <T>(task: () => T | Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (task) => {
    const turn = last.then(slice)
    const result = turn.then(task)
    const done = result.catch(() => {})
    last = turn.then(() => Promise.race([done, pause()]))
    return result
  }
}

/** Calls `tick` periodically without keeping the process alive; the returned function stops it. */
export function repeatUnref(tick: () => void, everyMs: number): () => void {
  const timer = setInterval(tick, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}
