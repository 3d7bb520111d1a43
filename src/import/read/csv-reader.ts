/** Reads rows of delimited text: four delimiters, quotes, line breaks within quotes, rows of different lengths. */

import type { DomainError } from '../../lib/errors.ts'
import { reason } from '../../lib/reasons.ts'
import type { TableRow } from '../../tables/table-row.ts'
import { alignedLineSplitter, type SplitLine } from './aligned-text.ts'
import { MAX_COLUMNS, MAX_LINE_CHARS } from './limits.ts'
import { lineTooLongError, normalizeLineEndings } from './lines.ts'
import { unreadableFile } from './unreadable-file.ts'

const DELIMITERS = [',', ';', '\t', '|'] as const
export type Delimiter = (typeof DELIMITERS)[number]

const DETECTION_CHARS = 64 * 1024
const DETECTION_RECORDS = 50

/**
 * The delimiter that splits the largest share of the first records into the same number of fields; comma when none does.
 * Records are parsed with quotes, so that descriptions of several lines do not count as lines of their own.
 */
export function detectDelimiter(head: string): Delimiter {
  const text = head.slice(0, DETECTION_CHARS).replace(/\r\n?/g, '\n')
  let best: { delimiter: Delimiter; share: number; fields: number } = { delimiter: ',', share: 0, fields: 1 }
  for (const delimiter of DELIMITERS) {
    const recordsByFields = new Map<number, number>()
    let records = 0
    for (let from = 0; from < text.length && records < DETECTION_RECORDS; ) {
      const record = parseRecord(text, from, delimiter, true) as ParsedRecord
      from = record.end
      // The end of the sample may cut a record.
      const isCut = from >= text.length && records > 0 && head.length > DETECTION_CHARS
      if (isCut || (record.fields.length === 1 && !record.fields[0]?.trim())) continue
      records++
      const fields = record.hasTextAfterQuote ? 1 : record.fields.length
      if (fields > 1) recordsByFields.set(fields, (recordsByFields.get(fields) ?? 0) + 1)
    }
    for (const [fields, count] of recordsByFields) {
      const share = count / records
      if (share > best.share || (share === best.share && fields > best.fields)) best = { delimiter, share, fields }
    }
  }
  return best.delimiter
}

/** The first whole lines. */
const sampleOf = (text: string) => text.slice(0, DETECTION_CHARS).split('\n').slice(0, DETECTION_RECORDS).join('\n')

/**
 * The rows of a text; blank lines are skipped, every field is as written (quotes resolved, blanks kept).
 * A quote opens a quoted field only at the beginning of a field; elsewhere it is an ordinary character.
 */
export async function* readCsvRows(
  text: AsyncIterable<string>,
  name: string,
  givenDelimiter?: Delimiter | undefined,
): AsyncGenerator<TableRow> {
  for await (const rows of readCsvBlocks(text, name, givenDelimiter)) yield* rows
}

/** The same rows in blocks of one chunk of text: awaiting every single row takes twice as long. */
export async function* readCsvBlocks(
  text: AsyncIterable<string>,
  name: string,
  givenDelimiter?: Delimiter | undefined,
): AsyncGenerator<readonly TableRow[]> {
  let delimiter = givenDelimiter
  let buffer = ''
  let line = 1
  // The first chunk may be three bytes long: wait for enough text to detect the delimiter from.
  let isDetecting = givenDelimiter === undefined
  let splitLine: SplitLine | null | undefined = givenDelimiter === undefined ? undefined : null
  const parse = (isLastChunk: boolean): TableRow[] => {
    const rows: TableRow[] = []
    splitLine ??= alignedLineSplitter(sampleOf(buffer))
    delimiter ??= splitLine ? '\t' : detectDelimiter(buffer.slice(0, DETECTION_CHARS + 1))
    let from = 0
    while (from < buffer.length) {
      const record = parseRecord(buffer, from, delimiter, isLastChunk)
      if (!record) break
      if (record.isUnclosed) {
        throw unreadableFile(
          `${name}: the quote opened on line ${line} is not closed; the file may be cut short.`,
          reason('file_quote_open', { name, line }),
        )
      }
      if (record.end - from > MAX_LINE_CHARS) throw lineTooLongError(name, line)
      if (record.fields.length > MAX_COLUMNS) throw tooManyColumnsError(name, line)
      const fields = splitLine ? splitLine(buffer.slice(from, record.end)) : record.fields
      if (fields.length > 1 || fields[0]?.trim()) rows.push({ line, fields })
      line += record.lines
      from = record.end
    }
    buffer = buffer.slice(from)
    if (buffer.length <= MAX_LINE_CHARS) return rows
    if (hasTooManyColumns(buffer, delimiter)) throw tooManyColumnsError(name, line)
    if (buffer.indexOf('\n') >= 0) {
      throw unreadableFile(
        `${name}: the quote opened on line ${line} is not closed within 1 MiB.`,
        reason('file_quote_open', { name, line }),
      )
    }
    throw lineTooLongError(name, line)
  }
  for await (const chunk of normalizeLineEndings(text)) {
    buffer += chunk
    if (isDetecting && buffer.length < DETECTION_CHARS) continue
    isDetecting = false
    yield parse(false)
  }
  yield parse(true)
}

/** All rows of a text that is in memory already; blank lines are skipped. */
export function parseCsv(text: string, delimiter: Delimiter = ','): string[][] {
  const normalized = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
  const rows: string[][] = []
  for (let from = 0; from < normalized.length; ) {
    const { fields, end } = parseRecord(normalized, from, delimiter, true) as ParsedRecord
    if (fields.length > 1 || fields[0]?.trim()) rows.push(fields)
    from = end
  }
  return rows
}

const LINE_FEED = 10

type ParsedRecord = {
  fields: string[]
  end: number
  lines: number
  /** A closing quote is followed by text: probably the wrong delimiter. */
  hasTextAfterQuote?: boolean
  /** The file ends within quotes. */
  isUnclosed?: boolean
}

/** One record from `from` on, or nothing when its end is not in the buffer yet. */
function parseRecord(text: string, from: number, delimiter: Delimiter, isLastChunk: boolean): ParsedRecord | undefined {
  const newline = text.indexOf('\n', from)
  if (newline < 0 && !isLastChunk) return undefined
  const lineEnd = newline < 0 ? text.length : newline
  const line = text.slice(from, lineEnd)
  if (!line.includes('"')) {
    return { fields: line.split(delimiter), end: Math.min(lineEnd + 1, text.length), lines: 1 }
  }
  return parseQuotedRecord(text, from, delimiter, isLastChunk)
}

function parseQuotedRecord(
  text: string,
  from: number,
  delimiter: Delimiter,
  isLastChunk: boolean,
): ParsedRecord | undefined {
  const delimiterCode = delimiter.charCodeAt(0)
  const fields: string[] = []
  let lines = 1
  let at = from
  let hasTextAfterQuote = false
  let isUnclosed = false
  for (;;) {
    let field = ''
    const isQuoted = text[at] === '"'
    if (isQuoted) {
      at++
      for (;;) {
        const close = text.indexOf('"', at)
        if (close < 0) {
          if (!isLastChunk) return undefined
          field += text.slice(at)
          at = text.length
          isUnclosed = true
          break
        }
        field = field === '' ? text.slice(at, close) : field + text.slice(at, close)
        at = close + 1
        if (text[at] !== '"') break
        field += '"'
        at++
      }
      for (let index = 0; index < field.length; index++) if (field.charCodeAt(index) === LINE_FEED) lines++
    }
    let end = at
    while (end < text.length && text.charCodeAt(end) !== delimiterCode && text.charCodeAt(end) !== LINE_FEED) end++
    if (end >= text.length && !isLastChunk) return undefined
    if (isQuoted && end > at) hasTextAfterQuote = true
    field = field === '' ? text.slice(at, end) : end > at ? field + text.slice(at, end) : field
    fields.push(field)
    if (fields.length > MAX_COLUMNS || end >= text.length || text.charCodeAt(end) === LINE_FEED) {
      return { fields, end: Math.min(end + 1, text.length), lines, hasTextAfterQuote, isUnclosed }
    }
    at = end + 1
  }
}

function hasTooManyColumns(text: string, delimiter: Delimiter): boolean {
  const newline = text.indexOf('\n')
  const line = text.slice(0, newline < 0 ? MAX_LINE_CHARS : Math.min(newline, MAX_LINE_CHARS))
  return line.split(delimiter, MAX_COLUMNS + 1).length > MAX_COLUMNS
}

function tooManyColumnsError(name: string, line: number): DomainError {
  return unreadableFile(
    `${name}: line ${line} has more than ${MAX_COLUMNS.toLocaleString('en')} columns.`,
    reason('file_line_too_long', { name, line }),
  )
}
