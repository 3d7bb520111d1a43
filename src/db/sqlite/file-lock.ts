import { Database as BunDatabase } from 'bun:sqlite'
import { closeSync, openSync } from 'node:fs'
import { isLocked } from '../database-errors.ts'

const POLL_INTERVAL_MS = 200

/**
 * Runs `work` while this process holds an operating system lock on the file. Taken through SQLite, because Bun has no API
 * for file locks. It is released when the process ends, even by kill -9.
 */
export async function withFileLock<T>(path: string, work: () => Promise<T>, onWait: () => void): Promise<T> {
  // The files that SQLite creates beside it inherit its mode.
  closeSync(openSync(path, 'a', 0o600))
  const connection = new BunDatabase(path, { create: true, strict: true })
  try {
    connection.run('pragma busy_timeout = 0')
    for (let waits = 0; !tryLock(connection); waits++) {
      if (waits === 0) onWait()
      await Bun.sleep(POLL_INTERVAL_MS)
    }
    return await work()
  } finally {
    connection.close()
  }
}

function tryLock(connection: BunDatabase): boolean {
  try {
    connection.run('begin exclusive')
    return true
  } catch (error) {
    if (isLocked(error)) return false
    throw error
  }
}
