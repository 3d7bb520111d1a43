import { openApp } from '../app.ts'
import { APPRAISAL_HEADER, appraisalExportCells } from '../appraisal/appraisal-export.ts'
import { commandPrincipal } from '../auth/principals.ts'
import { LIST_COLUMNS } from '../contract/device-list-columns.ts'
import { createProgress } from '../import/progress-service.ts'
import { openByteSource } from '../import/read/byte-source-service.ts'
import { decodeText } from '../import/read/encoding.ts'
import { readTableBlocks } from '../import/read/table-blocks.ts'
import { withUnpackedSource } from '../import/read/unpack-service.ts'
import { unreadableFile } from '../import/read/unreadable-file.ts'
import { formatCsvLine } from '../lib/csv-writer.ts'
import { openLog } from '../lib/log.ts'
import { reason } from '../lib/reasons.ts'
import { type AppraisedListRow, appraiseListRows } from '../lists/appraise-rows.ts'
import type { DeviceListRow } from '../lists/device-list-row.ts'
import { readDeviceList } from '../lists/read-device-list.ts'
import { toTaughtWords } from '../lists/taught-words.ts'
import { command, flag, optional, text } from './command.ts'
import { CommandError } from './command-error.ts'
import { resolveOrganization } from './organization-option.ts'

/** Progress is seen after each. */
const ROWS_PER_BATCH = 100

type ListRow = DeviceListRow & { readonly line: number; readonly sheet?: string | undefined }

export const appraiseCommand = command({
  name: 'appraise',
  help: "Appraise every device of a CSV, XLSX or JSON file (- for stdin) and store the appraisals in an organization's history.",
  arguments: { file: text('FILE') },
  options: {
    org: optional(text('ID', 'organization whose policy and history are used; needed if there are several')),
    csv: flag('print a table (default)'),
    json: flag('print the complete appraisals, one JSON object per line'),
    currency: optional(text('CODE', 'currency of all amounts, such as EUR; needs an exchange rate')),
    sheet: optional(text('NAME', 'name or number of the sheet; all with devices when absent')),
    encoding: optional(text('NAME', 'text encoding, such as windows-1250; detected when absent')),
  },
  notes: [
    '',
    'The header may be in any of the first 20 lines; titles and sums are left out. Columns are recognised by their names',
    `in many languages: ${LIST_COLUMNS.join(', ')}.`,
    'What cannot be read is a question about its row, with a code and the words.',
  ],
  async run({ file, org, csv, json, currency, sheet, encoding }, context) {
    if (csv && json) throw new CommandError('--csv or --json, not both.', 2)
    const source = await openByteSource(file)
    const organizationId = await resolveOrganization(org, context)
    const app = await openApp(context.config, openLog('error'), context.environment)
    const words = toTaughtWords(await app.listWords(organizationId))
    const progress = createProgress('devices', process.stderr)
    const count = { done: 0, appraised: 0, questions: 0 }

    async function appraiseRows(rows: readonly ListRow[]): Promise<void> {
      const caller = {
        principal: commandPrincipal(context.actor, organizationId),
        organizationId,
        keyId: 'command line',
        idempotencyKey: null,
        isList: true,
        now: context.now(),
      }
      const results = await appraiseListRows(rows, app.askingPrices, async (requests) => {
        const items = requests.map((request) => (currency ? { ...request, currency } : request))
        return (await app.appraisals.appraiseBatch({ items }, caller)).data
      })
      count.done += rows.length
      count.appraised += results.filter(({ item }) => item?.success).length
      count.questions += results.filter(({ questions }) => questions.length > 0).length
      await context.write(results.map((row) => formatRow(row, json)).join(''))
      progress.at(count.done, source.readBytes(), source.totalBytes)
    }

    try {
      if (!json) await context.write(formatCsvLine(['line', 'error', 'questions', ...APPRAISAL_HEADER]))
      await withUnpackedSource(source, { sheet, encoding, allSheets: true }, async (list) => {
        const sheets = list.members ?? [list]
        if (sheets.length > 1 && sheets.some((member) => member.sheet === undefined)) {
          const names = sheets.map(({ name }) => name).join(', ')
          throw unreadableFile(
            `${file} holds several files (${names}); unpack it and appraise one of them.`,
            reason('file_several', { name: file }),
          )
        }
        let rows: ListRow[] = []
        let skipped = 0
        for (const member of sheets) {
          const blocks = readTableBlocks(decodeText(member, context.report), file)
          for await (const block of readDeviceList(blocks, words, { needsHeader: sheets.length > 1 })) {
            skipped += block.skipped.length
            for (const row of block.rows) {
              rows.push({ ...row, sheet: member.sheet })
              if (rows.length < ROWS_PER_BATCH) continue
              await appraiseRows(rows)
              rows = []
            }
          }
        }
        if (rows.length > 0) await appraiseRows(rows)
        if (count.done === 0)
          throw unreadableFile(
            `${file} has no rows that could be devices.`,
            reason('file_without_rows', { name: file }),
          )
        if (skipped > 0) context.report(`${skipped} lines are titles or sums.`)
      })
    } finally {
      progress.clear()
      await app.close()
    }
    const questions = count.questions > 0 ? ` ${count.questions} rows have questions.` : ''
    context.report(`${count.appraised} of ${count.done} devices appraised.${questions}`)
  },
})

function formatRow({ line, sheet, item, questions }: AppraisedListRow<ListRow>, json: boolean): string {
  const error = item && !item.success ? withoutItemIndex(item.error.message) : null
  if (json) {
    const result = item?.success ? { result: item.result } : { error }
    return `${JSON.stringify({ ...(sheet === undefined ? {} : { sheet }), line, success: item?.success ?? false, questions, ...result })}\n`
  }
  const words = questions.map(({ code, column, words }) => `${code} (${column}): ${words}`).join('; ')
  const cells = item?.success ? appraisalExportCells(item.result) : APPRAISAL_HEADER.map(() => '')
  return formatCsvLine([sheet === undefined ? String(line) : `${sheet}!${line}`, error ?? '', words, ...cells])
}

/** The position in the batch means nothing to a reader of the file. */
const withoutItemIndex = (message: string) => message.replace(/^items\[\d+\]\.?/, '')
