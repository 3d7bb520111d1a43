import { APPRAISAL_HEADER, appraisalExportCells } from '../appraisal/appraisal-export.ts'
import { appraisalStore } from '../appraisal/appraisal-store.ts'
import { auditStore } from '../auth/audit-store.ts'
import type { Database } from '../db/database.ts'
import { formatOwnCsvLines, OWN_CSV_COLUMNS } from '../import/catalogue/own-csv.ts'
import { CATALOGUE_FORMAT, toOwnFormat } from '../import/catalogue/own-format.ts'
import { streamDevices } from '../import/catalogue/registry-store.ts'
import { listObservationOrigins } from '../import/prices/observation-removal-store.ts'
import { formatCsvLine } from '../lib/csv-writer.ts'
import { dayOf } from '../lib/time.ts'
import { LOOKUP_EXPORT_HEADER, lookupExportCells } from '../risk/lookup-export.ts'
import { lookupStore } from '../risk/lookup-store.ts'
import { usageCsv } from '../usage/usage-csv.ts'
import { usageStore } from '../usage/usage-store.ts'

export type ExportFormat = 'csv' | 'json' | 'ndjson'

type TimeRange = { readonly from?: number; readonly to?: number }

type ExportRequest = {
  readonly db: Database
  readonly format: ExportFormat
  readonly organizationId: string
  readonly fromDay: string | undefined
  readonly toDay: string | undefined
  readonly range: TimeRange
  readonly now: number
  /** Called with the number of records of each part. */
  readonly onWritten: (records: number) => void
}

export type ExportKind = {
  readonly help: string
  readonly singular: string
  readonly plural: string
  /** The default first. */
  readonly formats: readonly [ExportFormat, ...ExportFormat[]]
  /** Whether it is about one organization and a period. */
  readonly ofOrganization: boolean
  readonly lines: (request: ExportRequest) => AsyncGenerator<string>
}

const AUDIT_COLUMNS = ['id', 'at', 'who', 'action', 'subject', 'detail'] as const

export const EXPORT_KINDS = {
  catalogue: {
    help: 'the whole device catalogue; it can be imported again',
    singular: 'device',
    plural: 'devices',
    formats: ['json', 'csv'],
    ofOrganization: false,
    lines: catalogueLines,
  },
  observations: {
    help: 'stored price observations by source and import',
    singular: 'source',
    plural: 'sources',
    formats: ['csv'],
    ofOrganization: false,
    lines: observationLines,
  },
  appraisals: recordKind({
    help: 'appraisals, oldest first',
    singular: 'appraisal',
    plural: 'appraisals',
    header: APPRAISAL_HEADER,
    cells: appraisalExportCells,
    open: appraisalStore,
  }),
  lookups: recordKind({
    help: 'identifier lookups, oldest first',
    singular: 'lookup',
    plural: 'lookups',
    header: LOOKUP_EXPORT_HEADER,
    cells: lookupExportCells,
    open: lookupStore,
  }),
  audit: recordKind({
    help: 'audit trail, with changes that concern all organizations, oldest first',
    singular: 'audit entry',
    plural: 'audit entries',
    header: AUDIT_COLUMNS,
    cells: (entry) =>
      AUDIT_COLUMNS.map((name) => (name === 'detail' ? JSON.stringify(entry.detail) : String(entry[name]))),
    open: auditStore,
  }),
  usage: {
    help: 'requests by day, key, endpoint and status',
    singular: 'row',
    plural: 'rows',
    formats: ['csv'],
    ofOrganization: true,
    lines: usageLines,
  },
} as const satisfies Record<string, ExportKind>

/** One device per line of JSON, so that two exports can be compared and none has to fit in memory. */
async function* catalogueLines({ db, format, onWritten }: ExportRequest): AsyncGenerator<string> {
  yield format === 'csv' ? formatCsvLine(OWN_CSV_COLUMNS) : `{"format":"${CATALOGUE_FORMAT}","devices":[`
  let separator = '\n'
  for await (const device of streamDevices(db)) {
    onWritten(1)
    yield format === 'csv'
      ? [...formatOwnCsvLines(device)].join('')
      : `${separator}${JSON.stringify(toOwnFormat(device))}`
    separator = ',\n'
  }
  if (format === 'json') yield '\n]}\n'
}

async function* observationLines({ db, onWritten }: ExportRequest): AsyncGenerator<string> {
  yield formatCsvLine(['source', 'organization_id', 'import', 'observations', 'newest'])
  for (const { source, organizationId, importId, observations, newestAt } of await listObservationOrigins(db)) {
    onWritten(1)
    yield formatCsvLine([source, organizationId ?? '', importId ?? '', observations, dayOf(newestAt)])
  }
}

async function* usageLines({ db, organizationId, fromDay, toDay, now, onWritten }: ExportRequest) {
  let isHeader = true
  for await (const lines of usageCsv(usageStore(db), organizationId, { from: fromDay, to: toDay }, now)) {
    if (!isHeader) onWritten(lines.trimEnd().split('\n').length)
    isHeader = false
    yield lines
  }
}

/** A kind of stored record of an organization. */
function recordKind<StoredRecord>({
  header,
  cells,
  open,
  ...kind
}: Pick<ExportKind, 'help' | 'singular' | 'plural'> & {
  readonly header: readonly string[]
  readonly cells: (record: StoredRecord) => readonly string[]
  readonly open: (db: Database) => {
    export(organizationId: string, range: TimeRange): AsyncGenerator<readonly StoredRecord[]>
  }
}): ExportKind {
  return {
    ...kind,
    formats: ['csv', 'ndjson'],
    ofOrganization: true,
    async *lines({ db, format, organizationId, range, onWritten }) {
      if (format === 'csv') yield formatCsvLine(header)
      for await (const records of open(db).export(organizationId, range)) {
        onWritten(records.length)
        yield records
          .map((record) => (format === 'csv' ? formatCsvLine(cells(record)) : `${JSON.stringify(record)}\n`))
          .join('')
      }
    },
  }
}
