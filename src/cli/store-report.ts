import { isSound, type StoreCheck } from '../db/backup/store-check.ts'
import { openProgress } from '../import/progress.ts'
import { figureTable } from '../text/text-table.ts'
import { CommandError } from './command-error.ts'

/** Megabytes a second: quick, and a share of what any disk does. */
export const RATE = 100

export function readRate(given: string | undefined, usage: string): number {
  const megabytes = Number(given ?? RATE)
  if (!(megabytes > 0 && megabytes <= 100_000))
    throw new CommandError(`--rate takes megabytes a second, such as 50, not "${given}". Usage: ${usage}`, 2)
  return megabytes * 1e6
}

/** A bar in megabytes, on stderr. */
export function openByteProgress(label: string) {
  const progress = openProgress(label, process.stderr, undefined, 'MB')
  return {
    at: (done: number, total: number) => progress.at(Math.floor(done / 1e6), done, total),
    clear: progress.clear,
  }
}

export const rowsOf = ({ tables }: StoreCheck) => tables.reduce((sum, { rows }) => sum + rows, 0)

/** What was found, as a person reads it. */
export function checkLines(check: StoreCheck): string[] {
  const { tables, problems, unknownMigrations, brokenReferences, wrongTotals } = check
  const counted = tables.map(({ name, rows, isWhole }) => [
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
    ...(counted.length > 0 ? [figureTable(['table', 'rows'], counted)] : []),
    ...found,
    isSound(check) ? 'The store is sound.' : 'The store is not sound.',
  ]
}
