import { readRows } from './csv.ts'
import { readText } from './encoding.ts'
import { cell, missingColumns, readHeader } from './header.ts'
import type { Source } from './source.ts'
import { unreadable } from './unreadable.ts'

/** A row of a table by the names of its columns. */
export type TableRecord = {
  readonly line: number
  /** The trimmed cell of the first of these columns that there is; empty where there is none. */
  readonly at: (...names: string[]) => string
}

/** The rows of a table that must have these columns. */
export async function* readRecords(
  source: Source,
  note: (sentence: string) => void,
  needed: readonly string[],
): AsyncGenerator<TableRecord> {
  let header: ReturnType<typeof readHeader> | undefined
  for await (const { line, fields } of readRows(readText(source, note), source.name)) {
    if (header) {
      const { find } = header
      yield { line, at: (...names) => cell(fields, find(...names)) }
      continue
    }
    header = readHeader(fields)
    if (!header.has(...needed)) throw missingColumns(source.name, header, needed)
  }
  if (!header) throw unreadable(`${source.name} is empty.`)
}
