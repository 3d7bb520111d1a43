/** The third step of an import of prices: reads the rows of a list. */
import { reason } from '../../lib/reasons.ts'
import { dayOf } from '../../lib/time.ts'
import { STORAGE_MISSING } from '../../pricing/observations/subject-matcher.ts'
import type { ByteSource } from '../read/byte-source-service.ts'
import { prefetch } from './prefetch.ts'
import { EMPTY_CELLS } from './price-columns.ts'
import { marketFromFileName } from './price-file-name.ts'
import { firstPricesOf, matcherOf, type PriceImport } from './price-import-service.ts'
import { isGradedSheet, USUAL_CONDITION } from './price-questions.ts'
import type { PriceList } from './price-questions-service.ts'
import { createPriceRowParser, subjectNameOf } from './price-row.ts'
import type { CellRow } from './price-table.ts'
import type { ResolvedSubject } from './title-worker.ts'
import { startTitleWorkers } from './title-workers-service.ts'
import { createVariantAdder, type PendingPriceRow, type VariantAdder } from './variant-adder-service.ts'

/** Worker threads have to learn all names first, which pays for lists of this size. */
const MIN_BYTES_FOR_WORKERS = 1_000_000
/** Blocks whose titles are resolved ahead of the rows that are being read. */
const BLOCKS_AHEAD = 12
/** The models in rows rejected for these reasons are listed in the report. */
const UNKNOWN_MODEL_REASONS = new Set([
  ...['unknown_model', 'unknown_make', 'storage_not_of_model', STORAGE_MISSING],
  ...['title_ambiguous', 'title_unclear'],
])

/** Reads the rows of a list and hands their prices to the batches that are written; rejected rows are reported. */
export async function readRows(run: PriceImport, list: PriceList): Promise<void> {
  const { file, table, date, dateOrder, usualCurrency, answers } = list
  const { source, context, options, rates, assigned, preview, batches, learner, listingIdOf } = run
  const { report, progress, signal } = context
  const { layout, blocks, rawFields } = table
  if (layout.names.date === undefined && options.defaults.date === undefined) noteMissingDates(run, file, date)
  run.firstPriceOf = firstPricesOf(run.devices, context.now())
  const rules = {
    isWithoutVat: (options.vat ?? layout.vat) === 'excluded',
    vatRate: layout.vatRate,
    unit: layout.unit,
    isPerLot: layout.isPerLot,
    statedUnit: options.unit,
    rates,
    firstPriceOf: run.firstPriceOf,
    defaultMarket: context.defaultMarket,
    currencySign: layout.currencySign,
    usualCurrency,
    now: context.now(),
    grades: options.grades,
    assigned,
    dateOrder,
    ranges: options.ranges,
    openSizes: 'base' as const,
    defaults: {
      // Files are mostly named after their market. An empty cell in a source column stays empty.
      ...(layout.names.source === undefined ? { source: marketFromFileName(source.name) } : {}),
      // A list of current prices rarely has dates.
      ...(layout.names.date === undefined ? { date } : {}),
      // A cell left empty, a title without a grade among others with one: not graded.
      condition: isGradedSheet(file.sheet ?? '') ? file.sheet : USUAL_CONDITION,
      ...layout.implied,
      ...answers,
      ...options.defaults,
    },
  }
  const adder = createVariantAdder(context, run.devices)
  const isLong = (file.totalBytes ?? 0) >= MIN_BYTES_FOR_WORKERS
  // Workers do not report missing sizes, which the adder of all sizes needs.
  const workers =
    isLong && layout.names.model && !context.options['add-variants'] ? startTitleWorkers(run.devices) : undefined
  let readRow = createPriceRowParser({ ...rules, findSubject: matcherOf(run.devices) })

  function addRow(
    { line, cells, raw }: PendingPriceRow,
    variantAdder: VariantAdder | undefined,
    subject?: ResolvedSubject,
  ): void {
    const isForAdder = variantAdder && subject && 'problem' in subject && subject.isBuiltToOrder
    let parsed = readRow(cells, isForAdder ? undefined : subject)
    if (variantAdder && 'problem' in parsed && parsed.missingVariant && variantAdder.mayAdd(parsed.missingVariant)) {
      const source = cells.source || rules.defaults.source || ''
      const problem = variantAdder.request({ line, cells, raw }, parsed.missingVariant, source)
      if (problem === null) return
      parsed = { problem, detail: parsed.detail }
    }
    preview?.addRow(line, cells, parsed)
    if ('problem' in parsed) {
      report.reject(line, parsed.problem, parsed.detail, rawFields(raw))
      if (UNKNOWN_MODEL_REASONS.has(parsed.problem)) report.countUnknown(parsed.detail)
      return
    }
    for (const remark of parsed.remarks ?? []) report.remark(remark)
    learner?.addRow(cells.imei, parsed.subject.deviceId)
    batches.add({ line, parsed, listingId: listingIdOf(parsed), fields: () => rawFields(raw) })
  }

  const resolveBlock = async (block: readonly CellRow[]) =>
    workers?.resolve(block.map(({ cells }) => subjectNameOf(cells ?? EMPTY_CELLS, rules)))
  try {
    for await (const [block, subjects] of prefetch(blocks, resolveBlock, workers ? BLOCKS_AHEAD : 0)) {
      if (signal.aborted) break
      for (const [at, { line, cells, raw, problem }] of block.entries()) {
        run.rowsRead++
        if (cells && raw) addRow({ line, cells, raw }, adder, subjects?.[at])
        else report.reject(line, problem ?? 'not_a_row')
      }
      progress.at(run.rowsRead, file.readBytes(), file.totalBytes)
      await batches.writeIfFull()
    }
  } finally {
    workers?.stop()
  }
  if (!adder.hasRequests() || signal.aborted) return
  const { devices: updatedDevices, rows, added } = await adder.finish()
  run.variantsAdded += added
  run.devices = updatedDevices
  readRow = createPriceRowParser({ ...rules, findSubject: matcherOf(run.devices) })
  for (const row of rows) addRow(row, undefined)
}

function noteMissingDates({ context }: PriceImport, { name }: ByteSource, date: string): void {
  const isToday = date === dayOf(context.now())
  context.notify(
    `${name} has no column with dates: its prices count as of ${isToday ? 'today' : date}.`,
    isToday ? reason('note_no_dates', { name }) : reason('note_date_of_file', { name, date }),
  )
}
