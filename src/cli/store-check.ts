import { existsSync } from 'node:fs'
import { checkPostgres } from '../db/backup/check-postgres.ts'
import { checkSqlite, NotAStore } from '../db/backup/check-sqlite.ts'
import { isSound, type StoreCheck } from '../db/backup/store-check.ts'
import { sqliteFile } from '../db/open.ts'
import { type Command, readArguments } from './command.ts'
import { CommandError } from './command-error.ts'
import { NoStore } from './no-store.ts'
import { checkLines } from './store-report.ts'

export const storeCheck: Command = {
  name: 'store check',
  usage: '[FILE] [--json]',
  help: 'Check every page, reference and total of the store, or of a backup, and count what it holds; 1 when something is wrong.',
  details: 'Of a damaged store it says how many rows of each table can still be read. Nothing is changed.',
  async run(args, { config, print }) {
    const { values, positionals } = readArguments(
      args,
      { json: { type: 'boolean' } },
      { least: 0, most: 1, usage: 'store check [FILE] [--json]' },
    )
    const [named] = positionals
    if (named && !existsSync(named)) throw new CommandError(`There is no file ${named}.`)
    const check =
      !named && config.databaseUrl ? await checkPostgres(config.databaseUrl) : checkFile(named, config.dataDir)
    if (values.json) print(JSON.stringify(present(check)))
    else for (const line of checkLines(check)) print(line)
    return isSound(check) ? 0 : 1
  },
}

function checkFile(named: string | undefined, dataDir: string): StoreCheck {
  const file = named ?? sqliteFile(dataDir)
  if (!existsSync(file)) throw new NoStore({ url: '', dataDir })
  try {
    return checkSqlite(file)
  } catch (error) {
    throw error instanceof NotAStore ? new CommandError(error.message, 1, error) : error
  }
}

function present(check: StoreCheck): object {
  return {
    sound: isSound(check),
    problems: check.problems,
    unknown_migrations: check.unknownMigrations,
    broken_references: check.brokenReferences,
    wrong_totals: check.wrongTotals,
    tables: Object.fromEntries(check.tables.map(({ name, rows, isWhole }) => [name, { rows, whole: isWhole }])),
  }
}
