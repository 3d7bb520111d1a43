import { Database as BunDatabase } from 'bun:sqlite'
import { closeSync, existsSync, openSync, renameSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { errorCode } from '../database-errors.ts'

/** A SQLite file with data derived from the database: it can be deleted and built again at any time. */
export type LocalDatabase = BunDatabase

/** Half of it would do for the pages that most requests read; the rest is left to the file cache of the system. */
const CACHE_KB = 8_000

/** Processes of one machine may share the file: readers never wait, a writer waits for the other's short transaction. */
export function openLocalDatabase(file: string): LocalDatabase {
  createPrivateFile(file)
  const connection = new BunDatabase(file, { create: true, strict: true })
  connection.run('pragma busy_timeout = 2000')
  // With WAL this loses the last commits in a power cut, but does not corrupt the file.
  for (const pragma of ['journal_mode = wal', 'synchronous = normal', `cache_size = -${CACHE_KB}`]) {
    connection.run(`pragma ${pragma}`)
  }
  return connection
}

/** For a file that is filled under a temporary name and thrown away if that fails: no journal, no waiting for the disk. */
export function createLocalDatabase(file: string): LocalDatabase {
  removeLocalDatabase(file)
  createPrivateFile(file)
  const connection = new BunDatabase(file, { create: true, strict: true })
  for (const pragma of ['journal_mode = off', 'synchronous = off', 'cache_size = -64000', 'locking_mode = exclusive']) {
    connection.run(`pragma ${pragma}`)
  }
  return connection
}

/** Puts a filled file in place of `file`, once its content is on the disk. */
export async function replaceLocalDatabase(filled: string, file: string): Promise<void> {
  const handle = await open(filled, 'r+')
  await handle.sync().finally(() => handle.close())
  // A WAL of the previous file must not be applied to this one.
  removeLocalDatabase(file)
  renameSync(filled, file)
}

export function removeLocalDatabase(file: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true })
}

/** Whether an error says that the file is damaged, as opposed to busy or out of space. */
export function isDamaged(error: unknown): boolean {
  return /^SQLITE_(CORRUPT|NOTADB|IOERR_SHORT_READ)/.test(errorCode(error))
}

function createPrivateFile(file: string): void {
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600))
}
