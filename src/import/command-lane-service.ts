import type { Database } from '../db/database.ts'

/** Imports by commands that run side by side; a further one waits for the first lane. */
const LANES = Array.from({ length: 8 }, (_, at) => `import-command-${at + 1}`)

export const isCommandLane = (name: string) => LANES.includes(name)

class LaneTaken extends Error {}

/**
 * Runs `work` while this process holds the lock of a lane. The job of an import records the lane, so that a free lane shows
 * that the process of a running job is gone.
 */
export async function withCommandLane<T>(db: Database, work: (lane: string) => Promise<T>): Promise<T> {
  for (const lane of LANES) {
    const result = await tryLane(db, lane, async () => ({ value: await work(lane) }))
    if (result) return result.value
  }
  const [first = ''] = LANES
  return db.withLock(
    first,
    () => work(first),
    () => {},
  )
}

/** Runs `work` if the lane is free; undefined otherwise. */
export async function tryLane<T>(db: Database, lane: string, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await db.withLock(lane, work, () => {
      throw new LaneTaken()
    })
  } catch (error) {
    if (error instanceof LaneTaken) return undefined
    throw error
  }
}
