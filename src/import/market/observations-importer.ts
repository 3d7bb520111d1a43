/** `import observations FILE`: prices that were asked, paid or offered, as CSV or as one JSON object per line. */
import { catalogueStore } from '../../catalog/store.ts'
import { variantResolver } from '../../pricing/market/resolution.ts'
import { pricingStore } from '../../pricing/market/store.ts'
import { type Importer, stopped } from '../importer.ts'
import { readCells } from './observation-cells.ts'
import { listingNames, observationRowReader, rateTable } from './observation-row.ts'
import { addObservation, newestOfListings, noObservations, openObservationWriter } from './observation-writer.ts'

/** Rows gathered before they are written; also the reach of "listing more than once". */
const BATCH_ROWS = 60_000
const SWEEP_BATCHES = 2

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
    const readRow = observationRowReader({
      resolve: variantResolver(devices),
      rateOf: rateTable(await pricingStore(db).rates()),
      now: context.now(),
      defaults: context.options,
    })
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

    for await (const block of readCells(source, context)) {
      if (signal.aborted) break
      for (const { line, cells, problem } of block) {
        read++
        if (!cells) {
          report.reject(line, problem ?? 'not a row')
          continue
        }
        const reading = readRow(cells)
        if ('problem' in reading) {
          report.reject(line, reading.problem, reading.detail)
          continue
        }
        kept++
        observed.add(reading.subject.deviceId)
        addObservation(batch, reading, nameOf(reading))
      }
      progress.at(read, source.readBytes(), source.totalBytes)
      if (batch.listingIds.length >= BATCH_ROWS) await write()
    }
    await write()
    await writer.finish()
    if (signal.aborted && !context.dryRun) throw stopped(writer.written(), null, 'observations')
    return { rows: read, observations: kept, written: writer.written(), devices: observed.size }
  },
}
