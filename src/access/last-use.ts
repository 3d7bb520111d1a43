/** How often what was noted is written. */
const WRITE_EVERY_MS = 30_000

export type LastUseOptions = {
  readonly write: (lastUsedAt: ReadonlyMap<string, number>) => Promise<void>
  readonly failed: (error: unknown) => void
  readonly everyMs?: number
}

export type LastUse = {
  note(keyId: string, now: number): void
  /** Writes what is left and stops. */
  close(): Promise<void>
}

/** When each key was last used: kept in memory and written now and then, never while a request waits. */
export function keepLastUse({ write, failed, everyMs = WRITE_EVERY_MS }: LastUseOptions): LastUse {
  let notes = new Map<string, number>()

  async function flush(): Promise<void> {
    if (notes.size === 0) return
    const writing = notes
    notes = new Map()
    try {
      await write(writing)
    } catch (error) {
      // The store is away: the notes wait for the next time, and those made meanwhile are the newer ones.
      notes = new Map([...writing, ...notes])
      failed(error)
    }
  }

  const timer = setInterval(flush, everyMs)
  return {
    note(keyId, now) {
      notes.set(keyId, now)
    },
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}
