/** Splits text chunks into physical lines (`\n`, `\r\n` or a lone `\r`) of limited length. */

import type { DomainError } from '../../lib/errors.ts'
import { reason } from '../../lib/reasons.ts'
import { MAX_LINE_CHARS } from './limits.ts'
import { unreadableFile } from './unreadable-file.ts'

/** Converts all line endings to `\n`, even when a chunk boundary splits `\r\n`. */
export async function* normalizeLineEndings(text: AsyncIterable<string>): AsyncGenerator<string> {
  let hasPendingReturn = false
  for await (const chunk of text) {
    let normalized = chunk
    if (hasPendingReturn) normalized = `\r${normalized}`
    hasPendingReturn = normalized.endsWith('\r')
    if (hasPendingReturn) normalized = normalized.slice(0, -1)
    if (normalized.includes('\r')) normalized = normalized.replace(/\r\n?/g, '\n')
    if (normalized) yield normalized
  }
  if (hasPendingReturn) yield '\n'
}

export type TextLine = { readonly line: number; readonly text: string }

export async function* readLines(text: AsyncIterable<string>, name: string): AsyncGenerator<TextLine> {
  let buffer = ''
  let line = 1
  for await (const chunk of normalizeLineEndings(text)) {
    buffer += chunk
    let from = 0
    for (let end = buffer.indexOf('\n'); end >= 0; end = buffer.indexOf('\n', from)) {
      if (end - from > MAX_LINE_CHARS) throw lineTooLongError(name, line)
      yield { line, text: buffer.slice(from, end) }
      line++
      from = end + 1
    }
    buffer = buffer.slice(from)
    if (buffer.length > MAX_LINE_CHARS) throw lineTooLongError(name, line)
  }
  if (buffer) yield { line, text: buffer }
}

export function lineTooLongError(name: string, line: number): DomainError {
  return unreadableFile(
    `${name} is not a list of rows: line ${line} is longer than 1 MiB.`,
    reason('file_line_too_long', { name, line }),
  )
}
