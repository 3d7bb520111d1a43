/** How often what was noted is written. */
const WRITE_EVERY_MS = 30_000

export type LastUseOptions = {
  readonly write: (lastUsedAt: ReadonlyMap<string, number>) => Promise<void>
  readonly onFailure: (error: unknown) => void
  readonly everyMs?: number
}

export type LastUseRecorder = {
  record(keyId: string, now: number): void
  /** Writes what is left and stops. */
  close(): Promise<void>
}

/** When each key was last used: kept in memory and written now and then, never while a request waits. */
export function openLastUseRecorder({
  write,
  onFailure: failed,
  everyMs = WRITE_EVERY_MS,
}: LastUseOptions): LastUseRecorder {
  let lastUsedAt = new Map<string, number>()

  async function flush(): Promise<void> {
    if (lastUsedAt.size === 0) return
    const writing = lastUsedAt
    lastUsedAt = new Map()
    try {
      await write(writing)
    } catch (error) {
      // The store is away: the notes wait for the next time, and those made meanwhile are the newer ones.
      lastUsedAt = new Map([...writing, ...lastUsedAt])
      failed(error)
    }
  }

  const timer = setInterval(flush, everyMs)
  return {
    record(keyId, now) {
      lastUsedAt.set(keyId, now)
    },
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}
