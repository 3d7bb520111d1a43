import { openApp } from '../app.ts'
import { APPRAISAL_HEADER, appraisalCells } from '../appraisal/appraisal-export.ts'
import { LIST_COLUMNS, requestOfRow } from '../appraisal/list-row.ts'
import type { AppraisalItemWire } from '../contract/appraisal.ts'
import { APPRAISALS_MAX_ITEMS } from '../contract/appraisal-request.ts'
import { DomainError } from '../errors.ts'
import { openProgress } from '../import/progress.ts'
import { readRecords } from '../import/read/records.ts'
import { openSource } from '../import/read/source.ts'
import { openLog } from '../log.ts'
import { csvLine } from '../text/csv-line.ts'
import { type Command, readArguments } from './command.ts'
import { CommandError } from './command-error.ts'
import { organizationFor } from './organization-for.ts'

const USAGE = 'appraise FILE [--org ID] [--csv|--json] [--currency CODE]'

type Row = { readonly line: number; readonly request: object | DomainError }

export const appraise: Command = {
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
    const { values, positionals } = readArguments(
      args,
      { org: { type: 'string' }, csv: { type: 'boolean' }, json: { type: 'boolean' }, currency: { type: 'string' } },
      { least: 1, most: 1, usage: USAGE },
    )
    if (values.csv && values.json) throw new CommandError(`--csv or --json, not both. Usage: ${USAGE}`, 2)
    const source = await openSource(positionals[0] ?? '')
    const organizationId = await organizationFor(values.org, context)
    const app = await openApp(context.config, openLog('error'), context.environment)
    const progress = openProgress('devices', process.stderr)
    const more = values.currency ? { currency: values.currency } : {}
    const count = { done: 0, refused: 0 }

    async function appraiseRows(rows: readonly Row[]): Promise<void> {
      const asking = { organizationId, keyId: 'command line', idempotencyKey: null, now: context.now() }
      const items = rows.map(({ request }) => (request instanceof DomainError ? null : { ...request, ...more }))
      const { answer } = await app.appraisals.batch({ items }, asking)
      const told = JSON.parse(answer) as AppraisalItemWire[]
      const lines = rows.map((row, at) => lineOf(row, told[at] as AppraisalItemWire, values.json === true))
      count.done += rows.length
      count.refused += told.filter(({ success }) => !success).length
      await context.write(lines.join(''))
      progress.at(count.done, source.readBytes(), source.totalBytes)
    }

    try {
      if (!values.json) await context.write(csvLine(['line', 'error', ...APPRAISAL_HEADER]))
      let rows: Row[] = []
      for await (const { line, at } of readRecords(source, context.tell, [])) {
        rows.push({ line, request: requestOrRefusal(at) })
        if (rows.length < APPRAISALS_MAX_ITEMS) continue
        await appraiseRows(rows)
        rows = []
      }
      if (rows.length > 0) await appraiseRows(rows)
    } finally {
      progress.clear()
      await app.close()
    }
    context.tell(`${count.done - count.refused} of ${count.done} devices appraised.`)
    return 0
  },
}

function requestOrRefusal(at: (...names: string[]) => string): object | DomainError {
  try {
    return requestOfRow(at)
  } catch (error) {
    if (error instanceof DomainError) return error
    throw error
  }
}

function lineOf({ line, request }: Row, told: AppraisalItemWire, json: boolean): string {
  const refused = request instanceof DomainError ? request.message : told.success ? null : plain(told.error.message)
  if (json) {
    const result = told.success && refused === null ? { result: told.result } : { error: refused }
    return `${JSON.stringify({ line, success: refused === null, ...result })}\n`
  }
  if (told.success) return csvLine([String(line), '', ...appraisalCells(JSON.stringify(told.result))])
  return csvLine([String(line), refused ?? '', ...APPRAISAL_HEADER.map(() => '')])
}

/** Which item of which batch a row was is nobody's business. */
const plain = (message: string) => message.replace(/^items\[\d+\]\.?/, '')
