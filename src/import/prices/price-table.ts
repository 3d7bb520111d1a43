/** The cells of a price list by column, whether it is a table, a JSON document or one JSON object per line. */

import { parseCondition } from '../../catalog/grade-words.ts'
import { DomainError } from '../../lib/errors.ts'
import { reason } from '../../lib/reasons.ts'
import type { RejectionCode } from '../../lib/rejections.ts'
import { readListingText } from '../../pricing/observations/listing-text.ts'
import { columnKey } from '../../tables/column-key.ts'
import { isNothing, sampled } from '../../tables/fields.ts'
import { offerLineSplitter } from '../../tables/offer-lines.ts'
import { sideBySideSplitter } from '../../tables/side-by-side.ts'
import { readSizePair, withCommonUnit } from '../../tables/size-cell.ts'
import { createLineClassifier } from '../../tables/table-lines.ts'
import type { TableRow } from '../../tables/table-row.ts'
import { splitTitleGrade } from '../../tables/title-grade.ts'
import { widePriceSplitter } from '../../tables/wide-columns.ts'
import type { ImportContext } from '../importer.ts'
import type { ByteSource } from '../read/byte-source-service.ts'
import { readCsvBlocks } from '../read/csv-reader.ts'
import { decodeText } from '../read/encoding.ts'
import { cellText } from '../read/header.ts'
import { isHtmlTable, readHtmlBlocks } from '../read/html-table.ts'
import { readJsonItems, readNdjson } from '../read/json.ts'
import { peekStream } from '../read/peek.ts'
import { unreadableFile } from '../read/unreadable-file.ts'
import { createJsonExpander, createJsonReader, isPathPresent, type JsonRow, listJsonPaths } from './json-path.ts'
import {
  type ColumnLayout,
  type ColumnMap,
  type ColumnRules,
  detectColumns,
  EMPTY_CELLS,
  type FileColumn,
  KEYS_BY_COLUMN,
  PRICE_COLUMN_NAMES,
  type PriceCells,
  type PriceColumn,
  withTerms,
} from './price-columns.ts'
import { withGradeObjects } from './price-guesses.ts'
import { findPriceHeader, isPriceList, NO_DEVICE_COLUMN } from './price-header.ts'
import { optionColumns, productFiller, usualPriceColumn } from './shop-exports.ts'

/** The original row: the fields of a table, or a row of a JSON list. */
export type RawRow = readonly string[] | JsonRow

export type CellRow = {
  readonly line: number
  readonly cells?: PriceCells
  readonly raw?: RawRow
  readonly problem?: RejectionCode
}

export type PriceTable = {
  readonly layout: ColumnLayout
  /** The lines above the header. */
  readonly titles: readonly string[]
  readonly blocks: AsyncGenerator<readonly CellRow[]>
  /** The original cells of a row, in column order. */
  readonly rawFields: (row: RawRow) => readonly string[]
}

/** Receives the columns of a file before they are recognised. */
export type OnColumns = (columns: readonly FileColumn[]) => void

type ColumnOptions = { readonly map: ColumnMap; readonly onColumns: OnColumns; readonly columnRules: ColumnRules }

const MAX_EXAMPLES = 3
/** Rows whose cells are shown as examples. */
const EXAMPLE_ROWS = 50
const MAX_EXAMPLE_CHARS = 60
/** Enough to distinguish a JSON document from one object per line. */
const PEEK_CHARS = 64 * 1024

/** Opens a list and recognises its columns before the first row is read. */
export async function openPriceTable(
  source: ByteSource,
  { notify }: Pick<ImportContext, 'notify'>,
  map: ColumnMap,
  onColumns: OnColumns = () => {},
  columnRules: ColumnRules = {},
): Promise<PriceTable> {
  const columns: ColumnOptions = { map, onColumns, columnRules }
  const { head, text } = await peekStream(decodeText(source, notify), PEEK_CHARS)
  const start = head.trimStart()
  const { name } = source
  if (isHtmlTable(head)) return openCsvTable(readHtmlBlocks(text, name), name, columns, notify)
  if (start[0] === '<') {
    throw unreadableFile(
      `${name} is a web page or XML, not a list. Open it in a spreadsheet and save it as XLSX or CSV.`,
      reason('file_is_web_page', { name }),
    )
  }
  if (start[0] === '[' || (start[0] === '{' && !isObjectPerLine(start))) {
    return openJsonTable(readJsonObjects(text, name), name, columns)
  }
  if (start[0] === '{') return openJsonTable(readNdjsonObjects(text, name), name, columns)
  return openCsvTable(readCsvBlocks(text, name), name, columns, notify)
}

/** True for one object per line; false for a document, on several lines or on one line that wraps a list. */
function isObjectPerLine(head: string): boolean {
  const [line = ''] = head.split(/\r?\n|\r/, 1)
  try {
    const object = JSON.parse(line)
    return head.slice(line.length).trim() !== '' || !isWrapper(object)
  } catch {
    return false
  }
}

/** Whether an object only wraps a list: it names no device itself, and it or an object in it has a list of objects. */
function isWrapper(object: Readonly<Record<string, unknown>>, level = 1): boolean {
  if (Object.keys(object).some((key) => KEYS_BY_COLUMN.model.includes(columnKey(key)))) return false
  return Object.values(object).some((member) =>
    Array.isArray(member)
      ? isPlainObject(member[0])
      : isPlainObject(member) && level < MAX_JSON_LEVELS && isWrapper(member, level + 1),
  )
}

const isPlainObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

async function openCsvTable(
  blocks: AsyncGenerator<readonly TableRow[]>,
  name: string,
  { map, onColumns, columnRules }: ColumnOptions,
  notify: ImportContext['notify'],
): Promise<PriceTable> {
  const ahead = await readAhead(blocks)
  if (ahead.lines.length === 0) throw new DomainError('invalid', `${name} is empty.`, reason('file_empty', { name }))
  const unstack = sideBySideSplitter(ahead.lines) ?? unchanged
  const lines = unstack(ahead.lines)
  const splitLines = optionColumns(lines) ?? widePriceSplitter(lines) ?? offerLineSplitter(lines) ?? unchanged
  const split = (block: readonly TableRow[]) => splitLines(unstack(block))
  const { table: firstBlock, footer } = ahead.isWhole
    ? withoutFooter(splitLines(lines))
    : { table: splitLines(lines), footer: [] }
  const { index, firstRow, titles: header, ...found } = findPriceHeader(firstBlock, map, columnRules)
  const rows = firstBlock.slice(firstRow)
  if (index > 0) {
    const { line } = firstBlock[index] as TableRow
    notify(
      `${name}: the header is on line ${line}; the lines above it are skipped.`,
      reason('note_header_line', { name, line }),
    )
  }
  if (index < 0) {
    notify(`${name} has no header: columns are recognised by their cells.`, reason('note_no_header', { name }))
  }
  const samples = rows.slice(0, EXAMPLE_ROWS)
  onColumns(
    header.map((column, at) => ({ name: column.trim(), examples: examplesOf(samples.map((row) => row.fields[at])) })),
  )
  const titles = [...firstBlock.slice(0, Math.max(0, index)), ...footer].map(({ fields }) => fields.join(' ').trim())
  const layout = withTerms(detectColumns(header, map, name, found.rules, found.cellsOf), titles)
  const keys = header.map(columnKey)
  const positions = usedColumns(layout).map(
    ([column, columnName]) => [column, keys.indexOf(columnKey(columnName))] as const,
  )
  const identifying = positions.flatMap(([column, at]) => (IDENTIFYING_COLUMNS.includes(column) ? [at] : []))
  const kindOf = createLineClassifier(header, { identifying })
  // Without a column that names the device every line counts: the operator names the device.
  const isRow = ({ fields }: TableRow) => identifying.length === 0 || kindOf(fields) === 'row'
  const usualPriceAt = map.amount === undefined ? usualPriceColumn(header, layout.names.amount) : -1
  const fillProduct = productFiller(
    keys,
    positions.flatMap(([column, at]) => (PRODUCT_COLUMNS.includes(column) ? [at] : [])),
  )
  const notesAt = noteColumns(
    header,
    found.cellsOf,
    positions.map(([, at]) => at),
  )
  const toCells = ({ line, fields }: TableRow): CellRow => {
    const cells = { ...EMPTY_CELLS }
    for (const [column, at] of positions) cells[column] = cellText(fields, at)
    if (cells.amount === '') cells.amount = cellText(fields, usualPriceAt)
    for (const at of notesAt)
      if (fields[at]?.trim()) cells.notes = [cells.notes, fields[at].trim()].filter(Boolean).join('. ')
    return { line, cells: withTitleGrade(withSizes(cells)), raw: fields }
  }
  async function* allBlocks() {
    yield withOwnListings(rows.map(fillProduct).filter(isRow).map(toCells))
    for await (const block of blocks) yield withOwnListings(split(block).map(fillProduct).filter(isRow).map(toCells))
  }
  return { layout, titles, blocks: allBlocks(), rawFields: (row) => row as readonly string[] }
}

const unchanged = (lines: readonly TableRow[]) => lines

/** Lists that people write end before this; a line below them may say what holds for all prices. */
const MAX_LINES_AHEAD = 20_000

async function readAhead(
  blocks: AsyncGenerator<readonly TableRow[]>,
): Promise<{ readonly lines: readonly TableRow[]; readonly isWhole: boolean }> {
  const lines: TableRow[] = []
  while (lines.length < MAX_LINES_AHEAD) {
    const { value, done } = await blocks.next()
    if (done) return { lines, isWhole: true }
    for (const line of value) lines.push(line)
  }
  return { lines, isWhole: false }
}

/** The lines below the last one with an amount that have a single cell are about the list. */
function withoutFooter(lines: readonly TableRow[]): { table: readonly TableRow[]; footer: readonly TableRow[] } {
  const isText = ({ fields }: TableRow) => {
    const cells = fields.filter((cell) => cell.trim() !== '')
    return cells.length <= 1 && !/^[^\p{L}]*$/u.test(cells[0] ?? '-')
  }
  const isNothing = ({ fields }: TableRow) => fields.every((cell) => cell.trim() === '')
  const end = lines.findLastIndex((line) => !isText(line) && !isNothing(line)) + 1
  // A table of one column has such lines only.
  return end < MIN_ROWS_ABOVE_FOOTER
    ? { table: lines, footer: [] }
    : { table: lines.slice(0, end), footer: lines.slice(end).filter(isText) }
}
const MIN_ROWS_ABOVE_FOOTER = 2

/** Cells that are read to find out whether a column states faults or locks. */
const READ_CELLS = 40
const MIN_STATING_CELLS = 2

/** Columns that no field takes and whose words state faults or locks: `Remarks 2`, `Info`. */
function noteColumns(
  header: readonly string[],
  cellsOf: (at: number) => readonly string[],
  used: readonly number[],
): readonly number[] {
  return header.flatMap((_, at) => {
    if (used.includes(at)) return []
    const cells = [...new Set(cellsOf(at))].filter((cell) => /\p{L}{2}/u.test(cell))
    const stating = sampled(cells, READ_CELLS).filter((cell) => statesSomething(cell))
    return stating.length >= MIN_STATING_CELLS && stating.length * 10 >= Math.min(cells.length, READ_CELLS) ? [at] : []
  })
}

const statesSomething = (cell: string) => {
  const { withoutFaults, isAccountLocked } = readListingText(cell)
  return withoutFaults !== null || isAccountLocked
}

function withTitleGrade(cells: PriceCells): PriceCells {
  const found = cells.condition === '' || isNothing(cells.condition) ? splitTitleGrade(cells.model) : null
  return found ? { ...cells, model: found.title, condition: found.grade } : cells
}

/** `8GB/256GB` in the column of sizes is memory and storage. */
function withSizes(cells: Record<PriceColumn, string>): Record<PriceColumn, string> {
  const pair = readSizePair(cells.storage)
  return pair
    ? { ...cells, storage: pair.storage, ram: cells.ram || pair.ram }
    : { ...cells, storage: withCommonUnit(cells.storage), ram: withCommonUnit(cells.ram) }
}

/** Columns that web shops fill on the first line of a product only. */
const PRODUCT_COLUMNS: readonly PriceColumn[] = ['source', 'make', 'model', 'description', 'state']

/** Columns that name the device of a row. */
const IDENTIFYING_COLUMNS: readonly PriceColumn[] = ['variant', 'sku', 'partNumber', 'model', 'imei']

const usedColumns = ({ names }: ColumnLayout) =>
  PRICE_COLUMN_NAMES.flatMap((column): [PriceColumn, string][] => {
    const name = names[column]
    return name === undefined ? [] : [[column, name]]
  })

function examplesOf(cells: readonly (string | undefined)[]): string[] {
  const texts = cells.map((text) => text?.trim() ?? '').filter(Boolean)
  return [...new Set(texts)].slice(0, MAX_EXAMPLES).map((text) => text.slice(0, MAX_EXAMPLE_CHARS))
}

/** Rows of the same line or object, one per size or grade, do not share its id. Rows are changed in place. */
function withOwnListings(rows: readonly CellRow[]): readonly CellRow[] {
  for (const [at, { line, cells }] of rows.entries()) {
    if (!cells?.listing || (rows[at - 1]?.line !== line && rows[at + 1]?.line !== line)) continue
    const { storage, ram, color, condition, lock } = cells
    const parts = [cells.listing, storage, ram, color, condition, lock].filter((part) => part !== '')
    ;(cells as Record<PriceColumn, string>).listing = parts.join(' ')
  }
  return rows
}

type ObjectRow = { readonly line: number; readonly object?: object; readonly problem?: RejectionCode }

/** Objects per block. */
const BLOCK_OBJECTS = 500
/** Objects sampled to list the columns, because each may omit some. */
const OBJECTS_SAMPLED = 50

async function openJsonTable(
  objects: AsyncGenerator<ObjectRow>,
  name: string,
  { map, onColumns, columnRules }: ColumnOptions,
): Promise<PriceTable> {
  const sampledRows: ObjectRow[] = []
  while (sampledRows.length < OBJECTS_SAMPLED) {
    const { value, done } = await objects.next()
    if (done) break
    sampledRows.push(value)
  }
  const samples = sampledRows.flatMap(({ object }) => (object ? [object] : []))
  const paths = listJsonPaths(samples)
  const wholeMap = withGradeObjects(paths, map)
  const mappedPaths = Object.values(wholeMap).filter((path) => /[.*[]/.test(path) && isPathPresent(path, paths))
  const columns = [...new Set([...paths, ...mappedPaths])]
  const readers = columns.map((path) => ({ path, read: createJsonReader(path) }))
  onColumns(
    readers.map(({ path, read }) => {
      const rows = samples.slice(0, 5).flatMap((object) => [...createJsonExpander([path], name)(object)].slice(0, 5))
      return { name: path, examples: examplesOf(rows.map(read)) }
    }),
  )
  const cellsOf = (path: string) =>
    samples.map(
      (object) => [...createJsonExpander([path], name)(object)].slice(0, 1).map(createJsonReader(path, true))[0] ?? '',
    )
  const cellsAt = (at: number) => cellsOf(columns[at] ?? '')
  const isWithoutDevice = !isPriceList(columns, wholeMap, columnRules, cellsAt) && columnRules.isDeviceInName?.()
  const layout = detectColumns(columns, wholeMap, name, isWithoutDevice ? NO_DEVICE_COLUMN : columnRules, cellsAt)
  const usedReaders = usedColumns(layout).map(
    ([column, path]) => [column, createJsonReader(path, column === 'state')] as const,
  )
  const expand = createJsonExpander(Object.values(layout.names), name)
  const readVariant = variantReader(layout.names, columns)
  function* toRows({ line, object, problem }: ObjectRow): Generator<CellRow> {
    if (!object) {
      yield { line, problem: problem ?? 'not_an_object' }
      return
    }
    const rows = [...expand(object)].map((row) => {
      const cells = { ...EMPTY_CELLS }
      for (const [column, read] of usedReaders) cells[column] = read(row)
      return { line, cells: withTitleGrade(withVariant(withSizes(cells), readVariant?.(row) ?? '')), raw: row }
    })
    yield* withOwnListings(rows)
  }
  async function* allBlocks() {
    let block = sampledRows.flatMap((row) => [...toRows(row)])
    for await (const object of objects) {
      for (const row of toRows(object)) {
        block.push(row)
        if (block.length < BLOCK_OBJECTS) continue
        yield block
        block = []
      }
    }
    yield block
  }
  return {
    layout,
    titles: [],
    blocks: allBlocks(),
    rawFields: (row) => readers.map(({ read }) => read(row as JsonRow)),
  }
}

const VARIANT_NAMES = ['title', 'name']

/** Shops name the product outside and its size and grade beside the price: `variants[].title` is "128GB / Good". */
function variantReader({ model, amount, cents }: ColumnMap, columns: readonly string[]) {
  const price = amount ?? cents ?? ''
  const list = price.slice(0, price.lastIndexOf('[].') + 3)
  if (model === undefined || list === '' || model.startsWith(list)) return undefined
  const path = VARIANT_NAMES.map((variant) => `${list}${variant}`).find((candidate) => columns.includes(candidate))
  return path === undefined ? undefined : createJsonReader(path)
}

/** The variants of a product do not share its id. */
function withVariant(cells: PriceCells, variant: string): PriceCells {
  if (variant === '' || cells.model.includes(variant)) return cells
  return {
    ...cells,
    model: `${cells.model} ${variant}`,
    condition: cells.condition || (variant.split(/\s*[/|,]\s*/).find((part) => parseCondition(part)) ?? ''),
    listing: cells.listing && `${cells.listing} ${variant}`,
  }
}

async function* readNdjsonObjects(text: AsyncIterable<string>, name: string): AsyncGenerator<ObjectRow> {
  for await (const item of readNdjson(text, name)) {
    if ('problem' in item) yield { line: item.line, problem: item.problem }
    else yield toObjectRow(item.line, item.value)
  }
}

/** Responses of services wrap their list: `{"data":{"products":[…]}}`. */
const MAX_JSON_LEVELS = 3

/** The objects of a top-level array, or of every array inside the top-level object. */
async function* readJsonObjects(text: AsyncIterable<string>, name: string): AsyncGenerator<ObjectRow> {
  for await (const { line, key, isElement, value } of readJsonItems(text, name, { maxLevels: MAX_JSON_LEVELS })) {
    if (key === null || isElement) yield toObjectRow(line, value)
  }
}

function toObjectRow(line: number, value: unknown): ObjectRow {
  return isPlainObject(value) ? { line, object: value } : { line, problem: 'not_an_object' }
}
