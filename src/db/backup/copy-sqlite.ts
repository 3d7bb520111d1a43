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

/** Small, because a concurrent commit may have to wait for one chunk. */
const CHUNK_BYTES = 1 << 20
const SYNC_EVERY_BYTES = 8 << 20
/** The WAL cannot restart during the copy. Once it has grown this far, the copy stops pausing. */
const MAX_WAL_GROWTH_BYTES = 32 << 20

export type CopyOptions = {
  readonly bytesPerSecond: number
  readonly onProgress?: (doneBytes: number, totalBytes: number) => void
}

/**
 * Copies a database file while others read and write it. An open read transaction makes that safe: until it ends, SQLite
 * checkpoints nothing newer into the file and overwrites nothing in the WAL. The copied file plus the WAL copied after it
 * are therefore a consistent database, at least as new as the start of the copy. Unlike SQLite's backup API it does not
 * restart when another process writes.
 */
export async function copySqlite(file: string, copy: string, options: CopyOptions): Promise<void> {
  const part = `${copy}.part`
  const opened: number[] = []
  const reader = new BunDatabase(file, { readwrite: true, strict: true })
  try {
    reader.run('pragma busy_timeout = 5000')
    reader.run('begin')
    reader.query('select count(*) from sqlite_master').get()
    // Closed after the connection: closing any handle of a file drops every POSIX lock that this process holds on it.
    const source = openSync(file, 'r')
    opened.push(source)
    const log = openIfExists(`${file}-wal`)
    if (log !== undefined) opened.push(log)
    const logBytes = () => (log === undefined ? 0 : (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0))
    const logAtBegin = logBytes()
    const hurry = () => logBytes() - logAtBegin > MAX_WAL_GROWTH_BYTES
    const totalBytes = statSync(file).size + logAtBegin
    let done = 0
    const count = (bytes: number) => {
      done += bytes
      options.onProgress?.(done, totalBytes)
    }
    await copyThrottled(source, part, options.bytesPerSecond, hurry, count)
    if (log !== undefined) await copyThrottled(log, `${part}-wal`, options.bytesPerSecond, () => true, count)
  } catch (error) {
    removePartialCopy(part)
    throw error
  } finally {
    if (reader.inTransaction) reader.run('rollback')
    reader.close()
    for (const handle of opened) closeSync(handle)
  }
  try {
    checkpointWal(part)
    renameSync(part, copy)
    fsyncFolder(dirname(copy))
  } catch (error) {
    removePartialCopy(part)
    throw error
  }
}

async function copyThrottled(
  source: number,
  to: string,
  bytesPerSecond: number,
  isUrgent: () => boolean,
  onCopied: (bytes: number) => void,
): Promise<void> {
  const target = openSync(to, 'wx', 0o600)
  try {
    const piece = new Uint8Array(CHUNK_BYTES)
    const begunAt = performance.now()
    let unsynced = 0
    for (let at = 0; ; ) {
      const read = readSync(source, piece, 0, CHUNK_BYTES, at)
      if (read === 0) break
      for (let written = 0; written < read; ) written += writeSync(target, piece, written, read - written)
      at += read
      unsynced += read
      if (unsynced >= SYNC_EVERY_BYTES) {
        fdatasyncSync(target)
        unsynced = 0
      }
      onCopied(read)
      const aheadMs = (at / bytesPerSecond) * 1000 - (performance.now() - begunAt)
      if (aheadMs > 0 && !isUrgent()) await Bun.sleep(aheadMs)
    }
    fsyncSync(target)
  } finally {
    closeSync(target)
  }
}

/** Merges the copied WAL into the copied file. */
function checkpointWal(part: string): void {
  const copied = new BunDatabase(part, { readwrite: true, strict: true })
  try {
    copied.run('pragma synchronous = full')
    copied.run('pragma journal_mode = delete')
  } finally {
    copied.close()
  }
}

function openIfExists(file: string): number | undefined {
  try {
    return openSync(file, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function removePartialCopy(part: string): void {
  for (const file of [part, `${part}-wal`, `${part}-shm`, `${part}-journal`]) rmSync(file, { force: true })
}

/** Makes a rename durable. */
export function fsyncFolder(folder: string): void {
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
