export type LeaderLockOptions = {
  /** Runs work while no other process runs any under the same name. */
  readonly withLock: (work: () => Promise<void>, onWait: () => void) => Promise<void>
  /** Starts the work of the leader; returns a function that stops it. */
  readonly start: () => () => Promise<void>
  readonly onError: (error: unknown) => void
}

const RETRY_AFTER_MS = 1_000

/**
 * Runs work in one of all processes that share a database. When that process ends, even by a kill, another takes over
 * within a second. Returns a function that stops it.
 */
export function runOnOneNode({ withLock, start, onError }: LeaderLockOptions): () => Promise<void> {
  const stopping = Promise.withResolvers<void>()
  let closed = false
  let holding: Promise<void> | undefined

  async function hold(): Promise<void> {
    let end: (() => Promise<void>) | undefined
    try {
      await withLock(
        async () => {
          if (closed) return
          const over = Promise.withResolvers<void>()
          holding = over.promise
          end = async () => over.resolve()
          const stop = start()
          end = () => stop().finally(over.resolve)
          await stopping.promise
        },
        () => {},
      )
    } finally {
      // Also when the lock was lost: another process may hold it by then.
      await end?.()
      holding = undefined
    }
  }

  async function run(): Promise<void> {
    while (!closed) {
      try {
        await hold()
      } catch (error) {
        if (closed) return
        onError(error)
        await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER_MS))
      }
    }
  }

  void run()
  return async () => {
    closed = true
    stopping.resolve()
    await holding
  }
}
