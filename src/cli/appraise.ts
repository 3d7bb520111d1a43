import { openApp } from '../app.ts'
import { APPRAISAL_HEADER, appraisalRowFromJson } from '../appraisal/appraisal-export.ts'
import { LIST_COLUMNS, requestFromRow } from '../appraisal/device-list-row.ts'
import { withEnglishTitles } from '../appraisal/sheet-words.ts'
import type { AppraisalItemWire } from '../contract/appraisal.ts'
import { APPRAISALS_MAX_ITEMS } from '../contract/appraisal-request.ts'
import { createProgress } from '../import/progress-service.ts'
import { openByteSource } from '../import/read/byte-source-service.ts'
import { readTableRecords } from '../import/read/table-records.ts'
import { formatCsvLine } from '../lib/csv-writer.ts'
import { DomainError } from '../lib/errors.ts'
import { openLog } from '../lib/log.ts'
import { command, flag, optional, text } from './command.ts'
import { CommandError } from './command-error.ts'
import { resolveOrganization } from './organization-option.ts'

type ListRow = { readonly line: number; readonly request: object | DomainError }

export const appraiseCommand = command({
  name: 'appraise',
  help: "Appraise every device of a CSV file (- for stdin) and store the appraisals in an organization's history.",
  arguments: { file: text('FILE') },
  options: {
    org: optional(text('ID', 'organization whose policy and history are used; needed if there are several')),
    csv: flag('print a table (default)'),
    json: flag('print the complete appraisals, one JSON object per line'),
    currency: optional(text('CODE', 'currency of all amounts, such as EUR; needs an exchange rate')),
  },
  notes: [
    '',
    'Columns, by any of these names:',
    ...Object.entries(LIST_COLUMNS).map(([column, names]) => `  ${column.padEnd(12)}${names.join(', ')}`),
  ],
  async run({ file, org, csv, json, currency }, context) {
    if (csv && json) throw new CommandError('--csv or --json, not both.', 2)
    const source = await openByteSource(file)
    const organizationId = await resolveOrganization(org, context)
    const app = await openApp(context.config, openLog('error'), context.environment)
    const progress = createProgress('devices', process.stderr)
    const count = { done: 0, rejected: 0 }

    async function appraiseRows(rows: readonly ListRow[]): Promise<void> {
      const caller = { organizationId, keyId: 'command line', idempotencyKey: null, now: context.now() }
      const items = rows.map(({ request }) =>
        request instanceof DomainError ? null : { ...request, ...(currency ? { currency } : {}) },
      )
      const response = await app.appraisals.appraiseBatch({ items }, caller)
      const results = JSON.parse(response.json) as AppraisalItemWire[]
      const lines = rows.map((row, at) => formatRow(row, results[at] as AppraisalItemWire, json))
      count.done += rows.length
      count.rejected += results.filter(({ success }) => !success).length
      await context.write(lines.join(''))
      progress.at(count.done, source.readBytes(), source.totalBytes)
    }

    try {
      if (!json) await context.write(formatCsvLine(['line', 'error', ...APPRAISAL_HEADER]))
      let rows: ListRow[] = []
      for await (const { line, cell } of readTableRecords(source, context.report, [], withEnglishTitles)) {
        rows.push({ line, request: parseRow(cell) })
        if (rows.length < APPRAISALS_MAX_ITEMS) continue
        await appraiseRows(rows)
        rows = []
      }
      if (rows.length > 0) await appraiseRows(rows)
    } finally {
      progress.clear()
      await app.close()
    }
    context.report(`${count.done - count.rejected} of ${count.done} devices appraised.`)
  },
})

function parseRow(cell: (...names: string[]) => string): object | DomainError {
  try {
    return requestFromRow(cell)
  } catch (error) {
    if (error instanceof DomainError) return error
    throw error
  }
}

function formatRow({ line, request }: ListRow, item: AppraisalItemWire, json: boolean): string {
  const error =
    request instanceof DomainError ? request.message : item.success ? null : withoutItemIndex(item.error.message)
  if (json) {
    const result = item.success && error === null ? { result: item.result } : { error }
    return `${JSON.stringify({ line, success: error === null, ...result })}\n`
  }
  if (item.success) return formatCsvLine([String(line), '', ...appraisalRowFromJson(JSON.stringify(item.result))])
  return formatCsvLine([String(line), error ?? '', ...APPRAISAL_HEADER.map(() => '')])
}

/** The position in the batch means nothing to a reader of the file. */
const withoutItemIndex = (message: string) => message.replace(/^items\[\d+\]\.?/, '')
