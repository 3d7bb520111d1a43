/** The cells of a price list by column, whether it is a table, a JSON array or one JSON object per line. */
import { DomainError } from '../../lib/errors.ts'
import type { ImportContext } from '../importer.ts'
import type { ByteSource } from '../read/byte-source-service.ts'
import { readCsvBlocks } from '../read/csv-reader.ts'
import { decodeText } from '../read/encoding.ts'
import { cellText, columnKey } from '../read/header.ts'
import { readJsonItems, readNdjson } from '../read/json.ts'
import { peekStream } from '../read/peek.ts'
import {
  type ColumnLayout,
  type ColumnMap,
  detectColumns,
  type FileColumn,
  PRICE_COLUMN_NAMES,
  type PriceCells,
  type PriceColumn,
} from './price-columns.ts'

/** A row as it was written: the fields of a table, or an object of a JSON list. */
export type RawRow = readonly string[] | object

export type CellRow = {
  readonly line: number
  readonly cells?: PriceCells
  readonly raw?: RawRow
  readonly problem?: string
}

export type PriceTable = {
  readonly layout: ColumnLayout
  readonly blocks: AsyncGenerator<readonly CellRow[]>
  /** A row as it was written, cell by cell in the order of the columns. */
  readonly rawFields: (row: RawRow) => readonly string[]
}

/** What columns a file has, before anything is made of them. */
export type OnColumns = (columns: readonly FileColumn[]) => void

/** Rows that are looked at for examples of a column, and how many are kept. */
const EXAMPLE_ROWS = 50
const MAX_EXAMPLES = 3
const MAX_EXAMPLE_CHARS = 60

/** Opens a list: what its columns are is known before the first row is handed out. */
export async function openPriceTable(
  source: ByteSource,
  { notify: note }: Pick<ImportContext, 'notify'>,
  map: ColumnMap,
  onColumns: OnColumns = () => {},
): Promise<PriceTable> {
  const { head, text } = await peekStream(decodeText(source, note), 1)
  const first = head.trimStart()[0]
  if (first === '{') return openJsonTable(readNdjsonObjects(text, source.name), source.name, map, onColumns)
  if (first === '[') return openJsonTable(readJsonObjects(text, source.name), source.name, map, onColumns)
  return openCsvTable(text, source.name, map, onColumns)
}

async function openCsvTable(
  text: AsyncIterable<string>,
  name: string,
  map: ColumnMap,
  onColumns: OnColumns,
): Promise<PriceTable> {
  const blocks = readCsvBlocks(text, name)
  for (;;) {
    const { value, done } = await blocks.next()
    if (done) throw new DomainError('invalid', `${name} is empty.`)
    const [header, ...rows] = value
    if (!header) continue
    const { fields: names } = header
    const some = rows.slice(0, EXAMPLE_ROWS)
    onColumns(
      names.map((column, at) => ({ name: column.trim(), examples: examplesOf(some.map(({ fields }) => fields[at])) })),
    )
    const layout = detectColumns(header.fields, map, name)
    const keys = header.fields.map(columnKey)
    const place = (column: PriceColumn) =>
      layout.names[column] === undefined ? -1 : keys.indexOf(columnKey(layout.names[column]))
    const places = Object.fromEntries(PRICE_COLUMN_NAMES.map((column) => [column, place(column)])) as Record<
      PriceColumn,
      number
    >
    const toCells = (some: typeof rows) =>
      some.map(({ line, fields }): CellRow => ({ line, cells: cellsAt(fields, places), raw: fields }))
    async function* all() {
      yield toCells(rows)
      for await (const block of blocks) yield toCells([...block])
    }
    return { layout, blocks: all(), rawFields: (row) => row as readonly string[] }
  }
}

function examplesOf(cells: readonly (string | undefined)[]): string[] {
  const texts = cells.map((text) => text?.trim() ?? '').filter(Boolean)
  return [...new Set(texts)].slice(0, MAX_EXAMPLES).map((text) => text.slice(0, MAX_EXAMPLE_CHARS))
}

/** Spelled out, because it is done for every row: an object built in a loop takes several times as long. */
function cellsAt(fields: readonly string[], places: Readonly<Record<PriceColumn, number>>): PriceCells {
  return {
    source: cellText(fields, places.source),
    side: cellText(fields, places.side),
    variant: cellText(fields, places.variant),
    sku: cellText(fields, places.sku),
    partNumber: cellText(fields, places.partNumber),
    make: cellText(fields, places.make),
    model: cellText(fields, places.model),
    storage: cellText(fields, places.storage),
    ram: cellText(fields, places.ram),
    color: cellText(fields, places.color),
    condition: cellText(fields, places.condition),
    amount: cellText(fields, places.amount),
    cents: cellText(fields, places.cents),
    currency: cellText(fields, places.currency),
    date: cellText(fields, places.date),
    listing: cellText(fields, places.listing),
    state: cellText(fields, places.state),
    listedOn: cellText(fields, places.listedOn),
    lock: cellText(fields, places.lock),
  }
}

type ObjectRow = { readonly line: number; readonly object?: object; readonly problem?: string }

/** Objects that are read before they are handed on together. */
const BLOCK_OBJECTS = 500
/** Objects that are looked at to learn what columns there are: each may leave out what it has nothing to say of. */
const OBJECTS_SAMPLED = 50

async function openJsonTable(
  objects: AsyncGenerator<ObjectRow>,
  name: string,
  map: ColumnMap,
  onColumns: OnColumns,
): Promise<PriceTable> {
  const first: ObjectRow[] = []
  while (first.length < OBJECTS_SAMPLED) {
    const { value, done } = await objects.next()
    if (done) break
    first.push(value)
  }
  const keys = [...new Set(first.flatMap(({ object }) => Object.keys(object ?? {})))]
  const asWritten = (row: RawRow) => {
    const fields = new Map<string, unknown>(Object.entries(row))
    return keys.map((key) => toCellText(fields.get(key)))
  }
  const written = first.flatMap(({ object }) => (object ? [asWritten(object)] : []))
  onColumns(keys.map((key, at) => ({ name: key, examples: examplesOf(written.map((row) => row[at])) })))
  const layout = detectColumns(keys, map, name)
  const toRow = ({ line, object, problem }: ObjectRow): CellRow =>
    object
      ? { line, cells: toPriceCells(object, layout.names), raw: object }
      : { line, problem: problem ?? 'not a JSON object' }
  async function* all() {
    let block = first.map(toRow)
    for await (const row of objects) {
      block.push(toRow(row))
      if (block.length < BLOCK_OBJECTS) continue
      yield block
      block = []
    }
    yield block
  }
  return { layout, blocks: all(), rawFields: asWritten }
}

async function* readNdjsonObjects(text: AsyncIterable<string>, name: string): AsyncGenerator<ObjectRow> {
  for await (const item of readNdjson(text, name)) {
    if ('problem' in item) yield { line: item.line, problem: item.problem }
    else yield toObjectRow(item.line, item.value)
  }
}

async function* readJsonObjects(text: AsyncIterable<string>, name: string): AsyncGenerator<ObjectRow> {
  for await (const { line, value } of readJsonItems(text, name)) yield toObjectRow(line, value)
}

function toObjectRow(line: number, value: unknown): ObjectRow {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? { line, object: value } : { line, problem: 'not a JSON object' }
}

function toPriceCells(object: object, names: ColumnMap): PriceCells {
  const fields = new Map(Object.entries(object))
  const cells = {} as Record<PriceColumn, string>
  for (const column of PRICE_COLUMN_NAMES) {
    const name = names[column]
    cells[column] = name === undefined ? '' : toCellText(fields.get(name))
  }
  return cells
}

const toCellText = (value: unknown) =>
  typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : ''
