import type { ByteSource } from './byte-source-service.ts'
import { readCsvRows } from './csv-reader.ts'
import { decodeText } from './encoding.ts'
import { cellText, missingColumnsError, parseHeader } from './header.ts'
import { unreadableFile } from './unreadable-file.ts'

/** A row of a table by the names of its columns. */
export type TableRecord = {
  readonly line: number
  /** The trimmed cell of the first of these columns that there is; empty where there is none. */
  readonly cell: (...names: string[]) => string
}

/** The rows of a table that must have these columns. */
export async function* readTableRecords(
  source: ByteSource,
  notify: (sentence: string) => void,
  requiredColumns: readonly string[],
): AsyncGenerator<TableRecord> {
  let header: ReturnType<typeof parseHeader> | undefined
  for await (const { line, fields } of readCsvRows(decodeText(source, notify), source.name)) {
    if (header) {
      const { find } = header
      yield { line, cell: (...names) => cellText(fields, find(...names)) }
      continue
    }
    header = parseHeader(fields)
    if (!header.has(...requiredColumns)) throw missingColumnsError(source.name, header, requiredColumns)
  }
  if (!header) throw unreadableFile(`${source.name} is empty.`)
}
