import { type DatabaseCheck, isHealthy } from '../db/backup/database-check.ts'
import { createProgress } from '../import/progress-service.ts'
import { formatNumberTable } from '../lib/text-table.ts'
import { CommandError } from './command-error.ts'

/** Megabytes a second: quick, and a share of what any disk does. */
export const DEFAULT_RATE_MB_PER_S = 100

export function parseRate(given: string | undefined, usage: string): number {
  const megabytes = Number(given ?? DEFAULT_RATE_MB_PER_S)
  if (!(megabytes > 0 && megabytes <= 100_000))
    throw new CommandError(`--rate takes megabytes a second, such as 50, not "${given}". Usage: ${usage}`, 2)
  return megabytes * 1e6
}

/** A bar in megabytes, on stderr. */
export function openByteProgress(label: string) {
  const progress = createProgress(label, process.stderr, undefined, 'MB')
  return {
    at: (done: number, total: number) => progress.at(Math.floor(done / 1e6), done, total),
    clear: progress.clear,
  }
}

export const countRows = ({ tables }: DatabaseCheck) => tables.reduce((sum, { rows }) => sum + rows, 0)

/** What was found, as a person reads it. */
export function formatCheck(check: DatabaseCheck): string[] {
  const { tables, problems, unknownMigrations, brokenReferences, wrongTotals } = check
  const counted = tables.map(({ name, rows, isComplete: isWhole }) => [
    name,
    `${rows.toLocaleString('en')}${isWhole ? '' : ' readable'}`,
  ])
  const found = [
    ...problems.map((problem) => `damaged: ${problem}`),
    ...unknownMigrations.map((name) => `made by a newer program: ${name}`),
    ...brokenReferences.map((reference) => `refers to rows that are not there: ${reference}`),
    ...wrongTotals.map((total) => `wrong total: ${total}`),
  ]
  return [
    ...(counted.length > 0 ? [formatNumberTable(['table', 'rows'], counted)] : []),
    ...found,
    isHealthy(check) ? 'The store is sound.' : 'The store is not sound.',
  ]
}
