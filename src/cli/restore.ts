import { existsSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { forgetSecrets } from '../app/forget-secrets-store.ts'
import type { Config } from '../config.ts'
import { openSealedKey, readBackupKey, writeBackupKey } from '../db/backup/backup-key.ts'
import { copySqlite, partialPath } from '../db/backup/copy-sqlite.ts'
import { isHealthy } from '../db/backup/database-check.ts'
import { createFolder, installKeyFile, isDatabaseInUse, replaceSqlite } from '../db/backup/restore-sqlite.ts'
import { openDatabase, RESTORING, sqlitePath } from '../db/database.ts'
import { isKeyOf } from '../db/encryption-check-store.ts'
import { copyDatabase } from '../db/move/database-move.ts'
import { openSqliteEndpoint } from '../db/move/sqlite-endpoint.ts'
import { createProgress } from '../import/progress-service.ts'
import { keyFilePath, openEncryption } from '../lib/encryption.ts'
import { readKeyFile } from './backup.ts'
import { openByteProgress } from './byte-progress.ts'
import { cleaningUpOnSignal } from './clean-up-on-signal.ts'
import { type CommandContext, command, flag, text } from './command.ts'
import { CommandError } from './command-error.ts'
import { checkOutput, checkSqliteFile, countRows, formatCheck } from './database-check.ts'
import { openTarget, whileStopped } from './move.ts'

/** Tables whose row counts are reported after a restore. */
const REPORTED_TABLES = ['organization', 'api_key', 'device', 'lookup', 'appraisal', 'observation']

export const restore = command({
  name: 'restore',
  help: 'Put a backup into DATA_DIR, or into the empty PostgreSQL of DATABASE_URL, with the key of its secrets. Stop the service first.',
  arguments: { copy: text('FILE') },
  options: {
    replace: flag('keep an existing embedded database under another name and put the backup in its place'),
    check: flag('check every page, reference and total of the backup, count its rows and restore nothing'),
    'forget-secrets': flag('if the key is lost: remove what cannot be decrypted, list it, and restore the rest'),
  },
  json: true,
  notes: [
    'The key comes from FILE (opened with BACKUP_PASSPHRASE if sealed), from SECRET_KEY, FILE.key or DATA_DIR/secret.key.',
    'Without the right key nothing is restored.',
  ],
  async run({ copy, replace, check: isCheckOnly, 'forget-secrets': mayForget }, context) {
    const { config, report, now } = context
    if (!existsSync(copy)) throw new CommandError(`There is no file ${copy}.`)
    if (statSync(copy).isDirectory()) throw new CommandError(`${copy} is a folder, not a file.`)
    const check = checkSqliteFile(copy)
    if (isCheckOnly) return checkOutput(check)
    if (check.isDraft)
      throw new CommandError(
        `${copy} is of a draft from before version 0.1.0, whose data cannot be read; nothing was restored.`,
      )
    const [newer] = check.unknownMigrations
    if (newer !== undefined)
      throw new CommandError(
        `${copy} is of a newer version of the program (${newer}). Install that; nothing was restored.`,
      )
    if (!isHealthy(check)) {
      for (const line of formatCheck(check)) report(line)
      throw new CommandError(`${copy} is damaged; nothing was restored.`)
    }
    const file = sqlitePath(config.dataDir)
    const requireReplaceable = () => {
      if (config.databaseUrl || !existsSync(file)) return
      if (isDatabaseInUse(file))
        throw new CommandError(`The database in ${config.dataDir} is in use. Stop the service first.`)
      if (!replace)
        throw new CommandError(
          `There is already a database in ${config.dataDir}. With --replace it is kept under another name and the backup takes its place.`,
        )
    }
    requireReplaceable()
    const key = findKey(copy, config)
    if ('problem' in key && !mayForget)
      throw new CommandError(
        `${key.problem} Nothing was restored. If the key is lost, --forget-secrets restores everything else.`,
      )
    createFolder(config.dataDir)
    const folder = partialPath(join(config.dataDir, RESTORING))
    const removeFolder = () => rmSync(folder, { recursive: true, force: true })
    const install = async () => {
      createFolder(folder)
      const { file: prepared, forgotten } = await prepareCopy(copy, folder, 'problem' in key, context)
      const keyText = 'problem' in key ? null : key.newKeyFile
      if (config.databaseUrl) return { replaced: await fillPostgres(folder, keyText, context), forgotten }
      // A service may have started during the copy.
      requireReplaceable()
      return { replaced: replaceSqlite(prepared, file, keyText, new Date(now())), forgotten }
    }
    const onSignal = { cleanUp: removeFolder, sentence: 'Stopped. Nothing was restored.' }
    try {
      const { replaced, forgotten } = await cleaningUpOnSignal(onSignal, install)
      if (replaced) report(`The previous database is kept as ${replaced}.`)
      for (const secret of forgotten) report(`Forgotten: ${secret}.`)
      const target = config.databaseUrl ? 'PostgreSQL' : file
      const counts = check.tables.filter(({ name }) => REPORTED_TABLES.includes(name))
      return {
        json: {
          restored: target,
          from: copy,
          replaced,
          rows: countRows(check),
          forgotten,
          ...Object.fromEntries(counts.map(({ name, rows }) => [name, rows])),
        },
        text: `${target} restored from ${copy}: ${counts.map(({ name, rows }) => `${name} ${rows.toLocaleString('en')}`).join(', ')}.`,
      }
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code !== 'ENOSPC' && code !== 'SQLITE_FULL') throw error
      throw new CommandError(`The disk of ${config.dataDir} is full. Nothing was restored.`, 1, error)
    } finally {
      removeFolder()
    }
  },
})

/**
 * Where the service will find the key of the backup. `newKeyFile` is the text for DATA_DIR/secret.key; null if the key is in
 * place already or none is needed.
 */
function findKey(
  copy: string,
  { secretKey, dataDir, backupPassphrase }: Config,
): { readonly newKeyFile: string | null } | { readonly problem: string } {
  const { check, key } = readBackupKey(copy)
  if (check === undefined) return { newKeyFile: null }
  if (secretKey) {
    if (isKeyOf(secretKey, check)) return { newKeyFile: null }
    return { problem: `SECRET_KEY is not the key of ${copy}.` }
  }
  const installed = readKeyFile(keyFilePath(dataDir))
  if (installed !== undefined && isKeyOf(installed, check)) return { newKeyFile: null }
  const beside = readKeyFile(`${copy}.key`)
  if (beside !== undefined && isKeyOf(beside, check)) return { newKeyFile: beside }
  if (key.kind === 'separate') return { problem: `${copy} does not hold the key of its secrets. Set SECRET_KEY.` }
  if (key.kind === 'sealed' && !backupPassphrase)
    return { problem: `The key in ${copy} is sealed with a passphrase. Set BACKUP_PASSPHRASE.` }
  const included = key.kind === 'included' ? key.key : openSealedKey(key.sealed, backupPassphrase)
  if (included === undefined) return { problem: `BACKUP_PASSPHRASE does not open the key in ${copy}.` }
  return isKeyOf(included, check)
    ? { newKeyFile: included }
    : { problem: `The key in ${copy} is not the key of its secrets.` }
}

/** Copies the backup to a working folder, without the key and what it alone decrypts. Returns the file and what is gone. */
async function prepareCopy(
  copy: string,
  folder: string,
  mustForget: boolean,
  { config, now, actor }: CommandContext,
): Promise<{ readonly file: string; readonly forgotten: readonly string[] }> {
  const file = sqlitePath(folder)
  const progress = openByteProgress('restore')
  try {
    const finish = (partialFile: string) => writeBackupKey(partialFile, null)
    await copySqlite(copy, file, { bytesPerSecond: Number.POSITIVE_INFINITY, onProgress: progress.at, finish })
  } finally {
    progress.clear()
  }
  if (!mustForget) return { file, forgotten: [] }
  const db = await openDatabase({ url: '', dataDir: folder })
  try {
    const forgotten = await forgetSecrets(db, openEncryption(config), actor, now())
    // One file without a WAL.
    const prepared = join(folder, 'prepared.sqlite')
    await copySqlite(file, prepared, { bytesPerSecond: Number.POSITIVE_INFINITY })
    return { file: prepared, forgotten }
  } finally {
    await db.close()
  }
}

/** Copies the prepared database to an empty PostgreSQL. Interrupted, it starts from the beginning when it is run again. */
async function fillPostgres(folder: string, keyText: string | null, { config, now }: CommandContext): Promise<null> {
  // Migrates the copy to the schema of this program.
  await (await openDatabase({ url: '', dataDir: folder })).close()
  const to = { url: config.databaseUrl, dataDir: config.dataDir }
  const progress = createProgress('restore', process.stderr)
  try {
    await using target = await openTarget(to)
    if (keyText !== null) installKeyFile(config.dataDir, keyText, new Date(now()))
    await whileStopped(to, async () => {
      await using source = openSqliteEndpoint(sqlitePath(folder))
      await copyDatabase(source, target, (done, total) => progress.at(Math.ceil(done / 2), done, total))
    })
    return null
  } finally {
    progress.clear()
  }
}
