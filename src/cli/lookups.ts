import { noSuch } from '../errors.ts'
import { EXPORT_FORMATS, EXPORT_HEADER, type ExportFormat, exportCells } from '../risk/lookup-export.ts'
import { lookupStore } from '../risk/lookup-store.ts'
import { csvLine } from '../text/csv-line.ts'
import { addDays, isDay, startOfDay } from '../time.ts'
import { type Command, readArguments, required } from './command.ts'
import { CommandError } from './command-error.ts'

const USAGE = 'lookups export --org ID [--format csv|ndjson] [--from DATE] [--to DATE]'

export const lookupsExport: Command = {
  name: 'lookups export',
  usage: '--org ID [--format csv|ndjson] [--from DATE] [--to DATE]',
  help: "Print an organization's identifier lookups, oldest first.",
  details: [
    '--format  csv (the default; cells a spreadsheet would run are guarded) or ndjson (the whole records)',
    '--from    first day, such as 2026-01-31 (UTC)',
    '--to      last day',
  ].join('\n'),
  async run(args, context) {
    const { values } = readArguments(
      args,
      { org: { type: 'string' }, format: { type: 'string' }, from: { type: 'string' }, to: { type: 'string' } },
      { least: 0, most: 0, usage: USAGE },
    )
    const organizationId = required(values.org, 'org', USAGE)
    const format = readFormat(values.format ?? 'csv')
    const from = readDay('from', values.from)
    const to = readDay('to', values.to)
    const store = lookupStore(await context.openStore())
    if (!(await store.organizationExists(organizationId))) {
      throw noSuch('organization', organizationId)
    }
    if (format === 'csv') await context.write(csvLine(EXPORT_HEADER))
    let count = 0
    for await (const answers of store.export(organizationId, {
      ...(from === undefined ? {} : { from: startOfDay(from) }),
      ...(to === undefined ? {} : { to: startOfDay(addDays(to, 1)) }),
    })) {
      count += answers.length
      await context.write(
        answers.map((answer) => (format === 'csv' ? csvLine(exportCells(answer)) : `${answer}\n`)).join(''),
      )
    }
    context.tell(`${count} ${count === 1 ? 'lookup' : 'lookups'} exported.`)
    return 0
  },
}

function readFormat(text: string): ExportFormat {
  const format = EXPORT_FORMATS.find((each) => each === text)
  if (!format) throw new CommandError(`--format takes ${EXPORT_FORMATS.join(' or ')}, not "${text}".`, 2)
  return format
}

function readDay(option: string, text: string | undefined): string | undefined {
  if (text === undefined || isDay(text)) return text
  throw new CommandError(`--${option} takes a date such as 2026-01-31, not "${text}".`, 2)
}
