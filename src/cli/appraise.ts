import { openApp } from '../app.ts'
import { APPRAISAL_HEADER, appraisalRowFromJson } from '../appraisal/appraisal-export.ts'
import { LIST_COLUMNS, requestFromRow } from '../appraisal/device-list-row.ts'
import type { AppraisalItemWire } from '../contract/appraisal.ts'
import { APPRAISALS_MAX_ITEMS } from '../contract/appraisal-request.ts'
import { createProgress } from '../import/progress-service.ts'
import { openByteSource } from '../import/read/byte-source-service.ts'
import { readTableRecords } from '../import/read/table-records.ts'
import { formatCsvLine } from '../lib/csv-writer.ts'
import { DomainError } from '../lib/errors.ts'
import { openLog } from '../lib/log.ts'
import { type Command, parseArguments } from './command.ts'
import { CommandError } from './command-error.ts'
import { resolveOrganization } from './organization-option.ts'

const USAGE = 'appraise FILE [--org ID] [--csv|--json] [--currency CODE]'

type ListRow = { readonly line: number; readonly request: object | DomainError }

export const appraiseCommand: Command = {
  name: 'appraise',
  usage: 'FILE [--org ID] [--csv|--json] [--currency CODE]',
  help: 'Appraise every device of a list (CSV; - for stdin) and keep the appraisals in the history of an organization.',
  details: [
    '--org       whose policy counts and whose history they are kept in; needed where there are several organizations',
    '--csv       a table, the default; --json: the whole appraisals, one object a line',
    '--currency  for all amounts, such as EUR; there must be a rate for it',
    '',
    'Columns, by any of these names:',
    ...Object.entries(LIST_COLUMNS).map(([column, names]) => `  ${column.padEnd(12)}${names.join(', ')}`),
  ].join('\n'),
  async run(args, context) {
    const { values, positionals } = parseArguments(
      args,
      { org: { type: 'string' }, csv: { type: 'boolean' }, json: { type: 'boolean' }, currency: { type: 'string' } },
      { least: 1, most: 1, usage: USAGE },
    )
    if (values.csv && values.json) throw new CommandError(`--csv or --json, not both. Usage: ${USAGE}`, 2)
    const source = await openByteSource(positionals[0] ?? '')
    const organizationId = await resolveOrganization(values.org, context)
    const app = await openApp(context.config, openLog('error'), context.environment)
    const progress = createProgress('devices', process.stderr)
    const more = values.currency ? { currency: values.currency } : {}
    const count = { done: 0, refused: 0 }

    async function appraiseRows(rows: readonly ListRow[]): Promise<void> {
      const asking = { organizationId, keyId: 'command line', idempotencyKey: null, now: context.now() }
      const items = rows.map(({ request }) => (request instanceof DomainError ? null : { ...request, ...more }))
      const { json: answer } = await app.appraisals.appraiseBatch({ items }, asking)
      const told = JSON.parse(answer) as AppraisalItemWire[]
      const lines = rows.map((row, at) => formatRow(row, told[at] as AppraisalItemWire, values.json === true))
      count.done += rows.length
      count.refused += told.filter(({ success }) => !success).length
      await context.write(lines.join(''))
      progress.at(count.done, source.readBytes(), source.totalBytes)
    }

    try {
      if (!values.json) await context.write(formatCsvLine(['line', 'error', ...APPRAISAL_HEADER]))
      let rows: ListRow[] = []
      for await (const { line, cell: at } of readTableRecords(source, context.report, [])) {
        rows.push({ line, request: parseRow(at) })
        if (rows.length < APPRAISALS_MAX_ITEMS) continue
        await appraiseRows(rows)
        rows = []
      }
      if (rows.length > 0) await appraiseRows(rows)
    } finally {
      progress.clear()
      await app.close()
    }
    context.report(`${count.done - count.refused} of ${count.done} devices appraised.`)
    return 0
  },
}

function parseRow(at: (...names: string[]) => string): object | DomainError {
  try {
    return requestFromRow(at)
  } catch (error) {
    if (error instanceof DomainError) return error
    throw error
  }
}

function formatRow({ line, request }: ListRow, item: AppraisalItemWire, json: boolean): string {
  const refused =
    request instanceof DomainError ? request.message : item.success ? null : singleLine(item.error.message)
  if (json) {
    const result = item.success && refused === null ? { result: item.result } : { error: refused }
    return `${JSON.stringify({ line, success: refused === null, ...result })}\n`
  }
  if (item.success) return formatCsvLine([String(line), '', ...appraisalRowFromJson(JSON.stringify(item.result))])
  return formatCsvLine([String(line), refused ?? '', ...APPRAISAL_HEADER.map(() => '')])
}

/** Which item of which batch a row was is nobody's business. */
const singleLine = (message: string) => message.replace(/^items\[\d+\]\.?/, '')
