import { existsSync } from 'node:fs'
import { checkSqlite, NotADatabaseError } from '../db/backup/check-sqlite.ts'
import { type DatabaseCheck, isHealthy } from '../db/backup/database-check.ts'
import { isDatabaseInUse, restoreSqlite } from '../db/backup/restore-sqlite.ts'
import { sqlitePath } from '../db/database.ts'
import { type Command, parseArguments } from './command.ts'
import { CommandError } from './command-error.ts'
import { countRows, formatCheck, openByteProgress } from './db-report.ts'

const USAGE = 'restore FILE [--replace] [--json]'
/** The fields that say most about what was restored. */
const NAMED = ['organization', 'api_key', 'device', 'lookup', 'appraisal', 'observation']

export const restore: Command = {
  name: 'restore',
  usage: 'FILE [--replace] [--json]',
  help: 'Put a backup where the embedded store is; nothing may run on it meanwhile.',
  details: '--replace  a store is there already: keep it beside, under another name, and put the backup in its place',
  async run(args, { config, print, report: tell, now }) {
    const { values, positionals } = parseArguments(
      args,
      { replace: { type: 'boolean' }, json: { type: 'boolean' } },
      { least: 1, most: 1, usage: USAGE },
    )
    const copy = positionals[0] as string
    if (config.databaseUrl)
      throw new CommandError(
        'The store is a PostgreSQL: pg_restore fills it, or "store move" run on the backup without DATABASE_URL.',
      )
    if (!existsSync(copy)) throw new CommandError(`There is no file ${copy}.`)
    const check = checkBackup(copy)
    if (!isHealthy(check)) {
      for (const line of formatCheck(check)) tell(line)
      throw new CommandError(`${copy} is not sound; nothing was restored.`)
    }
    const file = sqlitePath(config.dataDir)
    if (existsSync(file)) {
      if (isDatabaseInUse(file))
        throw new CommandError(`The store in ${config.dataDir} is in use. Stop the service first.`)
      if (!values.replace)
        throw new CommandError(
          `There is a store in ${config.dataDir} already. With --replace it is kept under another name and the backup takes its place.`,
        )
    }
    const progress = openByteProgress('restore')
    const aside = await restoreSqlite(copy, file, new Date(now()), {
      bytesPerSecond: Number.POSITIVE_INFINITY,
      onProgress: progress.at,
    })
    progress.clear()
    const counts = Object.fromEntries(
      check.tables.filter(({ name }) => NAMED.includes(name)).map(({ name, rows }) => [name, rows]),
    )
    if (aside) tell(`The store that was there is kept as ${aside}.`)
    print(
      values.json
        ? JSON.stringify({ restored: file, from: copy, replaced: aside, rows: countRows(check), ...counts })
        : `${file} restored from ${copy}: ${Object.entries(counts)
            .map(([name, rows]) => `${name} ${rows.toLocaleString('en')}`)
            .join(', ')}.`,
    )
    return 0
  },
}

function checkBackup(copy: string): DatabaseCheck {
  try {
    return checkSqlite(copy)
  } catch (error) {
    throw error instanceof NotADatabaseError ? new CommandError(error.message, 1, error) : error
  }
}
