import { Database as BunDatabase } from 'bun:sqlite'
import {
  closeSync,
  fdatasyncSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** Small, because a concurrent commit may have to wait for one chunk. */
const CHUNK_BYTES = 1 << 20
const SYNC_EVERY_BYTES = 8 << 20
/** The WAL cannot restart during the copy. Once it has grown this far, the copy stops pausing. */
const MAX_WAL_GROWTH_BYTES = 32 << 20

export type CopyOptions = {
  readonly bytesPerSecond: number
  readonly onProgress?: (doneBytes: number, totalBytes: number) => void
  /** Changes the complete copy before it gets its name. */
  readonly finish?: (file: string) => void
}

/**
 * Copies a database file while others read and write it. An open read transaction makes that safe: until it ends, SQLite
 * checkpoints nothing newer into the file and overwrites nothing in the WAL. The copied file plus the WAL copied after it
 * are therefore a consistent database, at least as new as the start of the copy. Unlike SQLite's backup API it does not
 * restart when another process writes.
 */
export async function copySqlite(file: string, copy: string, options: CopyOptions): Promise<void> {
  const partialFile = partialPath(copy)
  try {
    await copyFileAndWal(file, partialFile, options)
    checkpointWal(partialFile)
    options.finish?.(partialFile)
    renameIfAbsent(partialFile, copy)
    fsyncFolder(dirname(copy))
  } catch (error) {
    removePartialCopy(partialFile)
    throw error
  }
}

/** A name beside a file for what is not complete yet, one per process. Removes what killed processes left there. */
export function partialPath(file: string): string {
  const folder = dirname(file)
  const prefix = `${basename(file)}.part-`
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(prefix)) continue
    const pid = Number.parseInt(name.slice(prefix.length), 10)
    if (pid === process.pid || !isRunning(pid)) rmSync(join(folder, name), { recursive: true, force: true })
  }
  return join(folder, prefix + process.pid)
}

/** Removes what this process has not completed of a file. */
export const removePartialFiles = (file: string) =>
  removePartialCopy(join(dirname(file), `${basename(file)}.part-${process.pid}`))

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Throws EEXIST if another process completed the same file meanwhile. */
function renameIfAbsent(from: string, to: string): void {
  try {
    linkSync(from, to)
    rmSync(from)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error
    // A file system without links.
    renameSync(from, to)
  }
}

async function copyFileAndWal(file: string, partialFile: string, options: CopyOptions): Promise<void> {
  const openHandles: number[] = []
  const reader = new BunDatabase(file, { readwrite: true, strict: true })
  try {
    reader.run('pragma busy_timeout = 5000')
    reader.run('begin')
    reader.query('select count(*) from sqlite_master').get()
    // Closed after the connection: closing any handle of a file drops every POSIX lock that this process holds on it.
    const source = openSync(file, 'r')
    openHandles.push(source)
    const walHandle = openIfExists(`${file}-wal`)
    if (walHandle !== undefined) openHandles.push(walHandle)
    const walBytes = () =>
      walHandle === undefined ? 0 : (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0)
    const walBytesAtStart = walBytes()
    const isUrgent = () => walBytes() - walBytesAtStart > MAX_WAL_GROWTH_BYTES
    const totalBytes = statSync(file).size + walBytesAtStart
    let copiedBytes = 0
    const onCopied = (bytes: number) => {
      copiedBytes += bytes
      options.onProgress?.(copiedBytes, totalBytes)
    }
    await copyThrottled(source, partialFile, options.bytesPerSecond, isUrgent, onCopied)
    if (walHandle !== undefined)
      await copyThrottled(walHandle, `${partialFile}-wal`, options.bytesPerSecond, () => true, onCopied)
  } finally {
    if (reader.inTransaction) reader.run('rollback')
    reader.close()
    for (const handle of openHandles) closeSync(handle)
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
    const chunk = new Uint8Array(CHUNK_BYTES)
    const startedAt = performance.now()
    let unsyncedBytes = 0
    for (let position = 0; ; ) {
      const bytesRead = readSync(source, chunk, 0, CHUNK_BYTES, position)
      if (bytesRead === 0) break
      for (let written = 0; written < bytesRead; ) written += writeSync(target, chunk, written, bytesRead - written)
      position += bytesRead
      unsyncedBytes += bytesRead
      if (unsyncedBytes >= SYNC_EVERY_BYTES) {
        fdatasyncSync(target)
        unsyncedBytes = 0
      }
      onCopied(bytesRead)
      const aheadMs = (position / bytesPerSecond) * 1000 - (performance.now() - startedAt)
      // The event loop handles signals in between.
      await Bun.sleep(aheadMs > 0 && !isUrgent() ? aheadMs : 0)
    }
    fsyncSync(target)
  } finally {
    closeSync(target)
  }
}

/** Merges the WAL into the file, which is then the whole database. */
function checkpointWal(file: string): void {
  const connection = new BunDatabase(file, { readwrite: true, strict: true })
  try {
    connection.run('pragma synchronous = full')
    connection.run('pragma journal_mode = delete')
  } finally {
    connection.close()
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

function removePartialCopy(partialFile: string): void {
  for (const file of [partialFile, `${partialFile}-wal`, `${partialFile}-shm`, `${partialFile}-journal`])
    rmSync(file, { recursive: true, force: true })
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
