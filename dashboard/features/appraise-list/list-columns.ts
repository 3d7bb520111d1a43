import i18next from 'i18next'
import { LIST_COLUMNS, type ListColumn, requestFromRow } from '../../../src/appraisal/device-list-row.ts'
import { withEnglishTitles } from '../../../src/appraisal/sheet-words.ts'
import { detectDelimiter, parseCsv } from '../../../src/import/read/csv-reader.ts'
import { parseHeader } from '../../../src/import/read/header.ts'
import { DomainError } from '../../../src/lib/errors.ts'
import { looksLikeIdentifier } from '../lookups/identifier-check.ts'

/** A pasted or dropped list with the detected field of each column. */
export type ParsedList = {
  readonly header: readonly string[]
  readonly rows: readonly (readonly string[])[]
  /** Line number of the first row, starting at 1. */
  readonly firstLine: number
  readonly columns: ListColumns
}
/** Field of each column; null if ignored. */
export type ListColumns = readonly (ListColumn | null)[]

export const LIST_FIELDS = Object.keys(LIST_COLUMNS) as ListColumn[]
/** Rows inspected to guess columns without a header. */
const SAMPLE_ROWS = 20

/** Parses a table with any of four delimiters, with or without a header. */
export const parseList = (text: string): ParsedList => parseTable(readText(text))

/** The same of a file. */
export const parseListFile = async (file: Blob): Promise<ParsedList> => parseTable(await readTableFile(file))

/** XLSX files are ZIP archives. */
const isWorkbook = async (file: Blob) => (await file.slice(0, 2).text()) === 'PK'

/** Decodes UTF-8, or Windows-1252 if the file is not valid UTF-8. */
async function textOf(file: Blob): Promise<string> {
  const bytes = await file.arrayBuffer()
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** The cells of an XLSX or CSV file, row by row. */
export async function readTableFile(file: Blob): Promise<readonly (readonly string[])[]> {
  return (await isWorkbook(file)) ? readWorkbook(await file.arrayBuffer()) : readText(await textOf(file))
}

function readText(text: string): readonly (readonly string[])[] {
  const plain = text.replace(/^\uFEFF/, '')
  return parseCsv(plain, detectDelimiter(plain.slice(0, 65_536)))
}

/** First sheet of an XLSX file that has rows. The library is loaded when it is first needed. */
async function readWorkbook(bytes: ArrayBuffer): Promise<readonly (readonly string[])[]> {
  const { readXlsx } = await import('hucre/xlsx')
  const { sheets } = await readXlsx(new Uint8Array(bytes))
  const rows = sheets.find((sheet) => sheet.rows.length > 0)?.rows ?? []
  const texts = rows.map((row) => Array.from(row, cellText))
  return texts.filter((row) => row.some((cell) => cell !== ''))
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return ''
  return value instanceof Date ? value.toISOString().slice(0, 10) : String(value)
}

function parseTable([first = [], ...rest]: readonly (readonly string[])[]): ParsedList {
  const { find } = parseHeader(withEnglishTitles(first))
  const named = new Map<number, ListColumn>()
  for (const name of LIST_FIELDS) {
    const at = find(...LIST_COLUMNS[name])
    if (at >= 0 && !named.has(at)) named.set(at, name)
  }
  if (named.size > 0) {
    return { header: first, rows: rest, firstLine: 2, columns: first.map((_, at) => named.get(at) ?? null) }
  }
  // No header: the first row is data.
  const rows = first.length > 0 ? [first, ...rest] : rest
  const header = first.map((_, at) => i18next.t('appraise-list:columns.unnamed', { number: at + 1 }))
  return { header, rows, firstLine: 1, columns: guessColumns(rows) }
}

/** Without a header: finds the identifier column and the first text column. */
function guessColumns(rows: readonly (readonly string[])[]): ListColumns {
  const width = Math.max(0, ...rows.slice(0, SAMPLE_ROWS).map((row) => row.length))
  const share = (at: number, fits: (cell: string) => boolean) => {
    const cells = rows.slice(0, SAMPLE_ROWS).map((row) => row[at]?.trim() ?? '')
    return cells.filter(fits).length / Math.max(1, cells.length)
  }
  const at = Array.from({ length: width }, (_, i) => i)
  const identifier = at.find((i) => share(i, looksLikeIdentifier) > 0.5)
  const text = at.find((i) => i !== identifier && share(i, (cell) => /[a-z]{3}/i.test(cell)) > 0.5)
  return at.map((i) => (i === identifier ? 'identifier' : i === text ? 'text' : null))
}

/** Request of a row, or why the row is invalid. */
export function toRowRequest(row: readonly string[], columns: ListColumns): object | string {
  const place = new Map(columns.flatMap((column, at) => (column ? [[LIST_COLUMNS[column][0] as string, at]] : [])))
  try {
    // `requestFromRow` asks by the first alias of a column.
    return requestFromRow((name = '') => row[place.get(name) ?? -1]?.trim() ?? '')
  } catch (error) {
    if (error instanceof DomainError) return error.message
    throw error
  }
}
