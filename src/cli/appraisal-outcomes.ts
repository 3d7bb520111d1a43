import { openApp } from '../app.ts'
import { policyStore } from '../appraisal/policy-store.ts'
import { withEnglishTitles } from '../appraisal/sheet-words.ts'
import { commandPrincipal } from '../auth/principals.ts'
import { BASE_CURRENCY } from '../contract/currency.ts'
import { OUTCOMES_MAX_ITEMS, type OutcomeItemWire } from '../contract/outcome.ts'
import { OUTCOME_COLUMNS, outcomeFromRow } from '../import/prices/outcome-row.ts'
import { openByteSource } from '../import/read/byte-source-service.ts'
import { columnKey } from '../import/read/header.ts'
import { readTableRecords } from '../import/read/table-records.ts'
import { withUnpackedSource } from '../import/read/unpack-service.ts'
import { formatCsvLine } from '../lib/csv-writer.ts'
import { DomainError } from '../lib/errors.ts'
import { openLog } from '../lib/log.ts'
import { command, optional, text } from './command.ts'
import { resolveOrganization } from './organization-option.ts'

type FileRow = { readonly line: number; readonly item: object | DomainError }

export const appraisalsOutcomes = command({
  name: 'appraisals outcomes',
  help: 'Record what became of appraisals (bought, declined, sold) from a CSV or XLSX file (- for stdin).',
  arguments: { file: text('FILE') },
  options: { org: optional(text('ID', 'organization whose appraisals they are; needed if there are several')) },
  notes: [
    '',
    'Prints each row with "applied" or "rejected" and the reason; exits with 1 if a row was rejected.',
    "Prices are in units of their currency, such as 120.50; without a currency in the organization's.",
    'Columns, by any of these names:',
    ...Object.entries(OUTCOME_COLUMNS).map(([column, names]) => `  ${column.padEnd(14)}${names.join(', ')}`),
  ],
  async run({ file, org }, context) {
    const source = await openByteSource(file)
    const organizationId = await resolveOrganization(org, context)
    const app = await openApp(context.config, openLog('error'), context.environment)
    const count = { applied: 0, rejected: 0 }

    async function record(rows: readonly FileRow[]): Promise<void> {
      const asking = {
        principal: commandPrincipal(context.actor, organizationId),
        organizationId,
        keyId: 'command line',
        idempotencyKey: null,
        now: context.now(),
      }
      const items = rows.map(({ item }) => (item instanceof DomainError ? null : item))
      const { json } = await app.outcomes.recordBatch({ items }, asking, context.actor)
      const results = JSON.parse(json) as OutcomeItemWire[]
      const lines = rows.map(({ line, item }, at) => {
        const result = results[at] as OutcomeItemWire
        const problem = item instanceof DomainError ? item.message : result.success ? null : result.error.message
        count[problem === null ? 'applied' : 'rejected'] += 1
        const id = item instanceof DomainError ? '' : String((item as { appraisal_id?: string }).appraisal_id ?? '')
        const reason = problem?.replace(/^items\[\d+\]\.?/, '') ?? ''
        return formatCsvLine([String(line), id, problem === null ? 'applied' : 'rejected', reason])
      })
      await context.write(lines.join(''))
    }

    try {
      await context.write(formatCsvLine(['line', 'appraisal_id', 'result', 'reason']))
      await withUnpackedSource(source, {}, async (list) => {
        const { currency = BASE_CURRENCY } = await policyStore(app.db).of(organizationId)
        let rows: FileRow[] = []
        for await (const { line, cell } of readTableRecords(list, context.report, ['status'], outcomeTitles)) {
          rows.push({ line, item: parseRow(cell, currency) })
          if (rows.length < OUTCOMES_MAX_ITEMS) continue
          await record(rows)
          rows = []
        }
        if (rows.length > 0) await record(rows)
      })
    } finally {
      await app.close()
    }
    context.report(`${count.applied} outcomes recorded, ${count.rejected} rejected.`)
    return { exitCode: count.rejected > 0 ? 1 : 0 }
  },
})

/** English titles; the column "Outcome" of a downloaded file is the status. */
const outcomeTitles = (titles: readonly string[]) =>
  withEnglishTitles(titles).map((title) => (columnKey(title) === 'outcome' ? 'status' : title))

function parseRow(cell: (...names: string[]) => string, currency: string): object | DomainError {
  try {
    return outcomeFromRow(cell, currency)
  } catch (error) {
    if (error instanceof DomainError) return error
    throw error
  }
}
