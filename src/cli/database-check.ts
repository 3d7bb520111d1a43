import { existsSync } from 'node:fs'
import type { Config } from '../config.ts'
import { checkPostgres } from '../db/backup/check-postgres.ts'
import { checkSqlite, NotADatabaseError } from '../db/backup/check-sqlite.ts'
import { type DatabaseCheck, isHealthy } from '../db/backup/database-check.ts'
import { sqlitePath } from '../db/database.ts'
import { formatNumberTable } from '../lib/text-table.ts'
import type { CommandOutput } from './command.ts'
import { CommandError, DatabaseNotFoundError } from './command-error.ts'

/** Reads every page, reference and total of the database in use; nothing is changed. */
export function checkDatabase({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>) {
  if (databaseUrl) return checkPostgres(databaseUrl)
  const file = sqlitePath(dataDir)
  if (!existsSync(file)) throw new DatabaseNotFoundError({ url: '', dataDir })
  return checkSqliteFile(file)
}

/** The result of a check; exit code 1 if something is wrong. */
export const checkOutput = (check: DatabaseCheck): CommandOutput => ({
  json: present(check),
  text: formatCheck(check).join('\n'),
  exitCode: isHealthy(check) ? 0 : 1,
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
  const { tables, problems, isDraft, unknownMigrations, brokenReferences, wrongTotals } = check
  const counts = tables.map(({ name, rows, isComplete }) => [
    name,
    `${rows.toLocaleString('en')}${isComplete ? '' : ' readable'}`,
  ])
  return [
    ...(counts.length > 0 ? [formatNumberTable(['table', 'rows'], counts)] : []),
    ...problems.map((problem) => `damaged: ${problem}`),
    ...(isDraft ? ['created by a draft from before version 0.1.0'] : []),
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
