import { accessStore } from '../access/store.ts'
import type { Database } from '../db/open.ts'
import { noSuch } from '../errors.ts'
import { csvLine } from '../text/csv-line.ts'
import { addDays, isDay, startOfDay } from '../time.ts'
import { type Command, readArguments, required } from './command.ts'
import { CommandError } from './command-error.ts'

const FORMATS = ['csv', 'ndjson'] as const

/** A kind of record that is kept as it was answered. */
export type RecordKind = {
  /** As people count them: one of it, many of it. */
  readonly nouns: readonly [one: string, many: string]
  readonly what: string
  readonly header: readonly string[]
  readonly cells: (answer: string) => readonly string[]
  readonly open: (db: Database) => {
    export(organizationId: string, range: { from?: number; to?: number }): AsyncGenerator<string[]>
  }
}

/** `lookups export`, `appraisals export`: an organization's records as a table or as they are. */
export function recordExport({ nouns: [one, many], what, header, cells, open }: RecordKind): Command {
  const usage = '--org ID [--format csv|ndjson] [--from DATE] [--to DATE]'
  const whole = `${many} export ${usage}`
  return {
    name: `${many} export`,
    usage,
    help: `Print an organization's ${what}, oldest first.`,
    details: [
      '--format  csv (the default; cells a spreadsheet would run are guarded) or ndjson (the whole records)',
      '--from    first day, such as 2026-01-31 (UTC)',
      '--to      last day',
    ].join('\n'),
    async run(args, context) {
      const { values } = readArguments(
        args,
        { org: { type: 'string' }, format: { type: 'string' }, from: { type: 'string' }, to: { type: 'string' } },
        { least: 0, most: 0, usage: whole },
      )
      const organizationId = required(values.org, 'org', whole)
      const format = readFormat(values.format ?? 'csv')
      const from = readDay('from', values.from)
      const to = readDay('to', values.to)
      const db = await context.openStore()
      if ((await accessStore(db).organizationName(organizationId)) === null)
        throw noSuch('organization', organizationId)
      if (format === 'csv') await context.write(csvLine(header))
      let count = 0
      for await (const answers of open(db).export(organizationId, {
        ...(from === undefined ? {} : { from: startOfDay(from) }),
        ...(to === undefined ? {} : { to: startOfDay(addDays(to, 1)) }),
      })) {
        count += answers.length
        await context.write(
          answers.map((answer) => (format === 'csv' ? csvLine(cells(answer)) : `${answer}\n`)).join(''),
        )
      }
      context.tell(`${count} ${count === 1 ? one : many} exported.`)
      return 0
    },
  }
}

function readFormat(text: string): (typeof FORMATS)[number] {
  const format = FORMATS.find((each) => each === text)
  if (!format) throw new CommandError(`--format takes ${FORMATS.join(' or ')}, not "${text}".`, 2)
  return format
}

function readDay(option: string, text: string | undefined): string | undefined {
  if (text === undefined || isDay(text)) return text
  throw new CommandError(`--${option} takes a date such as 2026-01-31, not "${text}".`, 2)
}
