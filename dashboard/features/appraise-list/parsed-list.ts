import {
  type ColumnAssignment,
  createRowClassifier,
  detectListLayout,
  type ListLayout,
} from '../../../src/import/device-lists/list-columns.ts'
import { splitWideLines } from '../../../src/import/device-lists/read-device-list.ts'
import type { CsvRow } from '../../../src/import/read/csv-reader.ts'
import { readTableFile, readTableText } from '../../../src/import/read/table-file.ts'

/** A pasted or dropped list with the detected field of each column. */
export type ParsedList = {
  readonly layout: ListLayout
  /** The lines below the header: rows, titles and sums. */
  readonly lines: readonly CsvRow[]
  readonly columns: ColumnAssignment
  /** Sheets of the file and the one that is shown; null for text. */
  readonly workbook: {
    readonly bytes: Uint8Array<ArrayBuffer>
    readonly sheets: readonly string[]
    readonly sheet: number
  } | null
  /** SHA-256 of the file or text; null if unknown. */
  readonly fileHash: string | null
  /** Name of the file; empty for text. */
  readonly name: string
}

const LIST_NAME = 'list'

export const parseList = async (text: string): Promise<ParsedList> =>
  toParsedList(await readTableText(text, LIST_NAME), null, await hashFile(new TextEncoder().encode(text)))

/** Without `sheet` the first sheet with a table. */
export async function parseListFile(
  bytes: Uint8Array<ArrayBuffer>,
  { sheet, name = '' }: { readonly sheet?: number; readonly name?: string } = {},
): Promise<ParsedList> {
  const table = await readTableFile(bytes, LIST_NAME, sheet)
  return toParsedList(table.rows, table.sheets.length > 1 ? { bytes, ...table } : null, await hashFile(bytes), name)
}

function toParsedList(
  lines: readonly CsvRow[],
  workbook: ParsedList['workbook'],
  fileHash: string | null,
  name = '',
): ParsedList {
  const rows = splitWideLines(lines)
  const layout = detectListLayout(rows)
  return { layout, lines: rows.slice(layout.firstRow), columns: layout.columns, workbook, fileHash, name }
}

/** The lines that are rows, and how many are titles or sums. */
export function selectRows({ layout, lines, columns }: ParsedList): { rows: readonly CsvRow[]; skipped: number } {
  const kindOf = createRowClassifier(layout, columns)
  const rows = lines.filter(({ fields }) => kindOf(fields) === 'row')
  return { rows, skipped: lines.length - rows.length }
}

/** SHA-256 of a file in hexadecimal; null where the browser offers none, as on pages without TLS. */
async function hashFile(bytes: Uint8Array<ArrayBuffer>): Promise<string | null> {
  if (!globalThis.crypto?.subtle) return null
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
