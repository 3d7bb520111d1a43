import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { setPriority } from 'node:os'
import { recordBackup } from '../app/operator-metrics.ts'
import type { Config } from '../config.ts'
import { type BackupKey, readBackupKey, sealKey, writeBackupKey } from '../db/backup/backup-key.ts'
import { copySqlite, partialPath, removePartialFiles } from '../db/backup/copy-sqlite.ts'
import { isHealthy } from '../db/backup/database-check.ts'
import { openDatabase, sqlitePath } from '../db/database.ts'
import { CHECK_SETTING, isKeyOf } from '../db/encryption-check-store.ts'
import { copyDatabase } from '../db/move/database-move.ts'
import { openPostgresEndpoint } from '../db/move/postgres-endpoint.ts'
import { openSqliteEndpoint } from '../db/move/sqlite-endpoint.ts'
import { readSetting } from '../db/setting-store.ts'
import { createProgress } from '../import/progress-service.ts'
import { keyFilePath } from '../lib/encryption.ts'
import { openByteProgress } from './byte-progress.ts'
import { cleaningUpOnSignal } from './clean-up-on-signal.ts'
import { type CommandOption, command, text, withDefault } from './command.ts'
import { CommandError, DatabaseNotFoundError } from './command-error.ts'
import { checkSqliteFile, countRows, formatCheck } from './database-check.ts'

/** Fast, but a fraction of what any disk can do. */
const DEFAULT_RATE_MB_PER_S = 100

const RATE: CommandOption<number> = {
  placeholder: 'MB',
  help: `megabytes per second at most (${DEFAULT_RATE_MB_PER_S}), so that other users of the disk hardly notice; for the embedded database`,
  accepts: 'megabytes per second, such as 50',
  parse: (value) => (Number(value) > 0 && Number(value) <= 100_000 ? Number(value) : undefined),
}

const KEY_TEXT: Readonly<Record<BackupKey['kind'], string>> = {
  included: 'with the key of its secrets',
  sealed: 'with the key of its secrets, sealed with BACKUP_PASSPHRASE',
  separate: 'without a key: keep SECRET_KEY with it',
}

export const backup = command({
  name: 'backup',
  help: 'Copy the database to a file while the service runs, with the key of its secrets, and check the copy.',
  arguments: { copy: text('FILE') },
  options: { rate: withDefault(RATE, DEFAULT_RATE_MB_PER_S) },
  json: true,
  notes: [
    'Everything acknowledged before it began is in the copy. FILE must not exist yet.',
    'FILE is an embedded database, also for PostgreSQL; "restore" restores it to either.',
    'DATA_DIR/secret.key is in FILE: keep it as safe as the data folder, or set BACKUP_PASSPHRASE. SECRET_KEY is in it only if sealed.',
  ],
  async run({ copy, rate }, { config, report, now, openExistingDatabase }) {
    const file = sqlitePath(config.dataDir)
    if (!config.databaseUrl && !existsSync(file)) throw new DatabaseNotFoundError({ url: '', dataDir: config.dataDir })
    if (existsSync(copy)) throw alreadyExists(copy)
    // The service has priority when both need the processor.
    setPriority(10)
    const begunAt = performance.now()
    const keyCheck = config.databaseUrl
      ? await readSetting((await openExistingDatabase()).query, CHECK_SETTING)
      : readBackupKey(file).check
    const key = selectKey(config, keyCheck)
    const write = () =>
      config.databaseUrl ? copyPostgres(config.databaseUrl, copy, key) : copyEmbedded(file, copy, key, rate * 1e6)
    const cleanUp = () => {
      for (const name of [copy, readingName(copy)]) removePartialFiles(name)
    }
    await cleaningUpOnSignal({ cleanUp, sentence: 'Stopped. No backup was made.' }, write).catch((error) => {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EEXIST') throw alreadyExists(copy)
      if (code?.startsWith('E') || code === 'SQLITE_FULL')
        throw new CommandError(`Cannot write ${copy} (${code}).`, 1, error)
      throw error
    })
    const check = checkSqliteFile(copy)
    const seconds = (performance.now() - begunAt) / 1000
    const { size } = statSync(copy)
    if (!isHealthy(check)) {
      for (const line of formatCheck(check)) report(line)
      throw new CommandError(`The copy ${copy} is damaged, as is the database. "status --check" shows details.`)
    }
    try {
      await recordBackup(await openExistingDatabase(), now())
    } catch {
      report('The backup is complete, but its time could not be stored; backup_age_seconds does not show it.')
    }
    const rows = countRows(check)
    const sizeText = `${(size / 1e6).toFixed(1)} MB, ${rows.toLocaleString('en')} rows`
    const keyText = keyCheck === undefined ? '' : ` ${KEY_TEXT[key.kind]},`
    return {
      json: { file: copy, bytes: size, seconds, rows, key: keyCheck === undefined ? null : key.kind },
      text: `${copy}: ${sizeText},${keyText} checked, in ${seconds.toFixed(1)} s.`,
    }
  },
})

const alreadyExists = (copy: string) => new CommandError(`${copy} already exists. A backup never overwrites a file.`)

/** The key that goes into the backup. Throws if it is not the key of the database: such a backup could not be restored. */
function selectKey({ secretKey, dataDir, backupPassphrase }: Config, check: string | undefined): BackupKey {
  if (check === undefined) return { kind: 'separate' }
  const key = secretKey || readKeyFile(keyFilePath(dataDir))
  if (key === undefined || !isKeyOf(key, check)) {
    const place = secretKey ? 'SECRET_KEY' : keyFilePath(dataDir)
    const problem = key === undefined ? `There is no ${place}` : `${place} is not the key of this database`
    throw new CommandError(`${problem}: the backup could not be restored. Set the SECRET_KEY of the service.`)
  }
  if (backupPassphrase) return sealKey(key, backupPassphrase)
  return secretKey ? { kind: 'separate' } : { kind: 'included', key }
}

export function readKeyFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim() || undefined
  } catch {
    return undefined
  }
}

async function copyEmbedded(file: string, copy: string, key: BackupKey, bytesPerSecond: number): Promise<void> {
  const progress = openByteProgress('backup')
  try {
    const finish = (partialFile: string) => writeBackupKey(partialFile, key)
    await copySqlite(file, copy, { bytesPerSecond, onProgress: progress.at, finish })
  } finally {
    progress.clear()
  }
}

/** Beside the copy: a database is read from PostgreSQL to there first. */
const readingName = (copy: string) => `${copy}.reading`

/** Copies one state of the database, while others write. */
async function copyPostgres(url: string, copy: string, key: BackupKey): Promise<void> {
  const folder = partialPath(readingName(copy))
  const progress = createProgress('backup', process.stderr)
  try {
    mkdirSync(folder, { mode: 0o700 })
    await (await openDatabase({ url: '', dataDir: folder })).close()
    const file = sqlitePath(folder)
    {
      await using source = await openPostgresEndpoint(url)
      await using target = openSqliteEndpoint(file)
      await target.startFilling()
      await copyDatabase(source, target, (done, total) => progress.at(Math.ceil(done / 2), done, total))
    }
    // One file without a WAL.
    const finish = (partialFile: string) => writeBackupKey(partialFile, key)
    await copySqlite(file, copy, { bytesPerSecond: Number.POSITIVE_INFINITY, finish })
  } finally {
    progress.clear()
    rmSync(folder, { recursive: true, force: true })
  }
}
