export type LeaderLockOptions = {
  /** Runs work while no other process runs any under the same name. */
  readonly withLock: (work: () => Promise<void>, onWait: () => void) => Promise<void>
  /** Starts the work of the leader; returns a function that stops it. */
  readonly start: () => () => Promise<void>
  readonly onError: (error: unknown) => void
}

/** Held by one process of a running service. */
export const LEADER_LOCK = 'leader'
const RETRY_AFTER_MS = 1_000

/**
 * Runs work in one of all processes that share a database. When that process ends, even by a kill, another takes over
 * within a second. Returns a function that stops it.
 */
export function runOnOneNode({ withLock, start, onError }: LeaderLockOptions): () => Promise<void> {
  const stopping = Promise.withResolvers<void>()
  let isClosed = false
  let leadership: Promise<void> | undefined

  async function lead(): Promise<void> {
    let endLeadership: (() => Promise<void>) | undefined
    try {
      await withLock(
        async () => {
          if (isClosed) return
          const ended = Promise.withResolvers<void>()
          leadership = ended.promise
          endLeadership = async () => ended.resolve()
          const stop = start()
          endLeadership = () => stop().finally(ended.resolve)
          await stopping.promise
        },
        () => {},
      )
    } finally {
      // Also when the lock was lost: another process may hold it by then.
      await endLeadership?.()
      leadership = undefined
    }
  }

  async function run(): Promise<void> {
    while (!isClosed) {
      try {
        await lead()
      } catch (error) {
        if (isClosed) return
        onError(error)
        await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER_MS))
      }
    }
  }

  void run()
  return async () => {
    isClosed = true
    stopping.resolve()
    await leadership
  }
}
