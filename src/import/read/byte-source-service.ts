/** The bytes of an import, streamed from a file, or from stdin when the name is `-`. */
import { createReadStream } from 'node:fs'
import { mkdtemp, open, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DomainError } from '../../lib/errors.ts'
import { reason } from '../../lib/reasons.ts'
import { writeAll } from '../../lib/write-all.ts'
import { unreadableFile } from './unreadable-file.ts'

export type ByteSource = {
  /** As the operator wrote it; `-` for stdin. */
  readonly name: string
  /** Null when unknown (stdin, a pipe). */
  readonly totalBytes: number | null
  /** Bytes handed out so far, for the progress bar. */
  readonly readBytes: () => number
  /** Files can be read more than once, stdin only once. */
  readonly isRepeatable: boolean
  readonly bytes: () => AsyncGenerator<Uint8Array>
  /** Path of the file on disk; undefined for stdin and converted sources. */
  readonly path?: string
  /** All lists of an archive with several, including this one. */
  readonly members?: readonly ByteSource[]
  /** Name of the sheet, of a spreadsheet that has several. */
  readonly sheet?: string
  /** First lines of the sheets of a spreadsheet that hold no table, such as terms of delivery. */
  readonly remarks?: readonly string[]
}

const CHUNK_BYTES = 64 * 1024

export async function openByteSource(
  name: string,
  stdin: () => AsyncIterable<Uint8Array> = () => process.stdin,
): Promise<ByteSource> {
  if (name === '-') return createByteSource('-', stdin, { repeatable: false })
  const fileInfo = await stat(name).catch((cause: NodeJS.ErrnoException) => {
    throw unreadableFile(
      cause.code === 'ENOENT' ? `There is no file ${name}.` : `${name} cannot be read (${cause.code}).`,
      reason('file_unreadable', { name }),
      cause,
    )
  })
  if (fileInfo.isDirectory())
    throw unreadableFile(`${name} is a folder, not a file.`, reason('file_unreadable', { name }))
  const read = () => createReadStream(name, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Uint8Array>
  const isFile = fileInfo.isFile()
  const source = createByteSource(name, read, { repeatable: isFile, totalBytes: isFile ? fileInfo.size : null })
  return isFile ? { ...source, path: name } : source
}

export function createByteSource(
  name: string,
  open: () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { repeatable = true, totalBytes = null }: { repeatable?: boolean; totalBytes?: number | null } = {},
): ByteSource {
  let bytesRead = 0
  let isOpened = false
  async function* bytes() {
    if (isOpened && !repeatable) throw new Error(`${name} can be read only once`)
    isOpened = true
    bytesRead = 0
    try {
      for await (const chunk of open()) {
        bytesRead += chunk.byteLength
        yield chunk
      }
    } catch (error) {
      if (error instanceof DomainError) throw error
      const code = (error as NodeJS.ErrnoException).code
      throw code
        ? unreadableFile(`${name} cannot be read (${code}).`, reason('file_unreadable', { name }), error)
        : error
    }
  }
  return { name, totalBytes, isRepeatable: repeatable, readBytes: () => bytesRead, bytes }
}

/** Copies stdin to a temporary file (mode 0600) so that `use` can read it more than once; deletes the file afterwards. */
export async function withRepeatableSource<T>(source: ByteSource, use: (source: ByteSource) => Promise<T>): Promise<T> {
  if (source.isRepeatable) return use(source)
  const folder = await mkdtemp(join(tmpdir(), 'device-intelligence-'))
  try {
    const path = join(folder, 'list')
    const file = await open(path, 'wx', 0o600)
    try {
      for await (const chunk of source.bytes()) await writeAll(file, chunk)
    } finally {
      await file.close()
    }
    const copy = await openByteSource(path)
    return await use({ ...copy, name: source.name })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Text as a source, for tests and bundled data. */
export function createTextSource(text: string, name = 'text'): ByteSource {
  const bytes = new TextEncoder().encode(text)
  return createByteSource(name, () => [bytes], { totalBytes: bytes.byteLength })
}
