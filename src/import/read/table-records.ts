import type { DomainError } from '../../lib/errors.ts'
import { reason } from '../../lib/reasons.ts'
import { assignColumns, type Schema, tableColumns } from '../../tables/assign-columns.ts'
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

/** Lines by which the columns of a table are assigned. */
const LINES_AHEAD = 120

/**
 * Finds the header of a table by its format; throws if none of the first lines is one. A header whose names are not those of a
 * format gets the names of the schema, by its words in any language and by the cells below.
 */
export async function openTable<Format>(
  text: AsyncIterable<string>,
  name: string,
  schema: Schema<string>,
  detect: (header: TableHeader) => Format | undefined,
  unknownFormat: (firstHeader: TableHeader) => DomainError,
): Promise<OpenedTable<Format>> {
  const rows = readCsvRows(text, name)
  const ahead: TableRow[] = []
  while (ahead.length < LINES_AHEAD) {
    const { value, done } = await rows.next()
    if (done) break
    ahead.push(value)
  }
  const first = ahead[0] && parseHeader(ahead[0].fields)
  const lines = ahead.slice(0, MAX_HEADER_LINES)
  for (const headerOf of [({ fields }: TableRow) => fields, assignedTitles]) {
    for (const [at, row] of lines.entries()) {
      const header = parseHeader(headerOf(row, at))
      const format = detect(header)
      const title = at > 0 ? (first?.names ?? []).join(',').trim().slice(0, 200) : ''
      if (format !== undefined) return { format, title, records: readRecords(ahead.slice(at + 1), rows, header) }
    }
  }
  await rows.return(undefined)
  throw first ? unknownFormat(first) : unreadableFile(`${name} is empty.`, reason('file_empty', { name }))

  function assignedTitles({ fields }: TableRow, at: number): readonly string[] {
    const below = ahead.slice(at + 1)
    const columns = tableColumns(fields, (column) => below.map((row) => row.fields[column] ?? ''))
    const assigned = assignColumns(columns, schema)
    return fields.map((title, column) => assigned.fields[column] ?? title)
  }
}

async function* readRecords(
  ahead: readonly TableRow[],
  rows: ReturnType<typeof readCsvRows>,
  header: TableHeader,
): AsyncGenerator<TableRecord, undefined> {
  for (const row of ahead) yield toTableRecord(row, header)
  for await (const row of rows) yield toTableRecord(row, header)
}

export function toTableRecord({ line, fields }: TableRow, header: TableHeader): TableRecord {
  return { line, fields, header, cell: (...names) => cellText(fields, header.find(...names)) }
}

/** Reads the rows of a table; throws if a required column is missing. */
export async function* readTableRecords(
  source: ByteSource,
  notify: (sentence: string) => void,
  schema: Schema<string>,
  requiredColumns: readonly string[],
): AsyncGenerator<TableRecord> {
  const { records } = await openTable(
    decodeText(source, notify),
    source.name,
    schema,
    (header) => header.has(...requiredColumns) || undefined,
    (header) => missingColumnsError(source.name, header, requiredColumns),
  )
  yield* records
}
