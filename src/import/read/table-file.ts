/** Reads a table that is in memory, as a page has it: CSV in any encoding, JSON, or a sheet of an XLSX file. */
import type { TableRow } from '../../tables/table-row.ts'
import { decodeText } from './encoding.ts'
import { filledRows, hasTable } from './sheet-cells.ts'
import { readTableBlocks } from './table-blocks.ts'

export type TableFile = {
  readonly rows: readonly TableRow[]
  /** Names of the sheets; empty for text. */
  readonly sheets: readonly string[]
  /** Index of the sheet that was read. */
  readonly sheet: number
}

const isWorkbook = (bytes: Uint8Array) => bytes[0] === 0x50 && bytes[1] === 0x4b

/** Without `sheet` the first sheet with a table is read. */
export async function readTableFile(bytes: Uint8Array, name: string, sheet?: number): Promise<TableFile> {
  const tables = await readSheets(bytes)
  if (tables) return pickSheet(tables, sheet)
  async function* chunks() {
    yield bytes
  }
  return { rows: await collectRows(decodeText({ name, bytes: chunks }), name), sheets: [], sheet: 0 }
}

/** Text that was pasted. */
export async function readTableText(text: string, name: string): Promise<readonly TableRow[]> {
  async function* chunks() {
    yield text.replace(/^\uFEFF/, '')
  }
  return collectRows(chunks(), name)
}

async function collectRows(text: AsyncIterable<string>, name: string): Promise<TableRow[]> {
  const rows: TableRow[] = []
  for await (const block of readTableBlocks(text, name)) rows.push(...block)
  return rows
}

type Sheet = { readonly name: string; readonly rows: readonly TableRow[] }

/** All sheets of an XLSX file; null for text. The library is loaded when it is first needed. */
export async function readSheets(bytes: Uint8Array): Promise<readonly Sheet[] | null> {
  if (!isWorkbook(bytes)) return null
  const { readXlsx } = await import('hucre/xlsx')
  const workbook = await readXlsx(bytes)
  return workbook.sheets.map((sheet) => ({ name: sheet.name, rows: filledRows(sheet) }))
}

function pickSheet(tables: readonly Sheet[], requested: number | undefined): TableFile {
  const first = Math.max(
    0,
    tables.findIndex(({ rows }) => hasTable(rows.map(({ fields }) => fields))),
  )
  const sheet = requested ?? first
  return { rows: tables[sheet]?.rows ?? [], sheets: tables.map(({ name }) => name), sheet }
}
