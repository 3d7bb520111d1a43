import { Database as BunDatabase } from 'bun:sqlite'
import { existsSync, mkdirSync, readdirSync, readlinkSync, renameSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { isLocked } from '../database-errors.ts'
import { type CopyOptions, copySqlite, fsyncFolder } from './copy-sqlite.ts'

/**
 * Restores a copy. An existing database is renamed, and its new name returned; the caller has made sure that no process
 * uses it.
 */
export async function restoreSqlite(
  copy: string,
  file: string,
  now: Date,
  options: CopyOptions,
): Promise<string | null> {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const restored = `${file}.restored`
  await copySqlite(copy, restored, options)
  let replacedFile: string | null = null
  if (existsSync(file)) {
    replacedFile = `${file}.replaced-${now.toISOString().replace(/[-:]|\.\d+/g, '')}`
    // With the WAL, which may hold committed data after a kill.
    for (const suffix of ['', '-wal', '-shm'])
      if (existsSync(file + suffix)) renameSync(file + suffix, replacedFile + suffix)
  }
  renameSync(restored, file)
  fsyncFolder(dirname(file))
  return replacedFile
}

/**
 * Whether another process has the database open. SQLite leaves WAL mode only for the sole user of a file; for a file that
 * it cannot read, /proc is checked.
 */
export function isDatabaseInUse(file: string): boolean {
  const connection = new BunDatabase(file, { readwrite: true, strict: true })
  try {
    connection.run('pragma journal_mode = delete')
    // Outside of WAL mode the lock tells.
    connection.run('begin exclusive')
    connection.run('rollback')
    return false
  } catch (error) {
    return isLocked(error) || isOpenInOtherProcess(file)
  } finally {
    connection.close()
  }
}

function isOpenInOtherProcess(file: string): boolean {
  const path = resolve(file)
  const processes = existsSync('/proc/self/fd') ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : []
  return processes.some((id) => Number(id) !== process.pid && listOpenFiles(id).includes(path))
}

function listOpenFiles(id: string): string[] {
  try {
    return readdirSync(`/proc/${id}/fd`).map((handle) => readlinkSync(`/proc/${id}/fd/${handle}`))
  } catch {
    // The process has ended, or belongs to another user.
    return []
  }
}
