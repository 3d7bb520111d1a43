import { existsSync } from 'node:fs'
import { checkPostgres } from '../db/backup/check-postgres.ts'
import { checkSqlite, NotADatabaseError } from '../db/backup/check-sqlite.ts'
import { type DatabaseCheck, isHealthy } from '../db/backup/database-check.ts'
import { sqlitePath } from '../db/database.ts'
import { formatNumberTable } from '../lib/text-table.ts'
import { command, optional, text } from './command.ts'
import { CommandError, DatabaseNotFoundError } from './command-error.ts'

export const dbCheck = command({
  name: 'store check',
  help: 'Check every page, reference and total of the database, or of a backup, and count its rows. Exit code 1 if something is wrong.',
  arguments: { file: optional(text('FILE')) },
  json: true,
  notes: ['For a damaged database it reports how many rows of each table can still be read. Nothing is changed.'],
  async run({ file }, { config: { databaseUrl, dataDir } }) {
    if (file && !existsSync(file)) throw new CommandError(`There is no file ${file}.`)
    const path = file ?? sqlitePath(dataDir)
    const isPostgres = !file && databaseUrl !== ''
    if (!isPostgres && !existsSync(path)) throw new DatabaseNotFoundError({ url: '', dataDir })
    const check = isPostgres ? await checkPostgres(databaseUrl) : checkSqliteFile(path)
    return { json: present(check), text: formatCheck(check).join('\n'), exitCode: isHealthy(check) ? 0 : 1 }
  },
})

export function checkSqliteFile(file: string): DatabaseCheck {
  try {
    return checkSqlite(file)
  } catch (error) {
    throw error instanceof NotADatabaseError ? new CommandError(error.message, 1, error) : error
  }
}

export const countRows = ({ tables }: DatabaseCheck) => tables.reduce((sum, { rows }) => sum + rows, 0)

export function formatCheck(check: DatabaseCheck): string[] {
  const { tables, problems, unknownMigrations, brokenReferences, wrongTotals } = check
  const counts = tables.map(({ name, rows, isComplete }) => [
    name,
    `${rows.toLocaleString('en')}${isComplete ? '' : ' readable'}`,
  ])
  return [
    ...(counts.length > 0 ? [formatNumberTable(['table', 'rows'], counts)] : []),
    ...problems.map((problem) => `damaged: ${problem}`),
    ...unknownMigrations.map((name) => `created by a newer program: ${name}`),
    ...brokenReferences.map((reference) => `references missing rows: ${reference}`),
    ...wrongTotals.map((total) => `wrong total: ${total}`),
    isHealthy(check) ? 'The database is healthy.' : 'The database is not healthy.',
  ]
}

function present(check: DatabaseCheck): object {
  return {
    sound: isHealthy(check),
    problems: check.problems,
    unknown_migrations: check.unknownMigrations,
    broken_references: check.brokenReferences,
    wrong_totals: check.wrongTotals,
    tables: Object.fromEntries(check.tables.map(({ name, rows, isComplete }) => [name, { rows, whole: isComplete }])),
  }
}
