import type { ByteSource } from './byte-source-service.ts'
import { readCsvRows } from './csv-reader.ts'
import { decodeText } from './encoding.ts'
import { cellText, missingColumnsError, parseHeader } from './header.ts'
import { unreadableFile } from './unreadable-file.ts'

/** A row of a table, with cells looked up by column name. */
export type TableRecord = {
  readonly line: number
  /** The trimmed cell of the first of these columns that exists; empty if none does. */
  readonly cell: (...names: string[]) => string
}

const MAX_LINES_ABOVE_HEADER = 15

/** Reads the rows of a table; throws if a required column is missing. */
export async function* readTableRecords(
  source: ByteSource,
  notify: (sentence: string) => void,
  requiredColumns: readonly string[],
): AsyncGenerator<TableRecord> {
  let header: ReturnType<typeof parseHeader> | undefined
  let firstHeader: typeof header
  let skipped = 0
  for await (const { line, fields } of readCsvRows(decodeText(source, notify), source.name)) {
    if (header) {
      const { find } = header
      yield { line, cell: (...names) => cellText(fields, find(...names)) }
      continue
    }
    const candidate = parseHeader(fields)
    firstHeader ??= candidate
    if (candidate.has(...requiredColumns)) header = candidate
    // A title and a date may stand above the header.
    else if (++skipped > MAX_LINES_ABOVE_HEADER) break
  }
  if (!firstHeader) throw unreadableFile(`${source.name} is empty.`)
  if (!header) throw missingColumnsError(source.name, firstHeader, requiredColumns)
}
