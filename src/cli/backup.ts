import { existsSync, statSync } from 'node:fs'
import { setPriority } from 'node:os'
import { recordBackup } from '../app/operator-metrics.ts'
import { checkSqlite } from '../db/backup/check-sqlite.ts'
import { copySqlite } from '../db/backup/copy-sqlite.ts'
import { isHealthy } from '../db/backup/database-check.ts'
import { sqlitePath } from '../db/database.ts'
import { type Command, parseArguments } from './command.ts'
import { CommandError } from './command-error.ts'
import { DatabaseNotFoundError } from './database-not-found.ts'
import { countRows, DEFAULT_RATE_MB_PER_S, formatCheck, openByteProgress, parseRate } from './db-report.ts'

const USAGE = 'backup FILE [--rate MB] [--json]'

export const backup: Command = {
  name: 'backup',
  usage: 'FILE [--rate MB] [--json]',
  help: 'Copy the embedded store to one file while the service runs, and check the copy.',
  details: [
    `--rate MB  megabytes a second at most (${DEFAULT_RATE_MB_PER_S}); others that use the disk hardly notice`,
    'Everything that was acknowledged before it began is in the copy. FILE must not exist yet.',
    'For PostgreSQL use pg_dump, or "store move" to make an embedded store of it.',
  ].join('\n'),
  async run(args, { config, print, report: tell, now, openExistingDatabase }) {
    const { values, positionals } = parseArguments(
      args,
      { rate: { type: 'string' }, json: { type: 'boolean' } },
      { least: 1, most: 1, usage: USAGE },
    )
    const copy = positionals[0] as string
    const bytesPerSecond = parseRate(values.rate, USAGE)
    if (config.databaseUrl) throw new CommandError('The store is a PostgreSQL: pg_dump makes its backup.')
    const file = sqlitePath(config.dataDir)
    if (!existsSync(file)) throw new DatabaseNotFoundError({ url: '', dataDir: config.dataDir })
    if (existsSync(copy)) throw new CommandError(`${copy} is there already. A backup never overwrites a file.`)
    // The service comes first wherever both want the processor.
    setPriority(10)
    const begunAt = performance.now()
    const progress = openByteProgress('backup')
    await copySqlite(file, copy, { bytesPerSecond, onProgress: progress.at }).catch((error) => {
      progress.clear()
      const { code } = error as NodeJS.ErrnoException
      if (code?.startsWith('E')) throw new CommandError(`${copy} cannot be written (${code}).`, 1, error)
      throw error
    })
    progress.clear()
    const check = checkSqlite(copy)
    const seconds = (performance.now() - begunAt) / 1000
    const { size } = statSync(copy)
    if (!isHealthy(check)) {
      for (const line of formatCheck(check)) tell(line)
      throw new CommandError(`The copy ${copy} is not sound, as the store is not. "store check" says more.`)
    }
    try {
      await recordBackup(await openExistingDatabase(), now())
    } catch {
      tell('The backup is complete, but its time could not be stored; backup_age_seconds does not show it.')
    }
    print(
      values.json
        ? JSON.stringify({ file: copy, bytes: size, seconds, rows: countRows(check) })
        : `${copy}: ${(size / 1e6).toFixed(1)} MB, ${countRows(check).toLocaleString('en')} rows, checked, in ${seconds.toFixed(1)} s.`,
    )
    return 0
  },
}
