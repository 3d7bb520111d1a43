import { existsSync } from 'node:fs'
import { checkPostgres } from '../db/backup/check-postgres.ts'
import { checkSqlite, NotADatabaseError } from '../db/backup/check-sqlite.ts'
import { type DatabaseCheck, isHealthy } from '../db/backup/database-check.ts'
import { sqlitePath } from '../db/database.ts'
import { type Command, parseArguments } from './command.ts'
import { CommandError } from './command-error.ts'
import { DatabaseNotFoundError } from './database-not-found.ts'
import { formatCheck } from './db-report.ts'

export const dbCheck: Command = {
  name: 'store check',
  usage: '[FILE] [--json]',
  help: 'Check every page, reference and total of the store, or of a backup, and count what it holds; 1 when something is wrong.',
  details: 'Of a damaged store it says how many rows of each table can still be read. Nothing is changed.',
  async run(args, { config, print }) {
    const { values, positionals } = parseArguments(
      args,
      { json: { type: 'boolean' } },
      { least: 0, most: 1, usage: 'store check [FILE] [--json]' },
    )
    const [named] = positionals
    if (named && !existsSync(named)) throw new CommandError(`There is no file ${named}.`)
    const check =
      !named && config.databaseUrl ? await checkPostgres(config.databaseUrl) : checkFile(named, config.dataDir)
    if (values.json) print(JSON.stringify(present(check)))
    else for (const line of formatCheck(check)) print(line)
    return isHealthy(check) ? 0 : 1
  },
}

function checkFile(named: string | undefined, dataDir: string): DatabaseCheck {
  const file = named ?? sqlitePath(dataDir)
  if (!existsSync(file)) throw new DatabaseNotFoundError({ url: '', dataDir })
  try {
    return checkSqlite(file)
  } catch (error) {
    throw error instanceof NotADatabaseError ? new CommandError(error.message, 1, error) : error
  }
}

function present(check: DatabaseCheck): object {
  return {
    sound: isHealthy(check),
    problems: check.problems,
    unknown_migrations: check.unknownMigrations,
    broken_references: check.brokenReferences,
    wrong_totals: check.wrongTotals,
    tables: Object.fromEntries(
      check.tables.map(({ name, rows, isComplete: isWhole }) => [name, { rows, whole: isWhole }]),
    ),
  }
}
