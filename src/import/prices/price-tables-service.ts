/** The first step of an import of prices: opens the tables of all files and sheets and recognises their columns. */
import { reason } from '../../lib/reasons.ts'
import { MAX_HEADER_LINES } from '../../tables/table-lines.ts'
import type { ByteSource } from '../read/byte-source-service.ts'
import { readCsvBlocks } from '../read/csv-reader.ts'
import { decodeText } from '../read/encoding.ts'
import { type ColumnLayout, type PriceColumn, UnrecognisedColumnsError, withTerms } from './price-columns.ts'
import {
  deviceOf,
  findDeviceInName,
  type PriceImport,
  showColumns,
  showPartialPreview,
} from './price-import-service.ts'
import { openPriceTable, type PriceTable } from './price-table.ts'
import { OPTION_OF_COLUMN } from './price-terms.ts'

export type FileTable = { readonly file: ByteSource; readonly table: PriceTable }

/** All headers are read before the first row: an archive with one bad file is rejected as a whole. */
export async function readTables(run: PriceImport): Promise<readonly FileTable[]> {
  const { source, remarks } = run
  const tables: FileTable[] = []
  let unreadSheet: UnrecognisedColumnsError | undefined
  for (const file of source.members ?? [source]) {
    const opened = file.sheet === undefined ? await openTable(run, file) : await openSheet(run, file, tables[0]?.table)
    if (opened instanceof UnrecognisedColumnsError) unreadSheet ??= opened
    else if (opened) tables.push({ file, table: opened })
    if (file === (source.members ?? [source])[0]) remarks.push(...(file.remarks ?? []))
  }
  if (unreadSheet && tables.length === 0) throw unreadSheet
  const terms = [...remarks, ...tables.flatMap(({ table }) => table.titles)]
  return tables.map(({ file, table }) => ({ file, table: { ...table, layout: withTerms(table.layout, terms) } }))
}

async function openTable(run: PriceImport, file: ByteSource): Promise<PriceTable> {
  const { context, options, preview } = run
  try {
    const table = await openPriceTable(file, context, options.map, (columns) => showColumns(run, columns), {
      needsModel: options.defaults.model === undefined,
      isDeviceInName: () => findDeviceInName(run) !== null,
      deviceOf: (text) => deviceOf(run, text),
      stated: (Object.keys(OPTION_OF_COLUMN) as PriceColumn[]).filter(
        (column) => options.defaults[column] !== undefined,
      ),
    })
    preview?.setLayout(table.layout)
    for (const [column, title] of Object.entries(table.layout.overruled ?? {})) {
      const option = OPTION_OF_COLUMN[column as PriceColumn] ?? column
      context.notify(
        `${file.name}: the option ${option} counts in place of the column ${title}.`,
        reason('note_option_overrules', { name: file.name, option, column: title }),
      )
    }
    return table
  } catch (error) {
    preview?.setLayout(error instanceof UnrecognisedColumnsError ? error : { names: {} })
    showPartialPreview(run)
    throw error
  }
}

/** One of several sheets; undefined if it has other columns than the first, the error if it is no price list. */
async function openSheet(
  run: PriceImport,
  file: ByteSource,
  first: PriceTable | undefined,
): Promise<PriceTable | UnrecognisedColumnsError | undefined> {
  const shownColumns = run.fileColumns
  const opened = await openTable(run, file).catch((error: unknown) => {
    if (!(error instanceof UnrecognisedColumnsError)) throw error
    return error
  })
  const isTable = !(opened instanceof UnrecognisedColumnsError)
  if (isTable && (!first || columnsOf(first.layout) === columnsOf(opened.layout))) return opened
  const { sheet = '', name } = file
  if (!isTable) run.remarks.push(...(await firstLinesOf(file)))
  run.context.notify(
    `Sheet ${sheet} is left out: it is no price list with the same columns. Import it with the option sheet.`,
    reason('note_sheet_left_out', { name, sheet }),
  )
  if (first) {
    showColumns(run, shownColumns)
    run.preview?.setLayout(first.layout)
  }
  return isTable ? undefined : opened
}

const columnsOf = ({ names, implied }: ColumnLayout) => JSON.stringify([names, implied])

/** The lines of a sheet that is no price list, such as the terms of delivery. */
async function firstLinesOf(file: ByteSource): Promise<readonly string[]> {
  for await (const rows of readCsvBlocks(
    decodeText(file, () => {}),
    file.name,
  ))
    return rows.slice(0, MAX_HEADER_LINES).map(({ fields }) => fields.join(' ').trim())
  return []
}
