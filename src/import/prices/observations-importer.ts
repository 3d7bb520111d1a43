/** `import observations FILE`: prices that were asked, paid or offered, as CSV, XLSX, JSON or one JSON object per line. */
import { basename } from 'node:path'
import { catalogueStore, readAllDevices } from '../../catalog/catalogue-store.ts'
import { type Device, nameWithoutMake } from '../../catalog/device.ts'
import { BASE_CURRENCY } from '../../contract/currency.ts'
import { missingRate } from '../../currency/exchange.ts'
import { exchangeRateStore } from '../../currency/exchange-rate-store.ts'
import { formatAmount } from '../../currency/format-amount.ts'
import { createRateLookup } from '../../currency/rate-lookup.ts'
import { reason } from '../../lib/reasons.ts'
import { DAY_MS, dayOf } from '../../lib/time.ts'
import { createFirstPriceRanges } from '../../pricing/first-price-ranges.ts'
import type { NewObservation } from '../../pricing/model/observation.ts'
import { type ObservationBatch, observationScope } from '../../pricing/observations/observation-store.ts'
import { openMoveLimits } from '../../pricing/observations/own-price-store.ts'
import {
  createSubjectMatcher,
  STORAGE_MISSING,
  type SubjectMatcher,
} from '../../pricing/observations/subject-matcher.ts'
import type { MoveLimit } from '../../pricing/price-move.ts'
import { type Importer, importStopped } from '../importer.ts'
import type { ByteSource } from '../read/byte-source-service.ts'
import { type DateOrder, orderOfDates } from './date.ts'
import { createTacLearner } from './learned-tacs-service.ts'
import { pruneReplaced } from './observation-removal-store.ts'
import {
  appendObservation,
  createNewestFilter,
  emptyObservations,
  openObservationWriter,
} from './observation-writer-service.ts'
import { prefetch } from './prefetch.ts'
import {
  type ColumnLayout,
  EMPTY_CELLS,
  type FileColumn,
  type PriceCells,
  UnrecognisedColumnsError,
} from './price-columns.ts'
import { createPriceEffect } from './price-effect-service.ts'
import { dayInName, newestListing } from './price-guesses.ts'
import { PRICE_OPTIONS, type PriceOptions, parsePriceOptions } from './price-options.ts'
import { createPreviewBuilder } from './price-preview.ts'
import {
  assumeTerms,
  findPriceQuestions,
  OpenPriceQuestionsError,
  sureAnswers,
  USUAL_CONDITION,
} from './price-questions.ts'
import {
  createListingIdGenerator,
  createPriceRowParser,
  IMPLAUSIBLE_AMOUNT,
  movingPrice,
  rejectMove,
  subjectNameOf,
} from './price-row.ts'
import { type CellRow, type OnColumns, openPriceTable, type PriceTable } from './price-table.ts'
import { readTitleAliases, saveTitleAliases } from './title-alias-store.ts'
import type { ResolvedSubject } from './title-worker.ts'
import { startTitleWorkers } from './title-workers-service.ts'
import { createVariantAdder, type PendingPriceRow, type VariantAdder } from './variant-adder-service.ts'

/** Rows that are collected before they are written; repeated listings are found within such a batch. */
const BATCH_ROWS = 20_000
const BATCHES_PER_GC = 2
/** Worker threads have to learn all names first, which pays for lists of this size. */
const MIN_BYTES_FOR_WORKERS = 1_000_000
/** Blocks whose titles are resolved ahead of the rows that are being read. */
const BLOCKS_AHEAD = 12
/** Rows by which it is decided what a file does not say. */
const SAMPLE_ROWS = 500
/** The models in rows rejected for these reasons are listed in the report. */
const UNKNOWN_MODEL_REASONS = new Set([
  ...['unknown_model', 'unknown_make', 'storage_not_of_model', STORAGE_MISSING],
  ...['title_ambiguous', 'title_unclear'],
])

export const observationsImporter: Importer = {
  format: 'observations',
  help: 'market prices (CSV, XLSX, JSON or NDJSON): a title or make + model + storage, a variant id, SKU or part number; condition, price, currency, date',
  options: {
    ...PRICE_OPTIONS,
    'max-change': 'PERCENT such as 10%; a file that moves prices by more on average is not imported at all',
    profile: 'NAME under which these options are saved, or were saved before',
  },
  flags: {
    'add-variants': 'add a storage or memory size that a known device is not listed with; computers always get it',
    'confirm-amounts': 'import prices that move your own by more than a third; without it they are rejected',
  },
  takesSeveralFiles: true,
  async run(source, context) {
    const { db, report, progress, signal } = context
    const options = parsePriceOptions(context.options)
    const rates = createRateLookup(await exchangeRateStore(db).all())
    const { currency } = options.defaults
    if (currency && !rates.currencies.includes(currency)) throw missingRate('currency', currency, rates.currencies)
    let devices: readonly Device[] = await readAllDevices(catalogueStore(db))
    const assigned = new Map([...(await readTitleAliases(db, context.organizationId)), ...options.assigned])
    const preview = context.dryRun ? createPreviewBuilder(options.grades) : undefined
    const effect = context.dryRun ? createPriceEffect(context) : undefined
    const listingIdOf = createListingIdGenerator()
    const filterNewest = createNewestFilter(db, context.organizationId, report)
    const scope = await observationScope(db.query, context.organizationId)
    const writer = openObservationWriter(db, context.runId, scope, signal)
    // The common market has no organization whose devices these could be.
    const learner = context.organizationId === '' ? undefined : createTacLearner(db)
    let tacsLearned = 0
    let fileColumns: readonly FileColumn[] = []
    let unreadSheet: UnrecognisedColumnsError | undefined
    /** What files say in other words. */
    const answersOf = new Map<ByteSource, PriceOptions['defaults']>()
    /** Day of prices without a date. */
    const dayOfFile = new Map<ByteSource, string>()
    const dateOrderOf = new Map<ByteSource, DateOrder | undefined>()
    const deviceIds = new Set<string>()
    let rowsRead = 0
    let accepted = 0
    let variantsAdded = 0
    let batches = 0
    let batch: ObservationBatch = emptyObservations()
    let batchRows: AcceptedRow[] = []
    const firstPricesOf = (known: readonly Device[]) => {
      const byId = new Map(known.map((device) => [device.id, device]))
      return createFirstPriceRanges((id) => byId.get(id), context.now())
    }
    let firstPriceOf = firstPricesOf([])
    const moveLimits = openMoveLimits(db, () => firstPriceOf)
    const limitByDevice = new Map<string, MoveLimit>()

    /** Rejects prices that would move the organization's own prices too far, and adds the others to the batch. */
    async function addToBatch(row: AcceptedRow): Promise<void> {
      const { parsed, listingId } = row
      const { deviceId } = parsed.subject
      const limit = limitByDevice.get(deviceId) ?? (await moveLimits(context.organizationId, deviceId, context.now()))
      limitByDevice.set(deviceId, limit)
      const price = movingPrice(parsed, context.organizationId)
      const ownCents = context.options['confirm-amounts'] ? undefined : limit.exceededBy(price)
      if (ownCents !== undefined) {
        const { problem, detail } = rejectMove(formatAmount(parsed.cents, BASE_CURRENCY), ownCents)
        report.reject(row.line, problem, detail, row.fields())
        return
      }
      limit.add(price)
      accepted++
      deviceIds.add(deviceId)
      effect?.addRow(parsed, listingId)
      appendObservation(batch, parsed, listingId)
    }

    async function write(): Promise<void> {
      for (const row of batchRows) await addToBatch(row)
      batchRows = []
      const rows = batch
      batch = emptyObservations()
      // Written batches are garbage of the old generation, which is collected late: the heap would grow threefold.
      if (++batches % BATCHES_PER_GC === 0) Bun.gc(true)
      const newest = await filterNewest(rows)
      if (!context.dryRun) await writer.add(rows, newest)
    }

    const showColumns: OnColumns = (columns) => {
      preview?.setColumns(columns)
      fileColumns = columns
      report.setColumns(columns.map(({ name }) => name))
    }

    async function openTable(file: ByteSource): Promise<PriceTable> {
      try {
        const table = await openPriceTable(file, context, options.map, showColumns, {
          needsModel: options.defaults.model === undefined,
          isDeviceInName: () => deviceInName() !== null,
          namesDevice,
        })
        preview?.setLayout(table.layout)
        return table
      } catch (error) {
        preview?.setLayout(error instanceof UnrecognisedColumnsError ? error : { names: {} })
        const partialPreview = preview?.build()
        if (partialPreview && partialPreview.columns.length > 0) context.onPreview(partialPreview)
        throw error
      }
    }

    /** One of several sheets; undefined if it is no price list, or one with other columns than the first. */
    async function openSheet(file: ByteSource, first: PriceTable | undefined): Promise<PriceTable | undefined> {
      const shownColumns = fileColumns
      const table = await openTable(file).catch((error) => {
        if (!(error instanceof UnrecognisedColumnsError)) throw error
        unreadSheet ??= error
        return undefined
      })
      const { sheet = '', name } = file
      const isLike = table && (!first || JSON.stringify(first.layout) === JSON.stringify(table.layout))
      if (isLike) return table
      context.notify(
        `Sheet ${sheet} is left out: it is no price list with the same columns. Import it with the option sheet.`,
        reason('note_sheet_left_out', { name, sheet }),
      )
      if (first) {
        showColumns(shownColumns)
        preview?.setLayout(first.layout)
      }
      return undefined
    }

    /** Day of prices without a date. */
    function dateOf(layout: ColumnLayout, samples: readonly PriceCells[]): string {
      const today = dayOf(context.now())
      const named = dayInName(nameWithFolder(source.name), today)
      const listed = layout.names.listedOn === undefined ? null : newestListing(samples, options.dateOrder)
      const isOld = listed !== null && listed < dayOf(context.now() - MAX_READ_LATER_MS)
      return named ?? (isOld ? listed : today)
    }

    let matcher: SubjectMatcher | undefined
    const findSubject: SubjectMatcher = (query) => {
      matcher ??= createSubjectMatcher(devices)
      return matcher(query)
    }

    const namesDevice = (text: string) => {
      const match = findSubject({ ...NO_SUBJECT, model: text })
      return !('problem' in match) || match.base !== undefined || match.problem === STORAGE_MISSING
    }

    /** The device that the name of the file names, such as `iPhone 13.xlsx`; null if it names none or several. */
    function deviceInName(): string | null {
      for (const phrases of phrasesOf(nameWithFolder(source.name))) {
        const matches = phrases.map((model) => findSubject({ ...NO_SUBJECT, model }))
        const ids = new Set(matches.flatMap((match) => ('problem' in match ? match.base : match)?.deviceId ?? []))
        const device = ids.size === 1 ? devices.find(({ id }) => ids.has(id)) : undefined
        if (ids.size > 0) return device ? `${device.make} ${nameWithoutMake(device)}` : null
      }
      return null
    }

    /** Cells that name devices may be titles in a column that is not recognised. */
    function deviceOfFile() {
      const name = deviceInName()
      return name === null ? null : { name, isSure: !fileColumns.some(({ examples }) => examples.some(namesDevice)) }
    }

    /** The rows of known devices among the first ones, in a currency; null if the amounts name it. */
    function readSamples(currency: string | null, layout: ColumnLayout, samples: readonly PriceCells[]) {
      const readSample = createPriceRowParser({
        ...{ rates, defaultMarket: context.defaultMarket, now: context.now(), grades: options.grades, assigned },
        ...{ dateOrder: options.dateOrder, ranges: 'low', openSizes: 'base', firstPriceOf: firstPricesOf(devices) },
        findSubject,
        defaults: {
          ...{ source: 'samples', date: dateOf(layout, samples), side: 'ask', condition: USUAL_CONDITION },
          ...layout.implied,
          ...(currency === null ? {} : { currency }),
          ...options.defaults,
        },
      })
      const parsed = samples.slice(0, PLAUSIBILITY_ROWS).map((cells) => readSample(cells))
      return {
        accepted: parsed.flatMap((row) => ('problem' in row ? [] : [row])),
        implausible: parsed.filter((row) => 'problem' in row && row.problem === IMPLAUSIBLE_AMOUNT).length,
      }
    }

    /** Whether amounts of known devices are what these devices cost in a currency. */
    function isPlausibleIn(currency: string, layout: ColumnLayout, samples: readonly PriceCells[]): boolean {
      const { accepted, implausible } = readSamples(currency, layout, samples)
      return accepted.length >= MIN_PLAUSIBLE_ROWS && accepted.length >= implausible * 4
    }

    /** Whether the amounts are what devices sell for: shops pay about half of it. */
    function isSellingLevel(currency: string | null, layout: ColumnLayout, samples: readonly PriceCells[]): boolean {
      const firstPrice = firstPricesOf(devices)
      const levels = readSamples(currency, layout, samples)
        .accepted.flatMap(({ subject, terms, cents, observedAt }) => {
          const first = firstPrice({ ...subject, grade: terms.grade, isQuote: false, observedAt })
          return first ? [cents / Math.sqrt(first.low * first.high)] : []
        })
        .sort((a, b) => a - b)
      return levels.length >= MIN_LEVEL_ROWS && (levels[levels.length >> 1] ?? 0) >= MIN_SELLING_LEVEL
    }

    /** Asks about the whole file before any row could be rejected for what the file does not say. */
    async function askAboutTerms(member: ByteSource, table: PriceTable): Promise<PriceTable> {
      const first = await table.blocks.next()
      const firstBlock: readonly CellRow[] = first.done ? [] : first.value
      const samples = firstBlock.flatMap(({ cells }) => cells ?? []).slice(0, SAMPLE_ROWS)
      const { layout } = table
      const dates = samples.flatMap(({ date, listedOn }) => [date, listedOn].filter(Boolean))
      dateOrderOf.set(member, options.dateOrder ?? orderOfDates(dates, context.now()))
      dayOfFile.set(member, dateOf(layout, samples))
      const file = nameWithFolder(source.name)
      const facts = {
        ...{
          file,
          columns: fileColumns.map(({ name }) => name),
          heading: table.titles.join(' '),
          layout,
          samples,
          options,
          defaultMarket: context.defaultMarket,
        },
        isPlausibleIn: (currency: string) => isPlausibleIn(currency, layout, samples),
        isSellingLevel: (currency: string | null) => isSellingLevel(currency, layout, samples),
        deviceInName: hasDeviceColumn(layout) || options.defaults.model !== undefined ? null : deviceOfFile(),
      }
      const questions = findPriceQuestions(facts)
      preview?.setTerms(questions, assumeTerms(facts))
      const sure = context.acceptsGuesses ? sureAnswers(questions) : undefined
      if (questions.length > 0 && sure) {
        answersOf.set(member, sure)
        const answers = questions.map(({ name, guess }) => `${name} ${guess}`)
        context.notify(`${member.name} is read as: ${answers.join(', ')}. Set the options if that is wrong.`)
      } else if (questions.length > 0) {
        const partialPreview = preview?.build()
        if (partialPreview) context.onPreview(partialPreview)
        throw new OpenPriceQuestionsError(member.name, questions)
      }
      async function* allBlocks() {
        yield firstBlock
        yield* table.blocks
      }
      return { ...table, blocks: allBlocks() }
    }

    async function readTable(file: ByteSource, { layout, blocks, rawFields }: PriceTable): Promise<void> {
      const dateOfFile = dayOfFile.get(file) ?? dayOf(context.now())
      if (layout.names.date === undefined && options.defaults.date === undefined) {
        const { name } = file
        if (dateOfFile === dayOf(context.now())) {
          context.notify(
            `${name} has no column with dates: its prices count as of today.`,
            reason('note_no_dates', { name }),
          )
        } else {
          context.notify(
            `${name} has no column with dates: its prices count as of ${dateOfFile}.`,
            reason('note_date_of_file', { name, date: dateOfFile }),
          )
        }
      }
      firstPriceOf = firstPricesOf(devices)
      const rules = {
        isWithoutVat: (options.vat ?? layout.vat) === 'excluded',
        rates,
        firstPriceOf,
        defaultMarket: context.defaultMarket,
        currencySign: layout.currencySign,
        now: context.now(),
        grades: options.grades,
        assigned,
        dateOrder: dateOrderOf.get(file),
        ranges: options.ranges,
        openSizes: 'base' as const,
        defaults: {
          // Files are mostly named after their market. An empty cell in a source column stays empty.
          ...(layout.names.source === undefined ? { source: marketFromFileName(source.name) } : {}),
          // A list of current prices rarely has dates.
          ...(layout.names.date === undefined ? { date: dateOfFile } : {}),
          // A cell left empty in a column of grades: not graded.
          ...(layout.names.condition === undefined ? {} : { condition: USUAL_CONDITION }),
          ...layout.implied,
          ...answersOf.get(file),
          ...options.defaults,
        },
      }
      const adder = createVariantAdder(context, devices)
      const findOnMainThread = createSubjectMatcher(devices)
      const isLong = (file.totalBytes ?? 0) >= MIN_BYTES_FOR_WORKERS
      // Workers do not report missing sizes, which the adder of all sizes needs.
      const workers =
        isLong && layout.names.model && !context.options['add-variants'] ? startTitleWorkers(devices) : undefined
      let readRow = createPriceRowParser({ ...rules, findSubject: findOnMainThread })

      function addRow(
        { line, cells, raw }: PendingPriceRow,
        variantAdder: VariantAdder | undefined,
        subject?: ResolvedSubject,
      ): void {
        const isForAdder = variantAdder && subject && 'problem' in subject && subject.isBuiltToOrder
        let parsed = readRow(cells, isForAdder ? undefined : subject)
        if (
          variantAdder &&
          'problem' in parsed &&
          parsed.missingVariant &&
          variantAdder.mayAdd(parsed.missingVariant)
        ) {
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
        batchRows.push({ line, parsed, listingId: listingIdOf(parsed), fields: () => rawFields(raw) })
      }

      const resolveBlock = async (block: readonly CellRow[]) =>
        workers?.resolve(block.map(({ cells }) => subjectNameOf(cells ?? EMPTY_CELLS, rules)))
      try {
        for await (const [block, subjects] of prefetch(blocks, resolveBlock, workers ? BLOCKS_AHEAD : 0)) {
          if (signal.aborted) break
          for (const [at, { line, cells, raw, problem }] of block.entries()) {
            rowsRead++
            if (cells && raw) addRow({ line, cells, raw }, adder, subjects?.[at])
            else report.reject(line, problem ?? 'not_a_row')
          }
          progress.at(rowsRead, file.readBytes(), file.totalBytes)
          if (batchRows.length >= BATCH_ROWS) await write()
        }
      } finally {
        workers?.stop()
      }
      if (!adder.hasRequests() || signal.aborted) return
      const { devices: updatedDevices, rows, added } = await adder.finish()
      variantsAdded += added
      devices = updatedDevices
      readRow = createPriceRowParser({ ...rules, findSubject: createSubjectMatcher(updatedDevices) })
      for (const row of rows) addRow(row, undefined)
    }

    // All headers are read first: an archive with one bad file is rejected as a whole.
    const tables: [ByteSource, PriceTable][] = []
    for (const file of source.members ?? [source]) {
      const table = file.sheet === undefined ? await openTable(file) : await openSheet(file, tables[0]?.[1])
      if (table) tables.push([file, await askAboutTerms(file, table)])
    }
    if (unreadSheet && tables.length === 0) throw unreadSheet
    for (const [file, table] of tables) if (!signal.aborted) await readTable(file, table)
    await write()
    await writer.finish()
    if (!context.dryRun) {
      await saveTitleAliases(db, context.organizationId, options.assigned, context.now())
      await pruneReplaced(db, context.now())
      const origin = { organizationId: context.organizationId, importId: context.runId, now: context.now() }
      tacsLearned = (await learner?.finish(origin)) ?? 0
    }
    if (preview && effect) context.onPreview(preview.build(await effect.measure(devices)))
    if (signal.aborted && !context.dryRun) throw importStopped(writer.written(), null, 'observations')
    const counts = { rows: rowsRead, observations: accepted, written: writer.written(), devices: deviceIds.size }
    return {
      ...counts,
      ...((context.options['add-variants'] || variantsAdded > 0) && { variants_added: variantsAdded }),
      ...(tacsLearned > 0 && { tacs_learned: tacsLearned }),
    }
  },
}

/** Samples that are compared with what devices cost. */
const PLAUSIBILITY_ROWS = 60
const MIN_PLAUSIBLE_ROWS = 5
const MIN_LEVEL_ROWS = 8
/** A list whose newest listing is older than this was not read today. */
const MAX_READ_LATER_MS = 30 * DAY_MS
/** Median amount relative to the first price of the device: 0.5 to 0.75 in buyback lists, above 1.2 in asking prices. */
const MIN_SELLING_LEVEL = 1.2

const NO_SUBJECT = { variantId: '', sku: '', partNumber: '', make: '', model: '', storage: '', ram: '', color: '' }

const YEAR = /^(?:19|20)\d\d$/
const MAX_NAME_WORDS = 6

/** Words of a name that stand beside each other, the most words first. The year of a list is not the year of a device. */
function phrasesOf(name: string): string[][] {
  const words = name.split(/[\s_/\\.-]+/).filter((word) => word !== '' && !YEAR.test(word))
  const sizes = Array.from({ length: Math.min(words.length, MAX_NAME_WORDS) }, (_, shorter) => words.length - shorter)
  return sizes.map((size) =>
    Array.from({ length: words.length - size + 1 }, (_, at) => words.slice(at, at + size).join(' ')),
  )
}

/** Whether a column names the device of each row. */
const hasDeviceColumn = ({ names: { variant, sku, partNumber, model } }: ColumnLayout) =>
  [variant, sku, partNumber, model].some((name) => name !== undefined)

/** A row that was read and has not been compared with the organization's own prices. */
type AcceptedRow = {
  readonly line: number
  readonly parsed: NewObservation
  readonly listingId: string
  readonly fields: () => readonly string[]
}

/** `shop_kr/ads.csv`: folders are named after their market. */
const nameWithFolder = (file: string) => file.split(/[\\/]/).slice(-2).join('/')

function marketFromFileName(file: string): string {
  return (
    basename(file)
      .replace(/\.(gz|zip)$/i, '')
      .replace(/\.[^.]{1,6}$/, '')
      .slice(0, 60) || 'import'
  )
}
