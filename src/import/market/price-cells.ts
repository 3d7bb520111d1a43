/** The cells of a price list by column, whether it is a table, a JSON array or one JSON object per line. */
import { DomainError } from '../../errors.ts'
import type { ImportContext } from '../importer.ts'
import { readRowBlocks } from '../read/csv.ts'
import { readText } from '../read/encoding.ts'
import { cell, columnKey } from '../read/header.ts'
import { readJsonItems, readNdjson } from '../read/json.ts'
import { peekText } from '../read/peek.ts'
import type { Source } from '../read/source.ts'
import {
  type Cells,
  COLUMN_NAMES,
  type Column,
  type ColumnMap,
  type Layout,
  recognise,
  type SeenColumn,
} from './price-columns.ts'

/** A row as it was written: the fields of a table, or an object of a JSON list. */
export type WrittenRow = readonly string[] | object

export type CellRow = {
  readonly line: number
  readonly cells?: Cells
  readonly written?: WrittenRow
  readonly problem?: string
}

export type Table = {
  readonly layout: Layout
  readonly blocks: AsyncGenerator<readonly CellRow[]>
  /** A row as it was written, cell by cell in the order of the columns. */
  readonly asWritten: (row: WrittenRow) => readonly string[]
}

/** What columns a file has, before anything is made of them. */
export type Look = (columns: readonly SeenColumn[]) => void

/** Rows that are looked at for examples of a column, and how many are kept. */
const EXAMPLE_ROWS = 50
const MOST_EXAMPLES = 3
const LONGEST_EXAMPLE = 60

/** Opens a list: what its columns are is known before the first row is handed out. */
export async function openTable(
  source: Source,
  { note }: Pick<ImportContext, 'note'>,
  map: ColumnMap,
  look: Look = () => {},
): Promise<Table> {
  const { head, text } = await peekText(readText(source, note), 1)
  const first = head.trimStart()[0]
  if (first === '{') return objectTable(objectsOfLines(text, source.name), source.name, map, look)
  if (first === '[') return objectTable(objectsOfArray(text, source.name), source.name, map, look)
  return rowTable(text, source.name, map, look)
}

async function rowTable(text: AsyncIterable<string>, name: string, map: ColumnMap, look: Look): Promise<Table> {
  const blocks = readRowBlocks(text, name)
  for (;;) {
    const { value, done } = await blocks.next()
    if (done) throw new DomainError('invalid', `${name} is empty.`)
    const [header, ...rows] = value
    if (!header) continue
    const { fields: names } = header
    const some = rows.slice(0, EXAMPLE_ROWS)
    look(
      names.map((column, at) => ({ name: column.trim(), examples: examplesOf(some.map(({ fields }) => fields[at])) })),
    )
    const layout = recognise(header.fields, map, name)
    const keys = header.fields.map(columnKey)
    const place = (column: Column) =>
      layout.names[column] === undefined ? -1 : keys.indexOf(columnKey(layout.names[column]))
    const places = Object.fromEntries(COLUMN_NAMES.map((column) => [column, place(column)])) as Record<Column, number>
    const toCells = (some: typeof rows) =>
      some.map(({ line, fields }) => ({ line, cells: cellsAt(fields, places), written: fields }))
    async function* all() {
      yield toCells(rows)
      for await (const block of blocks) yield toCells([...block])
    }
    return { layout, blocks: all(), asWritten: (row) => row as readonly string[] }
  }
}

function examplesOf(cells: readonly (string | undefined)[]): string[] {
  const texts = cells.map((text) => text?.trim() ?? '').filter(Boolean)
  return [...new Set(texts)].slice(0, MOST_EXAMPLES).map((text) => text.slice(0, LONGEST_EXAMPLE))
}

/** Spelled out, because it is done for every row: an object built in a loop takes several times as long. */
function cellsAt(fields: readonly string[], places: Readonly<Record<Column, number>>): Cells {
  return {
    source: cell(fields, places.source),
    side: cell(fields, places.side),
    variant: cell(fields, places.variant),
    sku: cell(fields, places.sku),
    partNumber: cell(fields, places.partNumber),
    make: cell(fields, places.make),
    model: cell(fields, places.model),
    storage: cell(fields, places.storage),
    ram: cell(fields, places.ram),
    color: cell(fields, places.color),
    condition: cell(fields, places.condition),
    amount: cell(fields, places.amount),
    cents: cell(fields, places.cents),
    currency: cell(fields, places.currency),
    date: cell(fields, places.date),
    listing: cell(fields, places.listing),
    state: cell(fields, places.state),
    listedOn: cell(fields, places.listedOn),
    lock: cell(fields, places.lock),
  }
}

type ObjectRow = { readonly line: number; readonly object?: object; readonly problem?: string }

/** Objects that are read before they are handed on together. */
const BLOCK_OBJECTS = 500
/** Objects that are looked at to learn what columns there are: each may leave out what it has nothing to say of. */
const LOOKED_AT = 50

async function objectTable(
  objects: AsyncGenerator<ObjectRow>,
  name: string,
  map: ColumnMap,
  look: Look,
): Promise<Table> {
  const first: ObjectRow[] = []
  while (first.length < LOOKED_AT) {
    const { value, done } = await objects.next()
    if (done) break
    first.push(value)
  }
  const keys = [...new Set(first.flatMap(({ object }) => Object.keys(object ?? {})))]
  const asWritten = (row: WrittenRow) => {
    const fields = new Map<string, unknown>(Object.entries(row))
    return keys.map((key) => textOf(fields.get(key)))
  }
  const written = first.flatMap(({ object }) => (object ? [asWritten(object)] : []))
  look(keys.map((key, at) => ({ name: key, examples: examplesOf(written.map((row) => row[at])) })))
  const layout = recognise(keys, map, name)
  const toRow = ({ line, object, problem }: ObjectRow): CellRow =>
    object
      ? { line, cells: cellsOf(object, layout.names), written: object }
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
  return { layout, blocks: all(), asWritten }
}

async function* objectsOfLines(text: AsyncIterable<string>, name: string): AsyncGenerator<ObjectRow> {
  for await (const item of readNdjson(text, name)) {
    if ('problem' in item) yield { line: item.line, problem: item.problem }
    else yield rowOf(item.line, item.value)
  }
}

async function* objectsOfArray(text: AsyncIterable<string>, name: string): AsyncGenerator<ObjectRow> {
  for await (const { line, value } of readJsonItems(text, name)) yield rowOf(line, value)
}

function rowOf(line: number, value: unknown): ObjectRow {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? { line, object: value } : { line, problem: 'not a JSON object' }
}

function cellsOf(object: object, names: ColumnMap): Cells {
  const fields = new Map(Object.entries(object))
  const cells = {} as Record<Column, string>
  for (const column of COLUMN_NAMES) {
    const name = names[column]
    cells[column] = name === undefined ? '' : textOf(fields.get(name))
  }
  return cells
}

const textOf = (value: unknown) =>
  typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : ''
