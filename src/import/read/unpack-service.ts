/** Unpacks gzip and zip files and converts spreadsheets to CSV, before an importer reads them. */
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32, createGunzip } from 'node:zlib'
import type { Entry, ZipFile } from 'yauzl'
import { DomainError, invalid } from '../../lib/errors.ts'
import { reason } from '../../lib/reasons.ts'
import { MAX_HEADER_LINES } from '../../tables/table-lines.ts'
import { type ByteSource, createByteSource, openByteSource } from './byte-source-service.ts'
import { hasTable, MAX_MERGES, type MergedCells, sheetCellText, withMergedCells } from './sheet-cells.ts'
import { partScanner } from './sheet-limits.ts'
import { unreadableFile } from './unreadable-file.ts'

export type FileOptions = {
  readonly encoding?: string | undefined
  readonly sheet?: string | undefined
  /** Without `sheet`, every visible sheet with a table is a member of its own. */
  readonly allSheets?: boolean
}

/** Limits against decompression bombs. Real lists compress to a tenth or twentieth of their size. */
const MAX_UNPACKED_BYTES = 2 * 1024 ** 3
const MAX_RATIO = 200
const RATIO_COUNTS_FROM_BYTES = 50 * 1024 ** 2
const MAX_MEMBERS = 200
/** Nested archives are unpacked one level deep. */
const MAX_DEPTH = 2

const LIST_FILE = /\.(csv|tsv|txt|json|ndjson|jsonl|xlsx|gz)$/i

const isGzip = (head: Uint8Array) => head[0] === 0x1f && head[1] === 0x8b
const isZip = (head: Uint8Array) => head[0] === 0x50 && head[1] === 0x4b && (head[2] === 3 || head[2] === 5)

/** Runs `use` with the unpacked list; temporary files are deleted afterwards. Nothing is read from a damaged archive. */
export async function withUnpackedSource<T>(
  source: ByteSource,
  options: FileOptions,
  use: (source: ByteSource) => Promise<T>,
): Promise<T> {
  const peeked = await peekBytes(source)
  let folder: string | undefined
  const unpacker = {
    options,
    newFile: async () => {
      folder ??= await mkdtemp(join(tmpdir(), 'device-intelligence-'))
      return join(folder, `file-${fileCount++}`)
    },
    budget: { unpacked: 0, packed: 0 },
  }
  let fileCount = 0
  try {
    const members = await unpack(peeked.source, peeked.head, unpacker, 0)
    const [first, ...more] = members as [ByteSource, ...ByteSource[]]
    return await use(more.length === 0 ? first : { ...first, name: source.name, members })
  } finally {
    if (folder) await rm(folder, { recursive: true, force: true })
  }
}

type Unpacker = {
  readonly options: FileOptions
  readonly newFile: () => Promise<string>
  readonly budget: { unpacked: number; packed: number }
}

async function unpack(source: ByteSource, head: Uint8Array, unpacker: Unpacker, depth: number): Promise<ByteSource[]> {
  const { name } = source
  if (!isGzip(head) && !isZip(head)) return [withEncoding(source, unpacker.options.encoding)]
  if (depth >= MAX_DEPTH)
    throw unreadableFile(`${name} is an archive within an archive within an archive.`, reason('file_nested', { name }))
  const path = await spool(source, unpacker)
  unpacker.budget.packed += (await stat(path)).size
  if (isGzip(head)) {
    const unpacked = await unpacker.newFile()
    await writeUnpacked(createGunzipStream(path), unpacked, name, unpacker).catch((error) => {
      throw damaged(name, 'gzip file', error)
    })
    return unpackFile(unpacked, name.replace(/\.gz$/i, ''), unpacker, depth + 1)
  }
  const { openPromise } = await import('yauzl')
  const zip = await openPromise(path, { autoClose: false }).catch((error) => {
    throw damaged(name, 'zip archive', error)
  })
  try {
    const entries = await listEntries(zip, name)
    if (entries.some(({ fileName }) => fileName === WORKBOOK)) {
      return await openSpreadsheet(zip, entries, path, name, unpacker)
    }
    const lists = entries.filter(({ fileName }) => isListFile(fileName))
    if (lists.length === 0) {
      throw unreadableFile(
        `${name} holds no list: no file in it ends with csv, tsv, txt, json, ndjson, xlsx or gz.`,
        reason('file_holds_no_list', { name }),
      )
    }
    const members: ByteSource[] = []
    for (const entry of lists) {
      const unpacked = await unpacker.newFile()
      await extract(zip, entry, unpacked, name, unpacker)
      members.push(...(await unpackFile(unpacked, entry.fileName, unpacker, depth + 1)))
    }
    return members
  } finally {
    zip.close()
  }
}

async function unpackFile(path: string, name: string, unpacker: Unpacker, depth: number): Promise<ByteSource[]> {
  const { source, head } = await peekBytes({ ...(await openByteSource(path)), name })
  return unpack(source, head, unpacker, depth)
}

/** Skips hidden files, folders, the metadata files that macOS adds, and notes that come with a list. */
const isListFile = (name: string) =>
  LIST_FILE.test(name) &&
  !/(^|\/)(__MACOSX\/|\.|(?:readme|read me|licen[cs]e|liesmich|lisezmoi|leeme)[^/]*\.txt$)/i.test(name)

async function listEntries(zip: ZipFile, name: string): Promise<Entry[]> {
  if (zip.entryCount > MAX_MEMBERS * 50)
    throw unreadableFile(
      `${name} holds more than ${MAX_MEMBERS} files.`,
      reason('file_too_many_members', { name, maximum: MAX_MEMBERS }),
    )
  const entries: Entry[] = []
  try {
    for await (const entry of zip.eachEntry()) entries.push(entry)
  } catch (error) {
    throw damaged(name, 'zip archive', error)
  }
  if (entries.filter(({ fileName }) => isListFile(fileName)).length > MAX_MEMBERS) {
    throw unreadableFile(
      `${name} holds more than ${MAX_MEMBERS} files.`,
      reason('file_too_many_members', { name, maximum: MAX_MEMBERS }),
    )
  }
  return entries
}

/** Unpacks one file of an archive and checks its checksum; without `to` it is only checked. */
async function extract(zip: ZipFile, entry: Entry, to: string | null, name: string, unpacker: Unpacker): Promise<void> {
  if (entry.isEncrypted())
    throw unreadableFile(
      `${name} is protected by a password; save it without one.`,
      reason('file_has_password', { name }),
    )
  let checksum = 0
  // Parts of a spreadsheet are only checked.
  const scan = to === null ? partScanner() : undefined
  const check = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      checksum = crc32(chunk, checksum)
      const problem = scan?.(chunk.toString('latin1'))
      if (problem === undefined) done(null, chunk)
      else
        done(unreadableFile(`${name} is not a list: ${problem}; nothing was read.`, reason('file_too_large', { name })))
    },
  })
  try {
    await writeUnpacked([await zip.openReadStreamPromise(entry), check], to, name, unpacker)
  } catch (error) {
    throw damaged(name, 'zip archive', error)
  }
  if (checksum !== entry.crc32) throw damaged(name, 'zip archive', new Error(`checksum of ${entry.fileName}`))
}

const createGunzipStream = (path: string) => [Readable.from(Bun.file(path).stream()), createGunzip()] as const

/** Writes unpacked bytes to a file (null: discards them) and enforces the size limits of the whole archive. */
async function writeUnpacked(
  streams: readonly [NodeJS.ReadableStream, NodeJS.ReadWriteStream],
  to: string | null,
  name: string,
  { budget }: Unpacker,
): Promise<void> {
  const sizeLimit = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      budget.unpacked += chunk.byteLength
      const isTooMuch =
        budget.unpacked > MAX_UNPACKED_BYTES ||
        (budget.unpacked > RATIO_COUNTS_FROM_BYTES && budget.unpacked > budget.packed * MAX_RATIO)
      done(
        isTooMuch
          ? unreadableFile(
              `${name} unpacks to far more than a list would; nothing was read.`,
              reason('file_too_large', { name }),
            )
          : null,
        chunk,
      )
    },
  })
  const sink =
    to === null
      ? new Transform({ transform: (_chunk, _encoding, done) => done() }).resume()
      : createWriteStream(to, { mode: 0o600 })
  await pipeline([...streams, sizeLimit, sink])
}

const damaged = (name: string, kind: string, error: unknown) =>
  error instanceof DomainError
    ? error
    : unreadableFile(
        `${name} is a damaged ${kind} (${(error as Error).message}); nothing was read.`,
        reason('file_damaged', { name }),
        error,
      )

/** The path of a source on disk; a source without one is written to a temporary file. */
async function spool(source: ByteSource, { newFile }: Unpacker): Promise<string> {
  if (source.path !== undefined) return source.path
  const path = await newFile()
  await pipeline(Readable.from(source.bytes()), createWriteStream(path, { mode: 0o600 }))
  return path
}

/** Sheets as CSV, one line per row. All parts are unpacked once first, so that a damaged or huge file is rejected early. */
async function openSpreadsheet(
  zip: ZipFile,
  entries: readonly Entry[],
  path: string,
  name: string,
  unpacker: Unpacker,
): Promise<ByteSource[]> {
  for (const entry of entries) await extract(zip, entry, null, name, unpacker)
  const { sheets, remarks } = await findSheets(zip, entries, path, name, unpacker.options)
  const sources: ByteSource[] = []
  for (const sheet of sheets) {
    const merges = await readVerticalMerges(zip, entries, sheet.index)
    const source = { ...createByteSource(name, () => readSheet(path, name, sheet.index, merges)), remarks }
    sources.push(sheets.length === 1 ? source : { ...source, name: `${name} (${sheet.name})`, sheet: sheet.name })
  }
  return sources
}

async function* readSheet(
  path: string,
  name: string,
  sheet: number,
  merges: readonly MergedCells[],
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  const fillMerged = withMergedCells(merges)
  let line = 0
  const { streamXlsxRows } = await import('hucre/xlsx')
  const rows = streamXlsxRows(Bun.file(path).stream(), { sheet })[Symbol.asyncIterator]()
  for (;;) {
    const next = await rows.next().catch((error) => {
      throw damaged(name, 'spreadsheet', error)
    })
    if (next.done) return
    const { index, values } = next.value
    const fields = fillMerged(index, values.map(sheetCellText)).map((text) => `"${text.replaceAll('"', '""')}"`)
    // Blank rows are left out by the reader; line numbers stay those of the sheet.
    yield encoder.encode(`${'\n'.repeat(Math.max(0, index - line))}${fields.join(',')}\n`)
    line = index + 1
  }
}

const MAX_PART_CHARS = 1024 * 1024
const WORKBOOK = 'xl/workbook.xml'
const SHEET_END = '</sheetData>'
const MERGE = /<mergeCell ref="([A-Z]{1,3})(\d+):[A-Z]{1,3}(\d+)"/g

/** A model that is merged over the rows of its storage sizes counts for all of them. */
async function readVerticalMerges(zip: ZipFile, entries: readonly Entry[], sheet: number): Promise<MergedCells[]> {
  const workbook = await readPart(zip, entries, WORKBOOK)
  const ids = [...workbook.matchAll(/<(?:\w+:)?sheet [^>]*?r:id="([^"]*)"/g)]
  const relations = await readPart(zip, entries, 'xl/_rels/workbook.xml.rels')
  const relation = [...relations.matchAll(/<Relationship [^>]*>/g)].find(([text]) =>
    text.includes(`Id="${ids[sheet]?.[1]}"`),
  )
  const target = /Target="\/?(?:xl\/)?([^"]*)"/.exec(relation?.[0] ?? '')?.[1]
  if (target === undefined) return []
  // Merged cells are listed after the rows.
  const tail = await readPart(zip, entries, `xl/${target}`, (text) => {
    const at = text.indexOf(SHEET_END)
    return at < 0 ? text.slice(-SHEET_END.length) : text.slice(at, at + MAX_PART_CHARS)
  })
  return [...tail.matchAll(MERGE)].slice(0, MAX_MERGES).flatMap(([, letters = '', from, to]) => {
    const column = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
    const [fromRow, toRow] = [Number(from) - 1, Number(to) - 1]
    return toRow > fromRow ? [{ column, fromRow, toRow }] : []
  })
}

/** The text of a part of a spreadsheet; empty if there is none. `keep` bounds what is held in memory. */
async function readPart(
  zip: ZipFile,
  entries: readonly Entry[],
  path: string,
  keep = (text: string) => text.slice(0, MAX_PART_CHARS),
): Promise<string> {
  const entry = entries.find(({ fileName }) => fileName === path)
  let text = ''
  if (entry) for await (const chunk of await zip.openReadStreamPromise(entry)) text = keep(text + String(chunk))
  return text
}

type Sheet = { readonly index: number; readonly name: string }

type Sheets = { readonly sheets: readonly Sheet[]; readonly remarks: readonly string[] }

/** The requested sheet, else the first with a table, else all visible ones with a table if that is asked for. */
async function findSheets(
  zip: ZipFile,
  entries: readonly Entry[],
  path: string,
  name: string,
  { sheet: requested, allSheets = false }: FileOptions,
): Promise<Sheets> {
  const workbook = await readPart(zip, entries, WORKBOOK)
  const sheets = [...workbook.matchAll(/<(?:\w+:)?sheet [^>]*?name="([^"]*)"[^>]*>/g)].map(
    ([tag, text = ''], index) => ({
      index,
      name: decodeEntities(text),
      isHidden: /state="(?:veryH|h)idden"/.test(tag),
    }),
  )
  if (requested === undefined) {
    const first = sheets[0] ?? { index: 0, name: '' }
    if (sheets.length < 2) return { sheets: [first], remarks: [] }
    const tables: Sheet[] = []
    const remarks: string[] = []
    for (const sheet of sheets.slice(0, MAX_SHEETS)) {
      if (tables.length > 0 && !allSheets) break
      if (sheet.isHidden) continue
      const lines = await readFirstLines(path, sheet.index)
      if (hasTable(lines)) tables.push(sheet)
      else remarks.push(...lines.map((cells) => cells.join(' ').trim()))
    }
    return { sheets: tables.length === 0 ? [first] : tables, remarks }
  }
  const names = sheets.map((sheet) => sheet.name)
  const byName = names.findIndex((sheetName) => sheetName.trim().toLowerCase() === requested.trim().toLowerCase())
  const index = byName >= 0 ? byName : Number(requested) - 1
  if (!Number.isInteger(index) || index < 0 || index >= names.length) {
    throw invalid(
      'sheet',
      requested,
      `a sheet of ${name}: ${names.slice(0, 20).join(', ')}`,
      reason('unknown_sheet', { name, sheets: names.slice(0, 20).join(', ') }),
    )
  }
  return { sheets: [{ index, name: names[index] ?? '' }], remarks: [] }
}

/** More sheets than a list has. */
const MAX_SHEETS = 50

/** Enough lines to tell a sheet from a cover with a few words. */
async function readFirstLines(path: string, sheet: number): Promise<readonly string[][]> {
  const rows: string[][] = []
  const { streamXlsxRows } = await import('hucre/xlsx')
  for await (const { values } of streamXlsxRows(Bun.file(path).stream(), { sheet })) {
    rows.push(values.map(sheetCellText))
    if (hasTable(rows) || rows.length >= MAX_HEADER_LINES) break
  }
  return rows
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const decodeEntities = (text: string) =>
  text.replace(/&(\w+);/g, (reference, entity: string) => ENTITIES[entity] ?? reference)

function withEncoding(source: ByteSource, encoding: string | undefined): ByteSource {
  if (encoding === undefined) return source
  async function* transcode() {
    const decoder = createTextDecoder(encoding as string)
    const encoder = new TextEncoder()
    for await (const chunk of source.bytes()) yield encoder.encode(decoder.decode(chunk, { stream: true }))
    yield encoder.encode(decoder.decode())
  }
  createTextDecoder(encoding)
  return { ...source, bytes: transcode }
}

function createTextDecoder(encoding: string): TextDecoder {
  try {
    return new TextDecoder(encoding as 'utf-8')
  } catch {
    throw invalid(
      'encoding',
      encoding,
      'an encoding such as windows-1250, windows-1251, windows-1257, shift_jis, euc-kr or gbk',
      reason('unknown_encoding'),
    )
  }
}

/** The first bytes of a source, and a source that still holds all of them. */
async function peekBytes(source: ByteSource): Promise<{ head: Uint8Array; source: ByteSource }> {
  const chunks = source.bytes()
  const first = await chunks.next()
  const head = first.done ? new Uint8Array(0) : first.value
  if (source.isRepeatable) {
    await chunks.return(undefined)
    return { head, source }
  }
  async function* replay() {
    if (!first.done) yield first.value
    yield* chunks
  }
  return { head, source: { ...source, bytes: replay } }
}
