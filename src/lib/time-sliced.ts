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

/** Sorts in about a millisecond. */
const SORT_RUN_LENGTH = 2_048

/** Merge sort by `compare`, or by code units without it. Does not change the input. */
export function* sortTimeSliced<T>(items: readonly T[], compare?: (a: T, b: T) => number): TimeSliced<T[]> {
  let runs: T[][] = []
  for (let from = 0; from < items.length; from += SORT_RUN_LENGTH) {
    runs.push(items.slice(from, from + SORT_RUN_LENGTH).sort(compare))
    yield
  }
  while (runs.length > 1) {
    const merged: T[][] = []
    for (let i = 0; i < runs.length; i += 2) {
      const left = runs[i] ?? []
      const right = runs[i + 1]
      merged.push(right ? yield* mergeTimeSliced(left, right, compare ?? ((a, b) => (a < b ? -1 : 1))) : left)
    }
    runs = merged
  }
  return runs[0] ?? []
}

/** Merges two sorted lists; stable. */
function* mergeTimeSliced<T>(
  left: ArrayLike<T>,
  right: ArrayLike<T>,
  compare: (a: T, b: T) => number,
): TimeSliced<T[]> {
  const merged: T[] = []
  for (let i = 0, j = 0; i < left.length || j < right.length; ) {
    const takesLeft = j >= right.length || (i < left.length && compare(left[i] as T, right[j] as T) <= 0)
    merged.push((takesLeft ? left[i++] : right[j++]) as T)
    if ((merged.length & 2047) === 0) yield
  }
  return merged
}
