import { authStore } from '../auth/auth-store.ts'
import type { Database } from '../db/database.ts'
import { formatCsvLine } from '../lib/csv-writer.ts'
import { unknownId } from '../lib/errors.ts'
import { addDays, isDay, startOfDay } from '../lib/time.ts'
import { type Command, parseArguments, requireOption } from './command.ts'
import { CommandError } from './command-error.ts'

const FORMATS = ['csv', 'ndjson'] as const

/** A kind of record that is kept as it was answered. */
export type RecordKind = {
  /** As people count them: one of it, many of it. */
  readonly nouns: readonly [one: string, many: string]
  readonly description: string
  /** First word of the command; the plural noun by default. */
  readonly command?: string
  readonly header: readonly string[]
  readonly cells: (answer: string) => readonly string[]
  readonly open: (db: Database) => {
    export(organizationId: string, range: { from?: number; to?: number }): AsyncGenerator<string[]>
  }
}

/** `lookups export`, `appraisals export`: an organization's records as a table or as they are. */
export function recordExport({
  nouns: [one, many],
  description: what,
  command = many,
  header,
  cells,
  open,
}: RecordKind): Command {
  const usage = '--org ID [--format csv|ndjson] [--from DATE] [--to DATE]'
  const whole = `${command} export ${usage}`
  return {
    name: `${command} export`,
    usage,
    help: `Print an organization's ${what}, oldest first.`,
    details: [
      '--format  csv (the default; cells a spreadsheet would run are guarded) or ndjson (the whole records)',
      '--from    first day, such as 2026-01-31 (UTC)',
      '--to      last day',
    ].join('\n'),
    async run(args, context) {
      const { values } = parseArguments(
        args,
        { org: { type: 'string' }, format: { type: 'string' }, from: { type: 'string' }, to: { type: 'string' } },
        { least: 0, most: 0, usage: whole },
      )
      const organizationId = requireOption(values.org, 'org', whole)
      const format = parseFormat(values.format ?? 'csv')
      const from = parseDay('from', values.from)
      const to = parseDay('to', values.to)
      const db = await context.openExistingDatabase()
      if ((await authStore(db).organizationName(organizationId)) === null)
        throw unknownId('organization', organizationId)
      if (format === 'csv') await context.write(formatCsvLine(header))
      let count = 0
      for await (const answers of open(db).export(organizationId, {
        ...(from === undefined ? {} : { from: startOfDay(from) }),
        ...(to === undefined ? {} : { to: startOfDay(addDays(to, 1)) }),
      })) {
        count += answers.length
        await context.write(
          answers.map((answer) => (format === 'csv' ? formatCsvLine(cells(answer)) : `${answer}\n`)).join(''),
        )
      }
      context.report(`${count} ${count === 1 ? one : many} exported.`)
      return 0
    },
  }
}

function parseFormat(text: string): (typeof FORMATS)[number] {
  const format = FORMATS.find((each) => each === text)
  if (!format) throw new CommandError(`--format takes ${FORMATS.join(' or ')}, not "${text}".`, 2)
  return format
}

function parseDay(option: string, text: string | undefined): string | undefined {
  if (text === undefined || isDay(text)) return text
  throw new CommandError(`--${option} takes a date such as 2026-01-31, not "${text}".`, 2)
}
