import { Database as BunDatabase } from 'bun:sqlite'
import {
  closeSync,
  fdatasyncSync,
  fsyncSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'

/** Small enough that the disk never has much to do at once: a commit that comes between waits for one of these. */
const PIECE_BYTES = 1 << 20
const SYNC_EVERY_BYTES = 8 << 20
/** While the copy runs, the log beside the store cannot be begun anew. Once it has grown so far, the pauses are left out. */
const MOST_LOG_GROWTH_BYTES = 32 << 20

export type CopyPace = {
  readonly bytesPerSecond: number
  readonly at?: (doneBytes: number, totalBytes: number) => void
}

/**
 * Copies a store byte by byte while others read and write it. An open read transaction makes that sound: until it ends,
 * SQLite folds nothing newer than it into the file and overwrites nothing of the log. So the file as it is copied, whatever
 * of the log was folded in meanwhile, and the log as it is copied after it make a whole store of one moment, at least as
 * new as the beginning. Nothing begins anew because somebody writes, and next to no processor is used.
 */
export async function copySqlite(file: string, copy: string, pace: CopyPace): Promise<void> {
  const part = `${copy}.part`
  const opened: number[] = []
  const reader = new BunDatabase(file, { readwrite: true, strict: true })
  try {
    reader.run('pragma busy_timeout = 5000')
    reader.run('begin')
    reader.query('select count(*) from sqlite_master').get()
    // Closed after the connection: closing any handle of a file drops every lock this process has on it.
    const source = openSync(file, 'r')
    opened.push(source)
    const log = openIfThere(`${file}-wal`)
    if (log !== undefined) opened.push(log)
    const logBytes = () => (log === undefined ? 0 : (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0))
    const logAtBegin = logBytes()
    const hurry = () => logBytes() - logAtBegin > MOST_LOG_GROWTH_BYTES
    const totalBytes = statSync(file).size + logAtBegin
    let done = 0
    const count = (bytes: number) => {
      done += bytes
      pace.at?.(done, totalBytes)
    }
    await copyPaced(source, part, pace.bytesPerSecond, hurry, count)
    if (log !== undefined) await copyPaced(log, `${part}-wal`, pace.bytesPerSecond, () => true, count)
  } catch (error) {
    removeCopy(part)
    throw error
  } finally {
    if (reader.inTransaction) reader.run('rollback')
    reader.close()
    for (const handle of opened) closeSync(handle)
  }
  try {
    foldLogIn(part)
    renameSync(part, copy)
    syncFolder(dirname(copy))
  } catch (error) {
    removeCopy(part)
    throw error
  }
}

async function copyPaced(
  source: number,
  to: string,
  bytesPerSecond: number,
  hurry: () => boolean,
  count: (bytes: number) => void,
): Promise<void> {
  const target = openSync(to, 'wx', 0o600)
  try {
    const piece = new Uint8Array(PIECE_BYTES)
    const begunAt = performance.now()
    let unsynced = 0
    for (let at = 0; ; ) {
      const read = readSync(source, piece, 0, PIECE_BYTES, at)
      if (read === 0) break
      for (let written = 0; written < read; ) written += writeSync(target, piece, written, read - written)
      at += read
      unsynced += read
      if (unsynced >= SYNC_EVERY_BYTES) {
        fdatasyncSync(target)
        unsynced = 0
      }
      count(read)
      const aheadMs = (at / bytesPerSecond) * 1000 - (performance.now() - begunAt)
      if (aheadMs > 0 && !hurry()) await Bun.sleep(aheadMs)
    }
    fsyncSync(target)
  } finally {
    closeSync(target)
  }
}

/** What the log holds goes into the copy, which is one file then. */
function foldLogIn(part: string): void {
  const copied = new BunDatabase(part, { readwrite: true, strict: true })
  try {
    copied.run('pragma synchronous = full')
    copied.run('pragma journal_mode = delete')
  } finally {
    copied.close()
  }
}

function openIfThere(file: string): number | undefined {
  try {
    return openSync(file, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function removeCopy(part: string): void {
  for (const file of [part, `${part}-wal`, `${part}-shm`, `${part}-journal`]) rmSync(file, { force: true })
}

/** A rename is on the disk only when its folder is. */
export function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
