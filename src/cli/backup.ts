import { existsSync, statSync } from 'node:fs'
import { setPriority } from 'node:os'
import { recordBackup } from '../app/operator-metrics.ts'
import { copySqlite } from '../db/backup/copy-sqlite.ts'
import { isHealthy } from '../db/backup/database-check.ts'
import { isDatabaseInUse, restoreSqlite } from '../db/backup/restore-sqlite.ts'
import { sqlitePath } from '../db/database.ts'
import { createProgress } from '../import/progress-service.ts'
import { type CommandOption, command, flag, text, withDefault } from './command.ts'
import { CommandError, DatabaseNotFoundError } from './command-error.ts'
import { checkOutput, checkSqliteFile, countRows, formatCheck } from './database-check.ts'

/** Fast, but a fraction of what any disk can do. */
const DEFAULT_RATE_MB_PER_S = 100

const RATE: CommandOption<number> = {
  placeholder: 'MB',
  help: `megabytes per second at most (${DEFAULT_RATE_MB_PER_S}), so that other users of the disk hardly notice`,
  accepts: 'megabytes per second, such as 50',
  parse: (value) => (Number(value) > 0 && Number(value) <= 100_000 ? Number(value) : undefined),
}

export const backup = command({
  name: 'backup',
  help: 'Copy the embedded database to a file while the service runs, and check the copy.',
  arguments: { copy: text('FILE') },
  options: { rate: withDefault(RATE, DEFAULT_RATE_MB_PER_S) },
  json: true,
  notes: [
    'Everything acknowledged before it began is in the copy. FILE must not exist yet.',
    'For PostgreSQL use pg_dump, or "move" to copy it to an embedded database.',
  ],
  async run({ copy, rate }, { config, report, now, openExistingDatabase }) {
    if (config.databaseUrl) throw new CommandError('The database is PostgreSQL: use pg_dump for backups.')
    const file = sqlitePath(config.dataDir)
    if (!existsSync(file)) throw new DatabaseNotFoundError({ url: '', dataDir: config.dataDir })
    if (existsSync(copy)) throw new CommandError(`${copy} already exists. A backup never overwrites a file.`)
    // The service has priority when both need the processor.
    setPriority(10)
    const begunAt = performance.now()
    const progress = openByteProgress('backup')
    await copySqlite(file, copy, { bytesPerSecond: rate * 1e6, onProgress: progress.at }).catch((error) => {
      progress.clear()
      const { code } = error as NodeJS.ErrnoException
      if (code?.startsWith('E')) throw new CommandError(`Cannot write ${copy} (${code}).`, 1, error)
      throw error
    })
    progress.clear()
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
    return {
      json: { file: copy, bytes: size, seconds, rows },
      text: `${copy}: ${(size / 1e6).toFixed(1)} MB, ${rows.toLocaleString('en')} rows, checked, in ${seconds.toFixed(1)} s.`,
    }
  },
})

/** Tables whose row counts are reported after a restore. */
const REPORTED_TABLES = ['organization', 'api_key', 'device', 'lookup', 'appraisal', 'observation']

export const restore = command({
  name: 'restore',
  help: 'Replace the embedded database by a backup. Stop the service first.',
  arguments: { copy: text('FILE') },
  options: {
    replace: flag('keep an existing database under another name and put the backup in its place'),
    check: flag('check every page, reference and total of the backup, count its rows and restore nothing'),
  },
  json: true,
  async run({ copy, replace, check: isCheckOnly }, { config, report, now }) {
    if (!existsSync(copy)) throw new CommandError(`There is no file ${copy}.`)
    const check = checkSqliteFile(copy)
    if (isCheckOnly) return checkOutput(check)
    if (config.databaseUrl)
      throw new CommandError(
        'The database is PostgreSQL: use pg_restore, or run "move" on the restored backup without DATABASE_URL.',
      )
    if (!isHealthy(check)) {
      for (const line of formatCheck(check)) report(line)
      throw new CommandError(`${copy} is damaged; nothing was restored.`)
    }
    const file = sqlitePath(config.dataDir)
    if (existsSync(file)) {
      if (isDatabaseInUse(file))
        throw new CommandError(`The database in ${config.dataDir} is in use. Stop the service first.`)
      if (!replace)
        throw new CommandError(
          `There is already a database in ${config.dataDir}. With --replace it is kept under another name and the backup takes its place.`,
        )
    }
    const progress = openByteProgress('restore')
    const replaced = await restoreSqlite(copy, file, new Date(now()), {
      bytesPerSecond: Number.POSITIVE_INFINITY,
      onProgress: progress.at,
    })
    progress.clear()
    if (replaced) report(`The previous database is kept as ${replaced}.`)
    const counts = check.tables.filter(({ name }) => REPORTED_TABLES.includes(name))
    return {
      json: {
        restored: file,
        from: copy,
        replaced,
        rows: countRows(check),
        ...Object.fromEntries(counts.map(({ name, rows }) => [name, rows])),
      },
      text: `${file} restored from ${copy}: ${counts.map(({ name, rows }) => `${name} ${rows.toLocaleString('en')}`).join(', ')}.`,
    }
  },
})

/** Progress in megabytes, on stderr. */
function openByteProgress(label: string) {
  const progress = createProgress(label, process.stderr, undefined, 'MB')
  return {
    at: (done: number, total: number) => progress.at(Math.floor(done / 1e6), done, total),
    clear: progress.clear,
  }
}
