import type { DeviceListRow } from '../../../src/import/device-lists/device-list-row.ts'
import {
  type ColumnAssignment,
  createRowClassifier,
  detectListLayout,
  type ListLayout,
} from '../../../src/import/device-lists/list-columns.ts'
import { createLineReader } from '../../../src/import/device-lists/read-device-list.ts'
import type { CsvRow } from '../../../src/import/read/csv-reader.ts'
import { readTableFile, readTableText } from '../../../src/import/read/table-file.ts'

/** A pasted or dropped list with the detected field of each column. */
export type ParsedList = {
  readonly layout: ListLayout
  /** The lines below the header: rows, titles and sums. */
  readonly lines: readonly CsvRow[]
  readonly columns: ColumnAssignment
  /** Sheets of the file and the one that is shown; null for text. */
  readonly workbook: { readonly bytes: Uint8Array; readonly sheets: readonly string[]; readonly sheet: number } | null
}

const LIST_NAME = 'list'

export const parseList = async (text: string): Promise<ParsedList> =>
  toParsedList(await readTableText(text, LIST_NAME), null)

/** Without `sheet` the first sheet with a table. */
export async function parseListFile(bytes: Uint8Array, sheet?: number): Promise<ParsedList> {
  const table = await readTableFile(bytes, LIST_NAME, sheet)
  return toParsedList(table.rows, table.sheets.length > 1 ? { bytes, ...table } : null)
}

function toParsedList(rows: readonly CsvRow[], workbook: ParsedList['workbook']): ParsedList {
  const layout = detectListLayout(rows)
  return { layout, lines: rows.slice(layout.firstRow), columns: layout.columns, workbook }
}

/** The lines that are rows, and how many are titles or sums. */
export function selectRows({ layout, lines, columns }: ParsedList): { rows: readonly CsvRow[]; skipped: number } {
  const kindOf = createRowClassifier(layout, columns)
  const rows = lines.filter(({ fields }) => kindOf(fields) === 'row')
  return { rows, skipped: lines.length - rows.length }
}

/** A row of the list with its request and questions. */
export type ListRow = DeviceListRow & {
  readonly line: number
  /** The cells as they are in the list. */
  readonly own: readonly string[]
  readonly name: string
}

export function readRows({ layout, columns }: ParsedList, lines: readonly CsvRow[]): ListRow[] {
  const text = columns.indexOf('text')
  return createLineReader(
    layout,
    columns,
  )(lines).rows.map(({ fields, ...row }) => ({
    ...row,
    own: fields,
    name: fields[text]?.trim() || fields.find((cell) => cell.trim()) || '',
  }))
}
