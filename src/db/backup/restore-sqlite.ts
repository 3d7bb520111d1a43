import { Database as BunDatabase } from 'bun:sqlite'
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  renameSync,
  writeSync,
} from 'node:fs'
import { dirname, resolve } from 'node:path'
import { keyFilePath } from '../../lib/encryption.ts'
import { isLocked } from '../database-errors.ts'
import { fsyncFolder } from './copy-sqlite.ts'

const asideSuffix = (now: Date) => `.replaced-${now.toISOString().replace(/[-:]|\.\d+/g, '')}`

export const createFolder = (folder: string) => mkdirSync(folder, { recursive: true, mode: 0o700 })

/**
 * Puts a restored database and the key of its secrets in place. An existing database is renamed, and its new name returned;
 * its key is beside it. The caller has made sure that no process uses it.
 */
export function replaceSqlite(restored: string, file: string, key: string | null, now: Date): string | null {
  let replacedFile: string | null = null
  if (existsSync(file)) {
    replacedFile = file + asideSuffix(now)
    // With the WAL, which may hold committed data after a kill.
    for (const suffix of ['', '-wal', '-shm'])
      if (existsSync(file + suffix)) renameSync(file + suffix, replacedFile + suffix)
  }
  // While there is no database: at no time is one beside the key of another.
  if (key !== null) installKeyFile(dirname(file), key, now, replacedFile ?? file + asideSuffix(now))
  renameSync(restored, file)
  fsyncFolder(dirname(file))
  return replacedFile
}

/** Writes the key file durably. An existing one is renamed to `NAME.key`, NAME being that of its database. */
export function installKeyFile(
  dataDir: string,
  key: string,
  now: Date,
  replacedName = keyFilePath(dataDir) + asideSuffix(now),
): void {
  const path = keyFilePath(dataDir)
  const partialPath = `${path}.part`
  const handle = openSync(partialPath, 'w', 0o600)
  try {
    writeSync(handle, `${key}\n`)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  if (existsSync(path)) renameSync(path, `${replacedName}.key`)
  renameSync(partialPath, path)
  fsyncFolder(dataDir)
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
