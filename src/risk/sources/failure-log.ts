/** A failure of a source; the identifier is masked. */
export type SourceFailure = { readonly source: string; readonly reason: string; readonly identifier: string }

const LOG_INTERVAL_MS = 10_000

/** Throttled log: the first failure of each kind is logged at once, further ones every ten seconds with their number. */
export function throttledFailureLog(
  log: (failure: SourceFailure & { readonly times: number }) => void,
  now: () => number,
): (failure: SourceFailure) => void {
  const failuresByKind = new Map<string, { loggedAt: number; suppressed: number }>()
  return (failure) => {
    const kind = `${failure.source} ${failure.reason}`
    const previous = failuresByKind.get(kind)
    if (previous && now() - previous.loggedAt < LOG_INTERVAL_MS) {
      previous.suppressed++
      return
    }
    failuresByKind.set(kind, { loggedAt: now(), suppressed: 0 })
    log({ ...failure, times: (previous?.suppressed ?? 0) + 1 })
  }
}
