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

/** Continuations of long work, oldest first. */
const waiting: (() => void)[] = []
let isTurnScheduled = false

/**
 * Yields until all waiting requests are handled. `setImmediate` would let in only one round of them; a timer lets in all. One
 * queue for the whole process: however much work waits, only about one slice of it runs between two rounds of requests.
 */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    if (isTurnScheduled) return
    isTurnScheduled = true
    setTimeout(startTurn, 0)
  })
}

function startTurn(): void {
  continueTurn(performance.now() + SLICE_MS)
}

function continueTurn(turnEnd: number): void {
  waiting.shift()?.()
  // What was resumed runs before the next callback, and may wait again by then.
  setImmediate(() => {
    if (waiting.length === 0) isTurnScheduled = false
    else if (performance.now() < turnEnd) continueTurn(turnEnd)
    else setTimeout(startTurn, 0)
  })
}

/**
 * Runs the work of a key one after the other: long work of one tenant waits for its own, and not for that of others. Yields
 * between two of them where the current slice is used up.
 */
export function oneAtATime(slice = timeSlice()): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>()
  return (key, work) => {
    const running = last.get(key)
    const result = running ? running.then(slice, slice).then(work) : work()
    last.set(key, result)
    const forget = () => {
      if (last.get(key) === result) last.delete(key)
    }
    result.then(forget, forget)
    return result
  }
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
