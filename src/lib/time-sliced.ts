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

/** This many texts are sorted in about a millisecond, as long as it is without a comparison of ours. */
const SORT_RUN_LENGTH = 4_096

/** By code units, as `<` compares. The input is left as it is. */
export function* sortTimeSliced(texts: readonly string[]): TimeSliced<string[]> {
  let runs: string[][] = []
  for (let from = 0; from < texts.length; from += SORT_RUN_LENGTH) {
    runs.push(texts.slice(from, from + SORT_RUN_LENGTH).sort())
    yield
  }
  while (runs.length > 1) {
    const merged: string[][] = []
    for (let i = 0; i < runs.length; i += 2) {
      const left = runs[i] ?? []
      const right = runs[i + 1]
      merged.push(right ? yield* mergeTimeSliced(left, right, (a, b) => (a < b ? -1 : 1)) : left)
    }
    runs = merged
  }
  return runs[0] ?? []
}

/** Two sorted lists made one; of equals the left one's comes first. */
function* mergeTimeSliced<T>(
  left: ArrayLike<T>,
  right: ArrayLike<T>,
  compare: (a: T, b: T) => number,
): TimeSliced<T[]> {
  const merged: T[] = []
  let i = 0
  let j = 0
  while (i < left.length && j < right.length) {
    const a = left[i] as T
    const b = right[j] as T
    if (compare(a, b) <= 0) {
      merged.push(a)
      i++
    } else {
      merged.push(b)
      j++
    }
    if ((merged.length & 2047) === 0) yield
  }
  for (; i < left.length; i++) {
    merged.push(left[i] as T)
    if ((merged.length & 16383) === 0) yield
  }
  for (; j < right.length; j++) {
    merged.push(right[j] as T)
    if ((merged.length & 16383) === 0) yield
  }
  return merged
}

/**
 * Two sorted lists made one, where the second is usually short: what stands between its members is copied as it is. Of
 * equals the second one's comes first.
 */
export function* mergeSortedTimeSliced(
  existing: Uint32Array,
  added: Uint32Array,
  comesBefore: (kept: number, fresh: number) => boolean,
): TimeSliced<Uint32Array> {
  const merged = new Uint32Array(existing.length + added.length)
  let from = 0
  for (let at = 0; at < added.length; at++) {
    const member = added[at] as number
    let low = from
    for (let high = existing.length; low < high; ) {
      const middle = (low + high) >>> 1
      if (comesBefore(existing[middle] as number, member)) low = middle + 1
      else high = middle
    }
    merged.set(existing.subarray(from, low), from + at)
    merged[low + at] = member
    from = low
    if ((at & 255) === 255) yield
  }
  merged.set(existing.subarray(from), from + added.length)
  return merged
}
