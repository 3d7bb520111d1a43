/** Last use of each key: kept in memory until `flush` writes it. */
export function openLastUseRecorder(write: (lastUsedAt: ReadonlyMap<string, number>) => Promise<void>) {
  let lastUsedAt = new Map<string, number>()
  return {
    record(keyId: string, now: number): void {
      lastUsedAt.set(keyId, now)
    },

    async flush(): Promise<void> {
      if (lastUsedAt.size === 0) return
      const batch = lastUsedAt
      lastUsedAt = new Map()
      try {
        await write(batch)
      } catch (error) {
        // The database is unavailable: keep the entries for the next write, unless there are newer ones.
        lastUsedAt = new Map([...batch, ...lastUsedAt])
        throw error
      }
    },
  }
}
