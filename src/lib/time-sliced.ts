/**
 * Long work that can be done in one go (before the service listens) or in slices between requests (while it runs).
 * The work is a generator that yields at least every millisecond or so; who drives it decides how long to hold the loop; `in-slices.ts` does so between requests.
 */
export type TimeSliced<T> = Generator<void, T, void>

export function runToEnd<T>(work: TimeSliced<T>): T {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}

/** Work that goes on between requests, and is finished at once for whoever needs it earlier. */
export type BackgroundTask<T> = {
  readonly finishNow: () => T
  readonly remainingWork: () => TimeSliced<T>
  readonly isDone: () => boolean
}

export function backgroundTask<T>(begun: TimeSliced<T>): BackgroundTask<T> {
  // Let go of when it is done: it may hold on to what it was made from.
  let work: TimeSliced<T> | undefined = begun
  let finished: { readonly value: T } | undefined
  function step(): void {
    const next = work?.next()
    if (!next?.done) return
    finished = { value: next.value }
    work = undefined
  }
  return {
    isDone: () => finished !== undefined,
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

/** Sorted in about a millisecond. */
const SORT_RUN_LENGTH = 2_048

/** Sorts by `compare`, or texts by code units without it. The input stays as it is. */
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

/** Merges two sorted lists; of equal members those of the left list come first. */
export function* mergeTimeSliced<T>(
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
