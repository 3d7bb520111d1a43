/** `import observations FILE`: prices that were asked, paid or offered, as people have them: CSV, JSON or a JSON object per line. */
import { basename } from 'node:path'
import { catalogueStore } from '../../catalog/catalogue-store.ts'
import { missingRate } from '../../currency/exchange.ts'
import { exchangeRateStore } from '../../currency/exchange-rate-store.ts'
import { createRateLookup } from '../../currency/rate-lookup.ts'
import { createSubjectMatcher } from '../../pricing/observations/subject-matcher.ts'
import { type ImportContext, type Importer, importStopped } from '../importer.ts'
import {
  appendObservation,
  createNewestFilter,
  emptyObservations,
  openObservationWriter,
} from './observation-writer-service.ts'
import { prefetch } from './prefetch.ts'
import { UnrecognisedColumnsError } from './price-columns.ts'
import { PRICE_OPTIONS, parsePriceOptions } from './price-options.ts'
import { createPreviewBuilder } from './price-preview.ts'
import { createListingIdGenerator, createPriceRowParser, subjectNameOf } from './price-row.ts'
import { type CellRow, openPriceTable } from './price-table.ts'
import { profileStore } from './profile-store.ts'
import { startTitleWorkers } from './title-workers-service.ts'
import { createVariantAdder, type PendingPriceRow, type VariantAdder } from './variant-adder-service.ts'

/** Rows gathered before they are written; also the reach of "listing more than once". */
const BATCH_ROWS = 60_000
const BATCHES_PER_GC = 2
/** A list of this size pays for threads that first have to learn all names. */
const MIN_BYTES_FOR_WORKERS = 1_000_000
/** Blocks whose titles are being resolved while the rows of one are taken. */
const BLOCKS_AHEAD = 12
/** Reasons for which the operator wants to know which models they were. */
const UNKNOWN_MODEL_REASONS = new Set(['unknown model', 'unknown make', 'the model has no such storage'])

export const observationsImporter: Importer = {
  format: 'observations',
  help: 'market prices (CSV, JSON or NDJSON): a title or make + model + storage, a variant id, SKU or part number; condition, price, currency, date',
  options: { ...PRICE_OPTIONS, profile: 'NAME under which these options are kept, or were kept before' },
  flags: { 'add-variants': 'a storage or memory size that a known device is not listed with is added to it' },
  async run(source, context) {
    const { db, report, progress, signal } = context
    const options = parsePriceOptions(await applyProfile(context))
    const rates = createRateLookup(await exchangeRateStore(db).all())
    const { currency } = options.defaults
    if (currency && !rates.currencies.includes(currency)) throw missingRate('currency', currency, rates.currencies)
    const devices = []
    for await (const some of catalogueStore(db).readChangedSince(-1)) devices.push(...some)
    const preview = context.dryRun ? createPreviewBuilder(options.grades) : undefined
    const {
      layout,
      blocks,
      rawFields: asWritten,
    } = await openPriceTable(source, context, options.map, (columns) => {
      preview?.setColumns(columns)
      report.setColumns(columns.map(({ name }) => name))
    }).catch((error) => {
      preview?.setLayout(error instanceof UnrecognisedColumnsError ? error : { names: {} })
      const found = preview?.build()
      if (found && found.columns.length > 0) context.onPreview(found)
      throw error
    })
    preview?.setLayout(layout)
    const rules = {
      rates,
      now: context.now(),
      grades: options.grades,
      dateOrder: options.dateOrder,
      ranges: options.ranges,
      defaults: {
        // A file of a market is mostly called after it; a row that leaves its own column empty is another matter.
        ...(layout.names.source === undefined ? { source: marketFromFileName(source.name) } : {}),
        ...layout.implied,
        ...options.defaults,
      },
    }
    const adder = context.options['add-variants'] ? createVariantAdder(context, devices) : undefined
    const findHere = createSubjectMatcher(devices)
    // What could be added to the registry is told by this thread's own answers alone.
    const isLong = (source.totalBytes ?? 0) >= MIN_BYTES_FOR_WORKERS
    const hasTitles = layout.names.model !== undefined
    const threads = isLong && hasTitles && !adder ? startTitleWorkers(devices, findHere) : undefined
    let readRow = createPriceRowParser({ ...rules, findSubject: threads?.find ?? findHere })
    const prepare = async (block: readonly CellRow[]) =>
      threads?.prepare(block.flatMap(({ cells }) => (cells ? [subjectNameOf(cells, rules.defaults)] : [])))
    const nameOf = createListingIdGenerator()
    const newestOnly = createNewestFilter(db, report)
    const writer = openObservationWriter(db, context.runId, signal)
    const observed = new Set<string>()
    let read = 0
    let kept = 0
    let batches = 0
    let batch = emptyObservations()

    async function write(): Promise<void> {
      const rows = batch
      batch = emptyObservations()
      // What batches leave behind is old by the time they are written, and the collector looks at the old only when the heap
      // has grown threefold.
      if (++batches % BATCHES_PER_GC === 0) Bun.gc(true)
      const newest = await newestOnly(rows)
      if (!context.dryRun) await writer.add(rows, newest)
    }

    function take({ line, cells, raw: written }: PendingPriceRow, mayWait: VariantAdder | undefined): void {
      let reading = readRow(cells)
      if (mayWait && 'problem' in reading && reading.missingVariant) {
        const why = mayWait.want(
          { line, cells, raw: written },
          reading.missingVariant,
          cells.source || rules.defaults.source || '',
        )
        if (why === null) return
        reading = { problem: why, detail: reading.detail }
      }
      preview?.addRow(line, cells, reading)
      if ('problem' in reading) {
        report.reject(line, reading.problem, reading.detail, asWritten(written))
        if (UNKNOWN_MODEL_REASONS.has(reading.problem)) report.countUnknown(reading.detail)
        return
      }
      for (const remark of reading.remarks ?? []) report.remark(remark)
      kept++
      observed.add(reading.subject.deviceId)
      appendObservation(batch, reading, nameOf(reading))
    }

    try {
      for await (const block of prefetch(blocks, prepare, threads ? BLOCKS_AHEAD : 0)) {
        if (signal.aborted) break
        for (const { line, cells, raw: written, problem } of block) {
          read++
          if (cells && written) take({ line, cells, raw: written }, adder)
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
      readRow = createPriceRowParser({ ...rules, findSubject: createSubjectMatcher(grown) })
      for (const row of rows) take(row, undefined)
      await write()
    }
    await writer.finish()
    if (preview) context.onPreview(preview.build())
    if (signal.aborted && !context.dryRun) throw importStopped(writer.written(), null, 'observations')
    const figures = { rows: read, observations: kept, written: writer.written(), devices: observed.size }
    return adder ? { ...figures, variants_added: variantsAdded } : figures
  },
}

/** What was said this time goes before what was said before, and is kept for the next. */
async function applyProfile({ db, options, dryRun }: ImportContext): Promise<Readonly<Record<string, string>>> {
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

function marketFromFileName(file: string): string {
  return (
    basename(file)
      .replace(/\.[^.]*$/, '')
      .slice(0, 60) || 'import'
  )
}
