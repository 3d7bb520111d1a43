/** `import observations FILE`: prices that were asked, paid or offered, as people have them: CSV, JSON or a JSON object per line. */
import { basename } from 'node:path'
import { catalogueStore } from '../../catalog/store.ts'
import { pricingStore } from '../../pricing/market/store.ts'
import { openSubjects } from '../../pricing/market/subject.ts'
import { type ImportContext, type Importer, stopped } from '../importer.ts'
import { addObservation, newestOfListings, noObservations, openObservationWriter } from './observation-writer.ts'
import { preparedAhead } from './prepared-ahead.ts'
import { openPreview } from './preview.ts'
import { type CellRow, openTable } from './price-cells.ts'
import { UnknownColumns } from './price-columns.ts'
import { PRICE_OPTIONS, readPriceOptions } from './price-options.ts'
import { listingNames, nameIn, priceRowReader, rateTable } from './price-row.ts'
import { profileStore } from './profile-store.ts'
import { startTitleThreads } from './title-threads.ts'
import { openVariantAdder, type PriceRow, type VariantAdder } from './variant-adder.ts'

/** Rows gathered before they are written; also the reach of "listing more than once". */
const BATCH_ROWS = 60_000
const SWEEP_BATCHES = 2
/** A list of this size pays for threads that first have to learn all names. */
const LONG_BYTES = 1_000_000
/** Blocks whose titles are being resolved while the rows of one are taken. */
const BLOCKS_AHEAD = 12
/** Reasons for which the operator wants to know which models they were. */
const UNKNOWN = new Set(['unknown model', 'unknown make', 'the model has no such storage'])

export const observationsImporter: Importer = {
  format: 'observations',
  help: 'market prices (CSV, JSON or NDJSON): a title or make + model + storage, a variant id, SKU or part number; condition, price, currency, date',
  options: { ...PRICE_OPTIONS, profile: 'NAME under which these options are kept, or were kept before' },
  flags: { 'add-variants': 'a storage or memory size that a known device is not listed with is added to it' },
  async run(source, context) {
    const { db, report, progress, signal } = context
    const options = readPriceOptions(await withProfile(context))
    const devices = []
    for await (const some of catalogueStore(db).readSince(-1)) devices.push(...some)
    const preview = context.dryRun ? openPreview(options.grades) : undefined
    const { layout, blocks, asWritten } = await openTable(source, context, options.map, (columns) => {
      preview?.see(columns)
      report.columns(columns.map(({ name }) => name))
    }).catch((error) => {
      preview?.take(error instanceof UnknownColumns ? error : { names: {} })
      const found = preview?.made()
      if (found && found.columns.length > 0) context.preview(found)
      throw error
    })
    preview?.take(layout)
    const rules = {
      rateOf: rateTable(await pricingStore(db).rates()),
      now: context.now(),
      grades: options.grades,
      dateOrder: options.dateOrder,
      ranges: options.ranges,
      defaults: {
        // A file of a market is mostly called after it; a row that leaves its own column empty is another matter.
        ...(layout.names.source === undefined ? { source: sourceName(source.name) } : {}),
        ...layout.implied,
        ...options.defaults,
      },
    }
    const adder = context.options['add-variants'] ? openVariantAdder(context, devices) : undefined
    const findHere = openSubjects(devices)
    // What could be added to the registry is told by this thread's own answers alone.
    const isLong = (source.totalBytes ?? 0) >= LONG_BYTES
    const hasTitles = layout.names.model !== undefined
    const threads = isLong && hasTitles && !adder ? startTitleThreads(devices, findHere) : undefined
    let readRow = priceRowReader({ ...rules, findSubject: threads?.find ?? findHere })
    const prepare = async (block: readonly CellRow[]) =>
      threads?.prepare(block.flatMap(({ cells }) => (cells ? [nameIn(cells, rules.defaults)] : [])))
    const nameOf = listingNames()
    const newestOnly = newestOfListings(db, report)
    const writer = openObservationWriter(db, signal)
    const observed = new Set<string>()
    let read = 0
    let kept = 0
    let batches = 0
    let batch = noObservations()

    async function write(): Promise<void> {
      const rows = batch
      batch = noObservations()
      // What batches leave behind is old by the time they are written, and the collector looks at the old only when the heap
      // has grown threefold.
      if (++batches % SWEEP_BATCHES === 0) Bun.gc(true)
      const newest = await newestOnly(rows)
      if (!context.dryRun) await writer.add(rows, newest)
    }

    function take({ line, cells, written }: PriceRow, mayWait: VariantAdder | undefined): void {
      let reading = readRow(cells)
      if (mayWait && 'problem' in reading && reading.newSize) {
        const why = mayWait.want({ line, cells, written }, reading.newSize, cells.source || rules.defaults.source || '')
        if (why === null) return
        reading = { problem: why, detail: reading.detail }
      }
      preview?.add(line, cells, reading)
      if ('problem' in reading) {
        report.reject(line, reading.problem, reading.detail, asWritten(written))
        if (UNKNOWN.has(reading.problem)) report.tally(reading.detail)
        return
      }
      if (reading.remark) report.remark(reading.remark)
      kept++
      observed.add(reading.subject.deviceId)
      addObservation(batch, reading, nameOf(reading))
    }

    try {
      for await (const block of preparedAhead(blocks, prepare, threads ? BLOCKS_AHEAD : 0)) {
        if (signal.aborted) break
        for (const { line, cells, written, problem } of block) {
          read++
          if (cells && written) take({ line, cells, written }, adder)
          else report.reject(line, problem ?? 'not a row')
        }
        progress.at(read, source.readBytes(), source.totalBytes)
        if (batch.listingIds.length >= BATCH_ROWS) await write()
      }
    } finally {
      threads?.stop()
    }
    await write()
    let variantsAdded = 0
    if (adder?.isWanted() && !signal.aborted) {
      const { devices: grown, rows, added } = await adder.finish()
      variantsAdded = added
      readRow = priceRowReader({ ...rules, findSubject: openSubjects(grown) })
      for (const row of rows) take(row, undefined)
      await write()
    }
    await writer.finish()
    if (preview) context.preview(preview.made())
    if (signal.aborted && !context.dryRun) throw stopped(writer.written(), null, 'observations')
    const figures = { rows: read, observations: kept, written: writer.written(), devices: observed.size }
    return adder ? { ...figures, variants_added: variantsAdded } : figures
  },
}

/** What was said this time goes before what was said before, and is kept for the next. */
async function withProfile({ db, options, dryRun }: ImportContext): Promise<Readonly<Record<string, string>>> {
  // Adding to the registry is asked for anew each time; no profile does it silently.
  const { profile: name, 'add-variants': _, ...said } = options
  if (name === undefined) return said
  const profiles = profileStore(db)
  const isNew = Object.keys(said).length > 0
  const before = isNew ? await profiles.find(name) : await profiles.read(name)
  const all = { ...before?.options, ...said }
  if (isNew && !dryRun) await profiles.save({ name, options: all })
  return all
}

function sourceName(file: string): string {
  return (
    basename(file)
      .replace(/\.[^.]*$/, '')
      .slice(0, 60) || 'import'
  )
}
