/** A failure of a source; the identifier is masked. */
export type SourceFailure = { readonly source: string; readonly reason: string; readonly identifier: string }

const LOG_INTERVAL_MS = 10_000

/** Throttled log: the first failure of each kind is logged at once, further ones every ten seconds with their number. */
export function throttledFailureLog(
  log: (failure: SourceFailure & { readonly times: number }) => void,
  now: () => number,
): (failure: SourceFailure) => void {
  const kinds = new Map<string, { toldAt: number; since: number }>()
  return (failure) => {
    const kind = `${failure.source} ${failure.reason}`
    const known = kinds.get(kind)
    if (known && now() - known.toldAt < LOG_INTERVAL_MS) {
      known.since++
      return
    }
    kinds.set(kind, { toldAt: now(), since: 0 })
    log({ ...failure, times: (known?.since ?? 0) + 1 })
  }
}
