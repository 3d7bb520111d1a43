import { readSheets, readTableFile, readTableText } from '../../../src/import/read/table-file.ts'
import { splitLines } from '../../../src/lists/device-lines.ts'
import {
  type ColumnAssignment,
  createRowClassifier,
  detectListLayout,
  type ListLayout,
} from '../../../src/lists/list-columns.ts'
import type { TableRow } from '../../../src/tables/table-row.ts'

/** A pasted or dropped list with the detected field of each column. */
export type ParsedList = {
  readonly layout: ListLayout
  /** The lines below the header: rows, titles and sums. */
  readonly lines: readonly TableRow[]
  readonly columns: ColumnAssignment
  /** Sheets of the file and the one that is shown; null for text and a single sheet. */
  readonly workbook: Workbook | null
  /** SHA-256 of the file or text; null if unknown. */
  readonly fileHash: string | null
  /** Name of the file; empty for text. */
  readonly name: string
}

type Workbook = {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly sheets: readonly string[]
  readonly sheet: SheetChoice
  /** How many sheets have the titles of the first table, and can be read as one list. */
  readonly alike: number
}

/** `all`: the sheets with the titles of the first table, one after the other. */
export type SheetChoice = number | 'all'

const LIST_NAME = 'list'

export const parseList = async (text: string): Promise<ParsedList> =>
  toParsedList(await readTableText(text, LIST_NAME), null, await hashFile(new TextEncoder().encode(text)))

/** Without `sheet` all sheets with the titles of the first table. */
export async function parseListFile(
  bytes: Uint8Array<ArrayBuffer>,
  { sheet, name = '' }: { readonly sheet?: SheetChoice; readonly name?: string } = {},
): Promise<ParsedList> {
  const fileHash = await hashFile(bytes)
  const first = await readTableFile(bytes, LIST_NAME, sheet === 'all' ? undefined : sheet)
  if (first.sheets.length < 2) return toParsedList(first.rows, null, fileHash, name)
  const parts = await readAlikeSheets(bytes)
  const readsAll = (sheet ?? 'all') === 'all' && parts.length > 1
  return toParsedList(
    readsAll ? parts.flat() : first.rows,
    { bytes, sheets: first.sheets, sheet: readsAll ? 'all' : first.sheet, alike: parts.length },
    fileHash,
    name,
  )
}

/** The lines of the sheets with the titles of the first table: its own with all above them, the others below theirs. */
async function readAlikeSheets(bytes: Uint8Array): Promise<readonly (readonly TableRow[])[]> {
  const parts: TableRow[][] = []
  let titles: string | undefined
  /** Rows are known by their line, so those of the next sheet are counted on. */
  let lastLine = 0
  for (const { rows } of (await readSheets(bytes)) ?? []) {
    const { layout, lines } = toParsedList(rows, null, null)
    if (!layout.hasHeader || lines.length === 0) continue
    const own = JSON.stringify(layout.header.map((title) => title.trim()))
    titles ??= own
    if (own !== titles) continue
    const firstLine = parts.length === 0 ? 0 : (lines[0]?.line ?? 0)
    const below = rows.filter(({ line }) => line >= firstLine)
    const offset = lastLine
    parts.push(below.map(({ line, fields }) => ({ line: line + offset, fields })))
    lastLine = offset + (rows.at(-1)?.line ?? 0)
  }
  return parts
}

function toParsedList(
  lines: readonly TableRow[],
  workbook: ParsedList['workbook'],
  fileHash: string | null,
  name = '',
): ParsedList {
  const rows = splitLines(lines)
  const layout = detectListLayout(rows)
  return { layout, lines: rows.slice(layout.firstRow), columns: layout.columns, workbook, fileHash, name }
}

/** The lines that are rows, and how many are titles or sums. */
export function selectRows({ layout, lines, columns }: ParsedList): { rows: readonly TableRow[]; skipped: number } {
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
