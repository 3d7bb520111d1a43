/**
 * Long work that runs in one go (before the service listens) or in slices between requests. The work is a generator that
 * yields about every millisecond; its driver decides how long to hold the event loop.
 */
export type TimeSliced<T> = Generator<void, T, void>

export function runToEnd<T>(work: TimeSliced<T>): T {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}

/** Work that runs between requests, and completes at once when its result is needed. */
export type BackgroundTask<T> = {
  readonly finishNow: () => T
  readonly remainingWork: () => TimeSliced<T>
}

export function backgroundTask<T>(task: TimeSliced<T>): BackgroundTask<T> {
  // Released when done, because it may hold references to its input.
  let work: TimeSliced<T> | undefined = task
  let finished: { readonly value: T } | undefined
  function step(): void {
    const next = work?.next()
    if (!next?.done) return
    finished = { value: next.value }
    work = undefined
  }
  return {
    finishNow() {
      while (!finished) step()
      return finished.value
    },
    *remainingWork() {
      while (!finished) {
        step()
        yield
      }
      return finished.value
    },
  }
}
