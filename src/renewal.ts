/**
 * What is held in memory is made anew whenever the store changes: one run at a time, a change during a run is followed
 * by another, runs are some time apart while changes keep coming, and a run that failed is tried again.
 */
export type Renewal = {
  /** Something changed; a run follows soon. */
  changed(): void
  /** Resolves when everything that changed before the call has been taken in. */
  refresh(): Promise<void>
  close(): void
  isClosed(): boolean
}

export type RenewalOptions = {
  readonly renew: () => Promise<void>
  /** Told once when runs begin to fail, not for every try of a store that stays away. */
  readonly failed: (error: unknown) => void
  /** How long to leave between two runs. */
  readonly restMs: () => number
  readonly retryMs?: number
}

const RETRY_MS = 2_000

export function renewal({ renew, failed, restMs, retryMs = RETRY_MS }: RenewalOptions): Renewal {
  let running: Promise<void> | undefined
  let queued: Promise<void> | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let again = false
  let isFailing = false
  let closed = false

  function refresh(): Promise<void> {
    if (!running) {
      running = renew().finally(() => {
        running = undefined
      })
      return running
    }
    // A run under way may have read before the change: the caller waits for the one after it.
    queued ??= running
      .catch(() => {})
      .then(() => {
        queued = undefined
        return refresh()
      })
    return queued
  }

  async function run(): Promise<void> {
    again = false
    try {
      await refresh()
      isFailing = false
      pause(restMs())
    } catch (error) {
      if (!isFailing && !closed) failed(error)
      isFailing = true
      again = true
      pause(retryMs)
    }
  }

  /** Between two runs; what changes meanwhile is taken in by the next. */
  function pause(ms: number): void {
    if (closed) return
    timer = setTimeout(() => {
      timer = undefined
      if (again) start()
    }, ms)
  }

  function start(): void {
    timer = setTimeout(run, 0)
  }

  return {
    changed() {
      if (closed) return
      if (timer === undefined) start()
      else again = true
    },
    refresh,
    close() {
      closed = true
      clearTimeout(timer)
    },
    isClosed: () => closed,
  }
}
