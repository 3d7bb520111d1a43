import type { DomainError } from '../../lib/errors.ts'
import { reason } from '../../lib/reasons.ts'
import { MAX_HEADER_LINES } from '../../tables/table-lines.ts'
import type { TableRow } from '../../tables/table-row.ts'
import type { ByteSource } from './byte-source-service.ts'
import { readCsvRows } from './csv-reader.ts'
import { decodeText } from './encoding.ts'
import { cellText, missingColumnsError, parseHeader, type TableHeader } from './header.ts'
import { unreadableFile } from './unreadable-file.ts'

/** A row of a table, with cells looked up by column name. */
export type TableRecord = {
  readonly line: number
  readonly fields: readonly string[]
  readonly header: TableHeader
  /** The trimmed cell of the first of these columns that exists; empty if none does. */
  readonly cell: (...names: string[]) => string
}

export type OpenedTable<Format> = {
  readonly format: Format
  /** The first line if it is not the header, such as a title or a date. */
  readonly title: string
  readonly records: AsyncGenerator<TableRecord>
}

/** Finds the header of a table by its format; throws if none of the first lines is one. */
export async function openTable<Format>(
  text: AsyncIterable<string>,
  name: string,
  detect: (header: TableHeader) => Format | undefined,
  unknownFormat: (firstHeader: TableHeader) => DomainError,
  toTitles: (titles: readonly string[]) => readonly string[] = (titles) => titles,
): Promise<OpenedTable<Format>> {
  const rows = readCsvRows(text, name)
  let first: TableHeader | undefined
  for (let skipped = 0; skipped < MAX_HEADER_LINES; skipped++) {
    const { value: row, done } = await rows.next()
    if (done) break
    const header = parseHeader(toTitles(row.fields))
    const title = first ? first.names.join(',').trim().slice(0, 200) : ''
    first ??= header
    const format = detect(header)
    if (format !== undefined) return { format, title, records: readRecords(rows, header) }
  }
  await rows.return(undefined)
  throw first ? unknownFormat(first) : unreadableFile(`${name} is empty.`, reason('file_empty', { name }))
}

async function* readRecords(
  rows: ReturnType<typeof readCsvRows>,
  header: TableHeader,
): AsyncGenerator<TableRecord, undefined> {
  for await (const row of rows) yield toTableRecord(row, header)
}

export function toTableRecord({ line, fields }: TableRow, header: TableHeader): TableRecord {
  return { line, fields, header, cell: (...names) => cellText(fields, header.find(...names)) }
}

/** Reads the rows of a table; throws if a required column is missing. `toTitles` may rename the columns. */
export async function* readTableRecords(
  source: ByteSource,
  notify: (sentence: string) => void,
  requiredColumns: readonly string[],
  toTitles?: (titles: readonly string[]) => readonly string[],
): AsyncGenerator<TableRecord> {
  const { records } = await openTable(
    decodeText(source, notify),
    source.name,
    (header) => header.has(...requiredColumns) || undefined,
    (header) => missingColumnsError(source.name, header, requiredColumns),
    toTitles,
  )
  yield* records
}
