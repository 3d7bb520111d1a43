/** Reads a table that is in memory, as a page has it: CSV in any encoding, JSON, or a sheet of an XLSX file. */
import type { CsvRow } from './csv-reader.ts'
import { decodeText } from './encoding.ts'
import { hasTable, sheetCellText, withMergedCells } from './sheet-cells.ts'
import { readTableBlocks } from './table-blocks.ts'

export type TableFile = {
  readonly rows: readonly CsvRow[]
  /** Names of the sheets; empty for text. */
  readonly sheets: readonly string[]
  /** Index of the sheet that was read. */
  readonly sheet: number
}

const isWorkbook = (bytes: Uint8Array) => bytes[0] === 0x50 && bytes[1] === 0x4b

/** Without `sheet` the first sheet with a table is read. */
export async function readTableFile(bytes: Uint8Array, name: string, sheet?: number): Promise<TableFile> {
  if (isWorkbook(bytes)) return readWorkbook(bytes, sheet)
  async function* chunks() {
    yield bytes
  }
  return { rows: await collectRows(decodeText({ name, bytes: chunks }), name), sheets: [], sheet: 0 }
}

/** Text that was pasted. */
export async function readTableText(text: string, name: string): Promise<readonly CsvRow[]> {
  async function* chunks() {
    yield text.replace(/^\uFEFF/, '')
  }
  return collectRows(chunks(), name)
}

async function collectRows(text: AsyncIterable<string>, name: string): Promise<CsvRow[]> {
  const rows: CsvRow[] = []
  for await (const block of readTableBlocks(text, name)) rows.push(...block)
  return rows
}

/** The library is loaded when it is first needed. */
async function readWorkbook(bytes: Uint8Array, requested: number | undefined): Promise<TableFile> {
  const { readXlsx } = await import('hucre/xlsx')
  const workbook = await readXlsx(bytes)
  const tables = workbook.sheets.map(({ name, rows, merges = [] }) => {
    const fillMerged = withMergedCells(
      merges.flatMap(({ startRow, endRow, startCol }) =>
        endRow > startRow ? [{ column: startCol, fromRow: startRow, toRow: endRow }] : [],
      ),
    )
    return { name, rows: rows.map((cells, row) => fillMerged(row, Array.from(cells, sheetCellText))) }
  })
  const first = Math.max(
    0,
    tables.findIndex(({ rows }) => hasTable(rows)),
  )
  const sheet = requested ?? first
  const rows = tables[sheet]?.rows ?? []
  return {
    rows: rows.flatMap((fields, at) => (fields.some((cell) => cell.trim() !== '') ? [{ line: at + 1, fields }] : [])),
    sheets: tables.map(({ name }) => name),
    sheet,
  }
}
