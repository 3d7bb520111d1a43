export type LeaderLockOptions = {
  /** Runs work while no other process runs any under the same name. */
  readonly withLock: (work: () => Promise<void>, onWait: () => void) => Promise<void>
  /** Begins what is to be done by one process; returns how to end it. */
  readonly start: () => () => Promise<void>
  readonly onError: (error: unknown) => void
}

const RETRY_AFTER_MS = 1_000

/**
 * Has something done by one process of all that share a store. When that process ends, be it by a kill, another takes over
 * within a second. Returns how to stop.
 */
export function runOnOneNode({
  withLock: alone,
  start: begin,
  onError: failed,
}: LeaderLockOptions): () => Promise<void> {
  const stopping = Promise.withResolvers<void>()
  let closed = false
  let holding: Promise<void> | undefined

  async function hold(): Promise<void> {
    let end: (() => Promise<void>) | undefined
    try {
      await alone(
        async () => {
          if (closed) return
          const over = Promise.withResolvers<void>()
          holding = over.promise
          end = async () => over.resolve()
          const stop = begin()
          end = () => stop().finally(over.resolve)
          await stopping.promise
        },
        () => {},
      )
    } finally {
      // Also when the lock was lost: somebody else may be at it by then.
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
        failed(error)
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
