import { APPRAISAL_HEADER, appraisalRowFromJson } from '../appraisal/appraisal-export.ts'
import { appraisalStore } from '../appraisal/appraisal-store.ts'
import { auditStore } from '../auth/audit-store.ts'
import { authStore } from '../auth/auth-store.ts'
import type { Database } from '../db/database.ts'
import { formatCsvLine } from '../lib/csv-writer.ts'
import { unknownId } from '../lib/errors.ts'
import { addDays, isDay, startOfDay } from '../lib/time.ts'
import { LOOKUP_EXPORT_HEADER, lookupExportCells } from '../risk/lookup-export.ts'
import { lookupStore } from '../risk/lookup-store.ts'
import { type Command, type CommandOption, choice, command, optional, text, withDefault } from './command.ts'

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
    export(organizationId: string, range: { from?: number; to?: number }): AsyncGenerator<string[]>
  }
}

const day = (help: string): CommandOption<string> => ({
  ...text('DATE', help),
  accepts: 'a date such as 2026-01-31',
  parse: (value) => (isDay(value) ? value : undefined),
})

function recordExport({ command: word, singular, plural, description, header, cells, open }: RecordKind): Command {
  return command({
    name: `${word} export`,
    help: `Print an organization's ${description}, oldest first.`,
    options: {
      org: text('ID'),
      format: withDefault(
        choice(['csv', 'ndjson'], 'csv (default; formulas are escaped) or ndjson (the complete records)'),
        'csv',
      ),
      from: optional(day('first day, such as 2026-01-31 (UTC)')),
      to: optional(day('last day')),
    },
    async run({ org, format, from, to }, context) {
      const db = await context.openExistingDatabase()
      if ((await authStore(db).organizationName(org)) === null) throw unknownId('organization', org)
      if (format === 'csv') await context.write(formatCsvLine(header))
      let count = 0
      const range = {
        ...(from === undefined ? {} : { from: startOfDay(from) }),
        ...(to === undefined ? {} : { to: startOfDay(addDays(to, 1)) }),
      }
      for await (const records of open(db).export(org, range)) {
        count += records.length
        const lines = records.map((record) => (format === 'csv' ? formatCsvLine(cells(record)) : `${record}\n`))
        await context.write(lines.join(''))
      }
      context.report(`${count} ${count === 1 ? singular : plural} exported.`)
    },
  })
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
})
