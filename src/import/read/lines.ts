/** Splits text chunks into physical lines (`\n`, `\r\n` or a lone `\r`) of limited length. */
import type { DomainError } from '../../lib/errors.ts'
import { MAX_LINE_CHARS } from './limits.ts'
import { unreadableFile } from './unreadable-file.ts'

/** Converts all line endings to `\n`, even when a chunk boundary splits `\r\n`. */
export async function* normalizeLineEndings(text: AsyncIterable<string>): AsyncGenerator<string> {
  let heldReturn = false
  for await (const chunk of text) {
    let plain = chunk
    if (heldReturn) plain = `\r${plain}`
    heldReturn = plain.endsWith('\r')
    if (heldReturn) plain = plain.slice(0, -1)
    if (plain.includes('\r')) plain = plain.replace(/\r\n?/g, '\n')
    if (plain) yield plain
  }
  if (heldReturn) yield '\n'
}

export type TextLine = { readonly line: number; readonly text: string }

export async function* readLines(text: AsyncIterable<string>, name: string): AsyncGenerator<TextLine> {
  let rest = ''
  let line = 1
  for await (const chunk of normalizeLineEndings(text)) {
    rest += chunk
    let from = 0
    for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n', from)) {
      if (end - from > MAX_LINE_CHARS) throw lineTooLongError(name, line)
      yield { line, text: rest.slice(from, end) }
      line++
      from = end + 1
    }
    rest = rest.slice(from)
    if (rest.length > MAX_LINE_CHARS) throw lineTooLongError(name, line)
  }
  if (rest) yield { line, text: rest }
}

export function lineTooLongError(name: string, line: number): DomainError {
  return unreadableFile(`${name} is not a list of rows: line ${line} is longer than 1 MiB.`)
}
