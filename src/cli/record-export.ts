import { APPRAISAL_HEADER, appraisalRowFromJson } from '../appraisal/appraisal-export.ts'
import { appraisalStore } from '../appraisal/appraisal-store.ts'
import { auditStore } from '../auth/audit-store.ts'
import { authStore } from '../auth/auth-store.ts'
import { HISTORY_LIMIT } from '../contract/paging.ts'
import type { Database } from '../db/database.ts'
import { formatCsvLine } from '../lib/csv-writer.ts'
import { unknownId } from '../lib/errors.ts'
import { addDays, startOfDay } from '../lib/time.ts'
import { LOOKUP_EXPORT_HEADER, lookupExportCells } from '../risk/lookup-export.ts'
import { lookupStore } from '../risk/lookup-store.ts'
import { type Command, type CommandContext, choice, command, optional, text, withDefault } from './command.ts'
import type { ManagementService } from './remote.ts'
import { day } from './usage.ts'

const AUDIT_COLUMNS = ['id', 'at', 'who', 'action', 'subject', 'detail'] as const

/** A kind of stored record that an organization can export. */
type RecordKind = {
  readonly command: string
  readonly singular: string
  readonly plural: string
  readonly description: string
  readonly header: readonly string[]
  readonly cells: (recordJson: string) => readonly string[]
  readonly open: (db: Database) => {
    export(organizationId: string, range: TimeRange): AsyncGenerator<string[]>
  }
  /** The same of a running service. */
  readonly read?: (service: ManagementService, range: TimeRange) => AsyncGenerator<string[]>
}

type TimeRange = { readonly from?: number; readonly to?: number }
const EXPORT_FORMATS = ['csv', 'ndjson'] as const
type ExportFormat = (typeof EXPORT_FORMATS)[number]
type ExportOptions = {
  readonly format: ExportFormat
  readonly from: string | undefined
  readonly to: string | undefined
}

function recordExport({
  command: word,
  singular,
  plural,
  description,
  header,
  cells,
  open,
  read,
}: RecordKind): Command {
  async function print(pages: AsyncGenerator<string[]>, format: ExportFormat, context: CommandContext) {
    if (format === 'csv') await context.write(formatCsvLine(header))
    let count = 0
    for await (const records of pages) {
      count += records.length
      const lines = records.map((record) => (format === 'csv' ? formatCsvLine(cells(record)) : `${record}\n`))
      await context.write(lines.join(''))
    }
    context.report(`${count} ${count === 1 ? singular : plural} exported.`)
    return undefined
  }
  return command({
    name: `${word} export`,
    help: `Print an organization's ${description}, oldest first.`,
    options: {
      org: text('ID'),
      format: withDefault(
        choice(EXPORT_FORMATS, 'csv (default; formulas are escaped) or ndjson (the complete records)'),
        'csv',
      ),
      from: optional(day('first day, such as 2026-01-31 (UTC)')),
      to: optional(day('last day')),
    },
    async run({ org, format, from, to }, context) {
      const db = await context.openExistingDatabase()
      if ((await authStore(db).organizationName(org)) === null) throw unknownId('organization', org)
      return print(open(db).export(org, timeRange(from, to)), format, context)
    },
    ...(read && {
      remote: ({ format, from, to }: ExportOptions, service: ManagementService, context: CommandContext) =>
        print(read(service, timeRange(from, to)), format, context),
    }),
  })
}

const timeRange = (from: string | undefined, to: string | undefined): TimeRange => ({
  ...(from === undefined ? {} : { from: startOfDay(from) }),
  ...(to === undefined ? {} : { to: startOfDay(addDays(to, 1)) }),
})

/** The API lists the newest entry first. */
async function* readAuditTrail(
  { client, of }: ManagementService,
  { from = 0, to = Number.POSITIVE_INFINITY }: TimeRange,
) {
  const entries: string[] = []
  for await (const entry of client.listAuditEntries({ ...of, limit: HISTORY_LIMIT.maximum })) {
    const at = Date.parse(entry.at)
    if (at < from) break
    if (at < to) entries.push(JSON.stringify(entry))
  }
  yield entries.reverse()
}

export const appraisalsExport = recordExport({
  command: 'appraisals',
  singular: 'appraisal',
  plural: 'appraisals',
  description: 'appraisals',
  header: APPRAISAL_HEADER,
  cells: appraisalRowFromJson,
  open: appraisalStore,
})

export const lookupsExport = recordExport({
  command: 'lookups',
  singular: 'lookup',
  plural: 'lookups',
  description: 'identifier lookups',
  header: LOOKUP_EXPORT_HEADER,
  cells: lookupExportCells,
  open: lookupStore,
})

export const auditExport = recordExport({
  command: 'audit',
  singular: 'audit entry',
  plural: 'audit entries',
  description: 'audit trail, with changes that concern all organizations',
  header: AUDIT_COLUMNS,
  cells(entryJson) {
    const entry = JSON.parse(entryJson) as Record<string, unknown>
    return AUDIT_COLUMNS.map((name) => (name === 'detail' ? JSON.stringify(entry.detail) : String(entry[name])))
  },
  open: auditStore,
  read: readAuditTrail,
})
