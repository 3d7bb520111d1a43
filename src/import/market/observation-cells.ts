/** The cells of a price list, by column, whether it is a table or one JSON object per line. */
import type { ImportContext } from '../importer.ts'
import { readRowBlocks } from '../read/csv.ts'
import { readText } from '../read/encoding.ts'
import { cell, columnKey, type Header, readHeader } from '../read/header.ts'
import { readNdjson } from '../read/json.ts'
import { peekText } from '../read/peek.ts'
import type { Source } from '../read/source.ts'
import { unreadable } from '../read/unreadable.ts'

/** The columns of the format, each with the other names people use for it. */
export const COLUMNS = {
  source: ['source', 'market', 'vendor'],
  side: ['side'],
  variant: ['variant_id', 'variant'],
  sku: ['sku'],
  partNumber: ['part_number', 'part'],
  make: ['make', 'brand', 'manufacturer'],
  model: ['model', 'title', 'device'],
  storage: ['storage', 'storage_gb', 'capacity'],
  color: ['color', 'colour'],
  condition: ['condition', 'grade'],
  amount: ['amount', 'price', 'price_usd', 'sold_price', 'sold_price_usd'],
  cents: ['price_cents', 'amount_cents'],
  currency: ['currency'],
  date: ['date', 'observed_at', 'observed_on', 'sold_at', 'sold_date', 'list_date', 'day'],
  listing: ['listing_id', 'listing', 'item_id', 'id'],
  state: ['state', 'status'],
  listedOn: ['listed_on', 'listed_at'],
  lock: ['lock', 'carrier', 'lock_status'],
} as const satisfies Record<string, readonly string[]>

export type Column = keyof typeof COLUMNS
export type Cells = Readonly<Record<Column, string>>

export type CellRow = { readonly line: number; readonly cells?: Cells; readonly problem?: string }

/** Many rows at a time: waiting for each by itself would take as long as reading it. */
export async function* readCells(
  source: Source,
  { note }: Pick<ImportContext, 'note'>,
): AsyncGenerator<readonly CellRow[]> {
  const { head, text } = await peekText(readText(source, note), 1)
  if (head.trimStart().startsWith('{')) yield* readObjects(text, source.name)
  else yield* readTable(text, source.name)
}

async function* readTable(text: AsyncIterable<string>, name: string): AsyncGenerator<CellRow[]> {
  let places: Readonly<Record<Column, number>> | undefined
  for await (const rows of readRowBlocks(text, name)) {
    const block: CellRow[] = []
    for (const { line, fields } of rows) {
      if (places) block.push({ line, cells: cellsAt(fields, places) })
      else places = columnPlaces(readHeader(fields), name)
    }
    yield block
  }
  if (!places) throw unreadable(`${name} is empty.`)
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

function columnPlaces(header: Header, name: string): Record<Column, number> {
  const places = eachColumn((column) => header.find(...COLUMNS[column]))
  const missing = (['condition', 'amount', 'date'] as const).filter(
    (column) => places[column] < 0 && !(column === 'amount' && places.cents >= 0),
  )
  if (missing.length > 0) {
    throw unreadable(
      `${name} is no list of prices: it lacks ${missing.join(', ')}. See docs/importing.md for the columns.`,
    )
  }
  return places
}

/** Objects that are read before they are handed on together. */
const BLOCK_OBJECTS = 500

async function* readObjects(text: AsyncIterable<string>, name: string): AsyncGenerator<CellRow[]> {
  let block: CellRow[] = []
  for await (const item of readNdjson(text, name)) {
    if ('problem' in item) block.push({ line: item.line, problem: item.problem })
    else if (typeof item.value !== 'object' || item.value === null || Array.isArray(item.value)) {
      block.push({ line: item.line, problem: 'not a JSON object' })
    } else block.push({ line: item.line, cells: cellsOf(item.value) })
    if (block.length < BLOCK_OBJECTS) continue
    yield block
    block = []
  }
  yield block
}

function cellsOf(object: object): Cells {
  const fields = new Map(Object.entries(object).map(([key, value]) => [columnKey(key), textOf(value)]))
  return eachColumn((column) => COLUMNS[column].map((key) => fields.get(columnKey(key))).find((value) => value) ?? '')
}

const textOf = (value: unknown) =>
  typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : ''

function eachColumn<Value>(value: (column: Column) => Value): Record<Column, Value> {
  const record = {} as Record<Column, Value>
  for (const column of Object.keys(COLUMNS) as Column[]) record[column] = value(column)
  return record
}
