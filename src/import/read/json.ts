/** JSON from a source: one object per line, the items of a big array one by one, or a small document whole. */

import { reason } from '../../lib/reasons.ts'
import type { RejectionCode } from '../../lib/rejections.ts'
import type { ByteSource } from './byte-source-service.ts'
import { decodeText } from './encoding.ts'
import { MAX_DOCUMENT_BYTES, MAX_LINE_CHARS, MAX_NESTING } from './limits.ts'
import { readLines } from './lines.ts'
import { unreadableFile } from './unreadable-file.ts'

type NdjsonLine =
  | { readonly line: number; readonly value: unknown }
  | { readonly line: number; readonly problem: RejectionCode }

/** A line that is not JSON is a rejected row, not the end of the import. */
export async function* readNdjson(text: AsyncIterable<string>, name: string): AsyncGenerator<NdjsonLine> {
  for await (const { line, text: json } of readLines(text, name)) {
    if (json.trim() === '') continue
    let value: unknown
    try {
      if (isTooDeep(json)) throw new SyntaxError()
      value = JSON.parse(json)
    } catch {
      yield { line, problem: 'not_json' }
      continue
    }
    yield { line, value }
  }
}

/** Parses the whole document; rejects it as soon as it exceeds `maxBytes`, before it is all in memory. */
export async function readJsonDocument(
  source: ByteSource,
  notify?: (sentence: string) => void,
  maxBytes = MAX_DOCUMENT_BYTES,
): Promise<unknown> {
  const pieces: string[] = []
  for await (const piece of decodeText(source, notify)) {
    if (source.readBytes() > maxBytes) {
      throw unreadableFile(
        `${source.name} is larger than ${Math.floor(maxBytes / 1024 / 1024)} MiB.`,
        reason('file_too_large', { name: source.name }),
      )
    }
    pieces.push(piece)
  }
  const text = pieces.join('')
  if (text.trim() === '') throw unreadableFile(`${source.name} is empty.`, reason('file_empty', { name: source.name }))
  if (isTooDeep(text)) throw tooDeepError(source.name, '')
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw unreadableFile(
      `${source.name} is not JSON: ${(cause as Error).message}.`,
      reason('file_not_json', { name: source.name }),
      cause,
    )
  }
}

/** `key` is the member of the outermost object the item came from; null when the document is an array itself. */
type JsonItem = {
  readonly line: number
  readonly key: string | null
  /** An element of an array that is a member of the outermost object. */
  readonly isElement: boolean
  readonly value: unknown
}

/**
 * The items of `[…]`, or of every array that is a member of the outermost `{…}`; its other members come whole.
 * Only one item is in memory at a time, so the file may be of any size and each item at most 1 MiB. With `maxLevels` arrays are
 * also found within objects of the outermost one: `{"data":{"products":[…]}}`.
 */
export async function* readJsonItems(
  text: AsyncIterable<string>,
  name: string,
  { maxLevels = 1 }: { readonly maxLevels?: number } = {},
): AsyncGenerator<JsonItem> {
  const scanner = createItemScanner(name, maxLevels)
  for await (const chunk of text) yield* scanner.take(chunk)
  scanner.end()
}

const QUOTE = 34
const BACKSLASH = 92

const tooDeepError = (name: string, place: string) =>
  unreadableFile(
    `${name} is not a list: its JSON is nested more than ${MAX_NESTING} levels deep${place}.`,
    reason('file_not_json', { name }),
  )

/** Whether arrays and objects are nested deeper than any list nests them. */
function isTooDeep(json: string): boolean {
  let depth = 0
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at)
    if (code === QUOTE) {
      for (at++; at < json.length && json.charCodeAt(at) !== QUOTE; at++) if (json.charCodeAt(at) === BACKSLASH) at++
    } else if (code === 91 || code === 123) {
      if (++depth > MAX_NESTING) return true
    } else if (code === 93 || code === 125) depth--
  }
  return false
}

function createItemScanner(name: string, maxLevels: number) {
  let buffer = ''
  let at = 0
  /** Where the current item or key begins in the buffer; −1 between items. */
  let start = -1
  let startLine = 1
  let line = 1
  let depth = 0
  let isInText = false
  let key: string | null = null
  let expectsKey = false
  let root: 'array' | 'object' | null = null
  /** Depth of the object whose members are read. */
  let level = 1
  let isInMemberArray = false
  let isFinished = false

  const syntaxError = (why: string) =>
    unreadableFile(`${name} is not JSON: ${why} on line ${line}.`, reason('file_not_json', { name }))
  const parse = (json: string): unknown => {
    try {
      return JSON.parse(json)
    } catch (cause) {
      throw unreadableFile(
        `${name} is not JSON near line ${startLine}: ${(cause as Error).message}.`,
        reason('file_not_json', { name }),
        cause,
      )
    }
  }

  /** Depth at which a comma or closing bracket ends an item. */
  const itemDepth = () => (isInMemberArray ? level + 1 : level)

  function* finish(end: number): Generator<JsonItem> {
    if (start < 0) return
    const json = buffer.slice(start, end)
    start = -1
    if (root === 'object' && !isInMemberArray && expectsKey) throw syntaxError('a name without a value')
    yield { line: startLine, key, isElement: isInMemberArray, value: parse(json) }
  }

  function* take(chunk: string): Generator<JsonItem> {
    buffer = start >= 0 ? buffer.slice(start) + chunk : chunk
    at = start >= 0 ? at - start : 0
    if (start >= 0) start = 0
    for (; at < buffer.length; at++) {
      const code = buffer.charCodeAt(at)
      if (isInText) {
        if (code === BACKSLASH) {
          // Skips the escaped character. If it is in the next chunk, `at` points past the buffer and still skips it.
          at++
        } else if (code === QUOTE) isInText = false
        else if (code === 10) throw syntaxError('a line break inside a text')
        continue
      }
      if (code === 10) line++
      if (code === 32 || code === 9 || code === 10 || code === 13) continue
      if (isFinished) throw syntaxError('something after its end')
      if (root === null) {
        if (code === 91) root = 'array'
        else if (code === 123) root = 'object'
        else throw syntaxError('neither [ nor { at its beginning')
        expectsKey = root === 'object'
        depth = 1
        continue
      }
      if (code === 44 && depth === itemDepth()) {
        yield* finish(at)
        if (!isInMemberArray && root === 'object') expectsKey = true
        continue
      }
      if (code === 58 && depth === level && expectsKey) {
        const name = start >= 0 ? parse(buffer.slice(start, at)) : undefined
        if (typeof name !== 'string') throw syntaxError('a value without a name')
        key = name
        start = -1
        expectsKey = false
        continue
      }
      if (code === 93 || code === 125) {
        if (depth === itemDepth()) {
          yield* finish(at)
          depth--
          if (isInMemberArray) {
            if (code !== 93) throw syntaxError('} where ] was expected')
            isInMemberArray = false
          } else if (level > 1) {
            if (code !== 125) throw syntaxError('] where } was expected')
            level--
            expectsKey = false
          } else if ((code === 93) !== (root === 'array')) throw syntaxError('a wrong closing bracket')
          else isFinished = true
          continue
        }
        depth--
        continue
      }
      if (start < 0) {
        const isMember = depth === level && root === 'object' && !expectsKey && !isInMemberArray
        if (code === 91 && isMember) {
          isInMemberArray = true
          depth++
          continue
        }
        if (code === 123 && isMember && level < maxLevels) {
          level++
          depth++
          expectsKey = true
          continue
        }
        start = at
        startLine = line
      }
      if (code === QUOTE) isInText = true
      else if ((code === 91 || code === 123) && ++depth > MAX_NESTING)
        throw tooDeepError(name, ` near line ${startLine}`)
    }
    if (start >= 0 && buffer.length - start > MAX_LINE_CHARS) {
      throw unreadableFile(
        `${name}: the item that begins on line ${startLine} is longer than 1 MiB.`,
        reason('file_line_too_long', { name, line: startLine }),
      )
    }
  }

  return {
    take,
    end() {
      if (root === null) throw unreadableFile(`${name} is empty.`, reason('file_empty', { name }))
      if (!isFinished)
        throw unreadableFile(`${name} is cut short: it ends inside its JSON.`, reason('file_cut_short', { name }))
    },
  }
}
