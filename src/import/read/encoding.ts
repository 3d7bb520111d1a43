/** Bytes to text: detects the encoding and rejects files that are not text. */

import { isAscii } from '../../lib/fold-text.ts'
import { type Reason, reason } from '../../lib/reasons.ts'
import type { ByteSource } from './byte-source-service.ts'
import { detectEncoding } from './detect-encoding.ts'
import { unreadableFile } from './unreadable-file.ts'

/** Enough to recognise a signature, a byte order mark and the encoding. */
const HEAD_BYTES = 64 * 1024

/** Signatures of compressed and binary formats, which are rejected. */
const SIGNATURES: readonly { readonly what: string; readonly bytes: readonly number[] }[] = [
  { what: 'a zip archive', bytes: [0x50, 0x4b, 0x03, 0x04] },
  { what: 'an empty zip archive', bytes: [0x50, 0x4b, 0x05, 0x06] },
  { what: 'a gzip file', bytes: [0x1f, 0x8b] },
  { what: 'a bzip2 file', bytes: [0x42, 0x5a, 0x68] },
  { what: 'an xz file', bytes: [0xfd, 0x37, 0x7a, 0x58, 0x5a] },
  { what: 'a Zstandard file', bytes: [0x28, 0xb5, 0x2f, 0xfd] },
  { what: 'a 7z archive', bytes: [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c] },
  { what: 'a rar archive', bytes: [0x52, 0x61, 0x72, 0x21, 0x1a, 0x07] },
  { what: 'an old spreadsheet (.xls)', bytes: [0xd0, 0xcf, 0x11, 0xe0] },
  { what: 'a PNG picture', bytes: [0x89, 0x50, 0x4e, 0x47] },
  { what: 'a JPEG picture', bytes: [0xff, 0xd8, 0xff] },
  { what: 'a PDF', bytes: [0x25, 0x50, 0x44, 0x46, 0x2d] },
  { what: 'a SQLite database', bytes: [...new TextEncoder().encode('SQLite format 3\0')] },
]

/** The compressed or binary format with this signature; undefined if the file may be text. */
const detectBinaryFormat = (head: Uint8Array) =>
  SIGNATURES.find(({ bytes }) => bytes.every((byte, at) => head[at] === byte))?.what

/** Undefined without a byte order mark: the file is then read as UTF-8 until an invalid byte appears. */
function encodingFromByteOrderMark(head: Uint8Array): { encoding: string; markBytes: number } | undefined {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return { encoding: 'utf-8', markBytes: 3 }
  if (head[0] === 0xff && head[1] === 0xfe) return { encoding: 'utf-16le', markBytes: 2 }
  if (head[0] === 0xfe && head[1] === 0xff) return { encoding: 'utf-16be', markBytes: 2 }
  return undefined
}

const UTF16_SAMPLE_BYTES = 64
const MIN_UTF16_BYTES = 8

/** UTF-16 without a mark: in a header with Latin letters most bytes of one parity are NUL, and none of the other. */
function detectUtf16(head: Uint8Array): { encoding: string; markBytes: number } | undefined {
  const sample = head.subarray(0, UTF16_SAMPLE_BYTES)
  const nulCount = [0, 0]
  for (const [at, byte] of sample.entries()) if (byte === 0) nulCount[at % 2] = (nulCount[at % 2] ?? 0) + 1
  const [even = 0, odd = 0] = nulCount
  if (sample.byteLength < MIN_UTF16_BYTES || Math.max(even, odd) < sample.byteLength / 4 || Math.min(even, odd) > 0)
    return undefined
  return { encoding: odd > 0 ? 'utf-16le' : 'utf-16be', markBytes: 0 }
}

/** Text has no NUL and hardly any control characters except tab, line feed, form feed and carriage return. */
function looksBinary(text: string): boolean {
  let controlCount = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0) return true
    if (code < 32 && code !== 9 && code !== 10 && code !== 12 && code !== 13) controlCount++
  }
  return controlCount > text.length / 100
}

/**
 * The text of a source, chunk by chunk, without its byte order mark.
 *
 * A file without a mark is UTF-8 until an invalid byte shows up. If everything before that byte was plain ASCII, the encoding
 * is detected from the following bytes; otherwise the file is damaged UTF-8 and invalid bytes become U+FFFD. Both are reported
 * through `notify`.
 */
export async function* decodeText(
  source: Pick<ByteSource, 'name' | 'bytes'>,
  notify: (sentence: string, why: Reason) => void = () => {},
): AsyncGenerator<string> {
  const chunks = source.bytes()
  try {
    let head: Uint8Array = new Uint8Array(0)
    let hasEnded = false
    while (head.byteLength < HEAD_BYTES) {
      const next = await chunks.next()
      if (next.done) {
        hasEnded = true
        break
      }
      head = head.byteLength === 0 ? next.value : concat(head, next.value)
    }
    const signature = detectBinaryFormat(head)
    if (signature) {
      throw unreadableFile(
        `${source.name} is ${signature}. Import the list inside it: CSV, JSON, XLSX, gzip or zip.`,
        reason('file_not_a_list', { name: source.name }),
      )
    }
    const byteOrderMark = encodingFromByteOrderMark(head) ?? detectUtf16(head)
    const decode = createDecoder(byteOrderMark?.encoding, source.name, notify)
    const first = decode(byteOrderMark ? head.subarray(byteOrderMark.markBytes) : head, hasEnded)
    if (looksBinary(first.slice(0, 4096))) {
      throw unreadableFile(
        `${source.name} is not a text file: it begins with binary data.`,
        reason('file_not_a_list', { name: source.name }),
      )
    }
    yield rejectNul(first, source.name)
    if (hasEnded) return
    for await (const chunk of chunks) yield rejectNul(decode(chunk, false), source.name)
    yield rejectNul(decode(new Uint8Array(0), true), source.name)
  } finally {
    await chunks.return(undefined)
  }
}

function rejectNul(text: string, name: string): string {
  if (text.includes('\0'))
    throw unreadableFile(`${name} is not a text file: it holds a NUL character.`, reason('file_not_a_list', { name }))
  return text
}

function createDecoder(
  markedEncoding: string | undefined,
  name: string,
  notify: (sentence: string, why: Reason) => void,
) {
  if (markedEncoding && markedEncoding !== 'utf-8') return createLenientDecoder(markedEncoding)
  const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let fallback: ((bytes: Uint8Array, last: boolean) => string) | undefined
  let isAsciiSoFar = markedEncoding === undefined
  // Bytes of a character cut by the end of a chunk; the strict decoder drops them when it throws.
  let pending: Uint8Array = new Uint8Array(0)
  return (bytes: Uint8Array, last: boolean): string => {
    if (fallback) return fallback(bytes, last)
    try {
      const text = strict.decode(bytes, { stream: !last })
      pending = incompleteCharacter(bytes, pending)
      if (isAsciiSoFar && !isAscii(text)) isAsciiSoFar = false
      return text
    } catch {
      const rest = pending.byteLength ? concat(pending, bytes) : bytes
      const encoding = isAsciiSoFar ? detectEncoding(rest) : 'utf-8'
      if (encoding === 'utf-8') {
        const message = `${name} holds bytes that are not UTF-8: they were replaced by U+FFFD.`
        notify(message, reason('note_damaged_text', { name }))
      } else {
        const message = `${name} is not UTF-8: read as ${encoding}. Set the encoding if letters look wrong.`
        notify(message, reason('note_encoding', { name, encoding }))
      }
      fallback = createLenientDecoder(encoding)
      return fallback(rest, last)
    }
  }
}

function concat(left: Uint8Array, right: Uint8Array): Uint8Array {
  const whole = new Uint8Array(left.byteLength + right.byteLength)
  whole.set(left)
  whole.set(right, left.byteLength)
  return whole
}

function createLenientDecoder(encoding: string) {
  const decode = new TextDecoder(encoding, { ignoreBOM: true })
  return (bytes: Uint8Array, last: boolean): string => decode.decode(bytes, { stream: !last })
}

/** The 0–3 bytes at the end that begin a UTF-8 character whose rest is in the next chunk. */
function incompleteCharacter(bytes: Uint8Array, pending: Uint8Array): Uint8Array {
  const tail = bytes.byteLength < 4 ? concat(pending, bytes) : bytes
  for (let back = 1; back <= Math.min(3, tail.byteLength); back++) {
    const byte = tail[tail.byteLength - back] as number
    if (byte < 0x80) break
    if (byte < 0xc0) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
    return length > back ? tail.slice(tail.byteLength - back) : new Uint8Array(0)
  }
  return new Uint8Array(0)
}
