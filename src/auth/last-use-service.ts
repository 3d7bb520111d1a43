/** Interval of the writes. */
const WRITE_EVERY_MS = 30_000

export type LastUseOptions = {
  readonly write: (lastUsedAt: ReadonlyMap<string, number>) => Promise<void>
  readonly onFailure: (error: unknown) => void
  readonly everyMs?: number
}

export type LastUseRecorder = {
  record(keyId: string, now: number): void
  /** Writes pending changes and stops. */
  close(): Promise<void>
}

/** Last use of each key: kept in memory and written in the background. */
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
      // The database is unavailable: keep the entries for the next write, unless there are newer ones.
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
