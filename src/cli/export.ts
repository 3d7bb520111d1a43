import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { authStore } from '../auth/auth-store.ts'
import { unknownId } from '../lib/errors.ts'
import { addDays, startOfDay } from '../lib/time.ts'
import { choice, command, day, optional, text } from './command.ts'
import { CommandError } from './command-error.ts'
import { EXPORT_KINDS, type ExportFormat, type ExportKind } from './export-kinds.ts'

const KIND_NAMES = Object.keys(EXPORT_KINDS) as (keyof typeof EXPORT_KINDS)[]

export const exportCommand = command({
  name: 'export',
  help: 'Write the catalogue, or records of an organization, to FILE or to stdout.',
  usage: 'KIND [FILE] [--org ORG_ID] [--format FORMAT] [--from DATE] [--to DATE]',
  arguments: { kind: choice(KIND_NAMES, undefined, 'KIND'), file: optional(text('FILE')) },
  options: {
    org: optional(text('ORG_ID', 'organization whose records are written')),
    format: optional(
      choice(['csv', 'json', 'ndjson'] as const, 'csv escapes formulas; ndjson has the complete records'),
    ),
    from: optional(day('first day, such as 2026-01-31 (UTC)')),
    to: optional(day('last day')),
  },
  notes: [
    '',
    'Kinds and their formats, the default first:',
    ...KIND_NAMES.map((name) => {
      const { help, formats, ofOrganization } = EXPORT_KINDS[name]
      return `  ${name.padEnd(13)}${help} (${formats.join(', ')}${ofOrganization ? '; needs --org' : ''})`
    }),
  ],
  async run({ kind: name, file, org, format: wanted, from, to }, context) {
    const kind: ExportKind = EXPORT_KINDS[name]
    const format = formatOf(kind, wanted, file)
    if (kind.ofOrganization && org === undefined) throw new CommandError('--org is missing.', 2)
    const unused = kind.ofOrganization ? undefined : Object.entries({ org, from, to }).find(([, value]) => value)
    if (unused) throw new CommandError(`--${unused[0]} has no effect on ${name}.`, 2)
    const db = await context.openExistingDatabase()
    if (org !== undefined && (await authStore(db).organizationName(org)) === null) throw unknownId('organization', org)
    let count = 0
    const lines = kind.lines({
      db,
      format,
      organizationId: org ?? '',
      fromDay: from,
      toDay: to,
      range: {
        ...(from === undefined ? {} : { from: startOfDay(from) }),
        ...(to === undefined ? {} : { to: startOfDay(addDays(to, 1)) }),
      },
      now: context.now(),
      onWritten: (records) => {
        count += records
      },
    })
    if (file) await writeFile(file, lines)
    else for await (const line of lines) await context.write(line)
    context.report(`${count.toLocaleString('en')} ${count === 1 ? kind.singular : kind.plural} exported.`)
  },
})

/** The format that was asked for, that of the file name, or the kind's first. */
function formatOf({ formats }: ExportKind, wanted: ExportFormat | undefined, file: string | undefined): ExportFormat {
  const extension = file?.toLowerCase().split('.').at(-1)
  const format = wanted ?? formats.find((candidate) => candidate === extension) ?? formats[0]
  if (!formats.includes(format)) throw new CommandError(`--format takes ${formats.join(' or ')}, not "${format}".`, 2)
  return format
}

/** Written under another name first, so that an incomplete export is never taken for a complete one. */
async function writeFile(file: string, lines: AsyncIterable<string>): Promise<void> {
  const part = `${file}.part`
  try {
    await pipeline(lines, createWriteStream(part))
    await rename(part, file)
  } catch (error) {
    await rm(part, { force: true })
    const code = (error as NodeJS.ErrnoException).code
    throw code ? new CommandError(`Cannot write ${file} (${code}).`, 1, error) : error
  }
}
