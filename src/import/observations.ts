/** `import observations FILE`: prices that were asked, paid or offered, as CSV or as one JSON object per line. */
import { catalogueStore } from '../catalog/store.ts'
import type { Database } from '../db/open.ts'
import type { ObservationTable } from '../db/schema.ts'
import { CommandError } from '../errors.ts'
import { variantResolver } from '../pricing/resolution.ts'
import { announceObserved, heldListings, isHeldSource, pricingStore, writeObservations } from '../pricing/store.ts'
import { readRows } from './csv.ts'
import { readText } from './encoding.ts'
import { cell, columnKey, type Header, readHeader } from './header.ts'
import type { ImportContext, Importer } from './importer.ts'
import { readNdjson } from './json.ts'
import { type Cells, COLUMNS, type Column, rateTable, readObservationRow } from './observation-row.ts'
import { peekText } from './peek.ts'
import type { RowReport } from './report.ts'
import type { Source } from './source.ts'

/** Rows gathered before they are written; also the reach of "the same row again" for rows without an id. */
const BATCH_ROWS = 60_000

export const observationsImporter: Importer = {
  format: 'observations',
  help: 'market prices (CSV or NDJSON): source, side, a variant by id, SKU, part number or make + model + storage, condition, amount, currency, date',
  options: {
    source: 'NAME of the market, for a file without that column',
    side: 'ask|sold|quote, for a file without that column',
    currency: 'CODE, for a file without that column',
  },
  async run(source, context) {
    const { db, report, progress, signal } = context
    const devices = []
    for await (const some of catalogueStore(db).readSince(-1)) devices.push(...some)
    const rules = {
      resolve: remembering(variantResolver(devices)),
      rateOf: rateTable(await pricingStore(db).rates()),
      now: context.now(),
      defaults: context.options,
    }
    let read = 0
    let kept = 0
    const observed = new Set<string>()
    const names = listingNames()
    const wasHeld = heldBefore(db)
    const writer = openWriter(db, signal)
    let batch: ObservationTable[] = []

    async function write(): Promise<void> {
      if (context.dryRun || batch.length === 0) return
      const rows = batch
      batch = []
      const fresh = await newestOnly(context, rows, wasHeld, report)
      // Rows of one device lie together in the store's index: written together, they touch a fifth of its pages.
      fresh.sort((a, b) => (a.device_id < b.device_id ? -1 : a.device_id > b.device_id ? 1 : 0))
      await writer.add(fresh)
    }

    for await (const { line, cells, problem } of readCells(source, context)) {
      if (signal.aborted) break
      progress.at(++read, source.readBytes(), source.totalBytes)
      if (!cells) {
        report.reject(line, problem ?? 'not a row')
        continue
      }
      const reading = readObservationRow(cells, rules)
      if ('problem' in reading) {
        report.reject(line, reading.problem, reading.detail)
        continue
      }
      kept++
      observed.add(reading.row.device_id)
      batch.push({ ...reading.row, listing_id: names(reading.row) })
      if (batch.length < BATCH_ROWS) continue
      await write()
    }
    await write()
    await writer.finish()
    return { rows: read, observations: kept, written: writer.written(), devices: observed.size }
  },
}

/** What one step holds SQLite's only write lock for, about 30 ms, and the gap in which others have it. */
const STEP_ROWS = 3_000
const GAP_MS = 5
/** The service hears of touched devices this often while an import is under way. */
const TELL_EVERY_MS = 500

/**
 * Writes one step after the other while the next rows are being read. A device touched for the first time is told of before its
 * rows are written, so that an import which is killed leaves no unknown one behind; further rows are told of once they are in.
 */
function openWriter(db: Database, signal: AbortSignal) {
  const known = new Set<string>()
  let waiting = new Set<string>()
  let toldAt = performance.now()
  let written = 0
  let under: Promise<void> = Promise.resolve()

  async function tell(): Promise<void> {
    const told = waiting
    waiting = new Set()
    if (told.size) await announceObserved(db, told)
    toldAt = performance.now()
  }

  async function writeAll(rows: readonly ObservationTable[]): Promise<void> {
    const fresh = new Set<string>()
    for (const { device_id } of rows) {
      if (!known.has(device_id)) fresh.add(device_id)
      waiting.add(device_id)
    }
    if (fresh.size) await announceObserved(db, fresh)
    for (const id of fresh) known.add(id)
    for (let from = 0; from < rows.length && !signal.aborted; from += STEP_ROWS) {
      const step = rows.slice(from, from + STEP_ROWS)
      await writeObservations(db, step)
      written += step.length
      if (db.singleWriter) await Bun.sleep(GAP_MS)
    }
    if (performance.now() - toldAt > TELL_EVERY_MS) await tell()
  }

  return {
    /** Resolves as soon as these rows are under way, which is when those before them are in. */
    async add(rows: readonly ObservationTable[]): Promise<void> {
      await under
      under = writeAll(rows)
      // A failure is met at the next call; until then it must not count as unhandled.
      under.catch(() => {})
    },
    async finish(): Promise<void> {
      await under
      await tell()
    },
    written: () => written,
  }
}

/** Which sources the store knew before this run; only their listings have to be looked up. */
function heldBefore(db: Database): (source: string) => Promise<boolean> {
  const known = new Map<string, Promise<boolean>>()
  return (source) => {
    let held = known.get(source)
    if (!held) {
      held = isHeldSource(db.query, source)
      known.set(source, held)
    }
    return held
  }
}

type CellRow = { readonly line: number; readonly cells?: Cells; readonly problem?: string }

export async function* readCells(source: Source, { note }: Pick<ImportContext, 'note'>): AsyncGenerator<CellRow> {
  const { head, text } = await peekText(readText(source, note), 1)
  if (head.trimStart().startsWith('{')) yield* readObjects(text, source.name)
  else yield* readTable(text, source.name)
}

async function* readTable(text: AsyncIterable<string>, name: string): AsyncGenerator<CellRow> {
  let places: Readonly<Record<Column, number>> | undefined
  for await (const row of readRows(text, name)) {
    if (places) yield { line: row.line, cells: cellsAt(row.fields, places) }
    else places = columnPlaces(readHeader(row.fields), name)
  }
  if (!places) throw new CommandError(`${name} is empty.`)
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
    throw new CommandError(
      `${name} is no list of prices: it lacks ${missing.join(', ')}. See docs/importing.md for the columns.`,
    )
  }
  return places
}

async function* readObjects(text: AsyncIterable<string>, name: string): AsyncGenerator<CellRow> {
  for await (const item of readNdjson(text, name)) {
    if ('problem' in item) yield { line: item.line, problem: item.problem }
    else if (typeof item.value !== 'object' || item.value === null || Array.isArray(item.value)) {
      yield { line: item.line, problem: 'not a JSON object' }
    } else {
      const fields = new Map(Object.entries(item.value).map(([key, value]) => [columnKey(key), textOf(value)]))
      const find = (column: Column) =>
        COLUMNS[column].map((key) => fields.get(columnKey(key))).find((value) => value) ?? ''
      yield { line: item.line, cells: eachColumn(find) }
    }
  }
}

const textOf = (value: unknown) =>
  typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : ''

function eachColumn<Value>(value: (column: Column) => Value): Record<Column, Value> {
  const record = {} as Record<Column, Value>
  for (const column of Object.keys(COLUMNS) as Column[]) record[column] = value(column)
  return record
}

/** A list names the same few thousand things over and over. */
function remembering(resolve: ReturnType<typeof variantResolver>): ReturnType<typeof variantResolver> {
  const known = new Map<string, ReturnType<typeof resolve>>()
  return (named) => {
    const key = `${named.variantId}\t${named.sku}\t${named.partNumber}\t${named.make}\t${named.model}\t${named.storage}\t${named.color}`
    let found = known.get(key)
    if (!found) {
      found = resolve(named)
      if (known.size > 50_000) known.clear()
      known.set(key, found)
    }
    return found
  }
}

/**
 * A row without an id gets one made of all it says, and a number for the second, third, … row that says the same: two
 * like sales on one day are two, and the same file twice is once.
 */
function listingNames(): (row: ObservationTable) => string {
  const seen = new Map<string, number>()
  return (row) => {
    if (row.listing_id !== '') return row.listing_id.slice(0, 120)
    const said = `${row.side}|${row.device_id}|${row.configuration}|${row.variant_id}|${row.label}|${row.lock}|${row.cents}|${row.paid_in}|${row.observed_at}|${row.state}`
    const name = `row-${Bun.hash.wyhash(said).toString(36)}`
    const times = (seen.get(`${row.source} ${name}`) ?? 0) + 1
    seen.set(`${row.source} ${name}`, times)
    return times === 1 ? name : `${name}-${times}`
  }
}

/** One row per listing, the newest; a row that is older than what is stored, or just the same, is left out. */
async function newestOnly(
  { db }: ImportContext,
  rows: readonly ObservationTable[],
  wasHeld: (source: string) => Promise<boolean>,
  report: RowReport,
): Promise<ObservationTable[]> {
  const newest = new Map<string, ObservationTable>()
  for (const row of rows) {
    const key = `${row.source}\t${row.listing_id}`
    const other = newest.get(key)
    if (other) report.remark('listing more than once; the newest price counts')
    if (!other || other.observed_at <= row.observed_at) newest.set(key, row)
  }
  const bySource = Map.groupBy(newest.values(), (row) => row.source)
  const fresh: ObservationTable[] = []
  for (const [source, mine] of bySource) {
    if (!(await wasHeld(source))) {
      for (const row of mine) fresh.push(row)
      continue
    }
    for (let from = 0; from < mine.length; from += 500) {
      const some = mine.slice(from, from + 500)
      const held = await heldListings(
        db.query,
        source,
        some.map((row) => row.listing_id),
      )
      for (const row of some) {
        const known = held.get(row.listing_id)
        if (!known || known.observedAt < row.observed_at) fresh.push(row)
        else if (known.observedAt === row.observed_at && known.cents !== row.cents) fresh.push(row)
        else report.remark(known.cents === row.cents ? 'known already' : 'older than the price that is known')
      }
    }
  }
  return fresh
}
