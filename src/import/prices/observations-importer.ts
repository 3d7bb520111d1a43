/** `import observations FILE`: prices that were asked, paid or offered, as CSV, XLSX, JSON or one JSON object per line. */
import { readAllDevices } from '../../catalog/catalogue-store.ts'
import { compareInListOrder, type Device, type DeviceRegistry } from '../../catalog/device.ts'
import { missingRate } from '../../currency/exchange.ts'
import { exchangeRateStore } from '../../currency/exchange-rate-store.ts'
import { createRateLookup } from '../../currency/rate-lookup.ts'
import { memoizeWeak } from '../../lib/memoize.ts'
import { reason } from '../../lib/reasons.ts'
import { dayOf } from '../../lib/time.ts'
import { createFirstPriceRanges, type FirstPriceRanges } from '../../pricing/first-price-ranges.ts'
import { pricingStore } from '../../pricing/markets/pricing-store.ts'
import { repriceAfterImport } from '../../pricing/markets/repricing-service.ts'
import { markLocal } from '../../pricing/observations/observation-store.ts'
import { createSubjectMatcher, STORAGE_MISSING } from '../../pricing/observations/subject-matcher.ts'
import type { DateOrder } from '../../tables/date.ts'
import { MAX_HEADER_LINES } from '../../tables/table-lines.ts'
import { type Importer, importStopped } from '../importer.ts'
import type { ByteSource } from '../read/byte-source-service.ts'
import { readCsvBlocks } from '../read/csv-reader.ts'
import { decodeText } from '../read/encoding.ts'
import { measureLevel } from './known-prices-service.ts'
import { createTacLearner } from './learned-tacs-service.ts'
import { pruneReplaced } from './observation-removal-store.ts'
import { prefetch } from './prefetch.ts'
import { openPriceBatches } from './price-batches-service.ts'
import {
  type ColumnLayout,
  EMPTY_CELLS,
  type FileColumn,
  PRICE_COLUMN_NAMES,
  type PriceColumn,
  UnrecognisedColumnsError,
  withTerms,
} from './price-columns.ts'
import { formatAlsoMoved } from './price-effect.ts'
import { createPriceEffect, THESE_DEVICES_ONLY } from './price-effect-service.ts'
import { deviceInName, marketFromFileName, nameWithFolder } from './price-file-name.ts'
import { PRICE_OPTIONS, type PriceOptions, parsePriceOptions } from './price-options.ts'
import { createPreviewBuilder } from './price-preview.ts'
import {
  assumeTerms,
  findPriceQuestions,
  isGradedSheet,
  levelQuestion,
  OpenPriceQuestionsError,
  type PriceQuestion,
  sureAnswers,
  USUAL_CONDITION,
} from './price-questions.ts'
import { createListingIdGenerator, createPriceRowParser, subjectNameOf } from './price-row.ts'
import { examineSamples } from './price-samples.ts'
import { type CellRow, type OnColumns, openPriceTable, type PriceTable } from './price-table.ts'
import { decideTerms, describeTerms, OPTION_OF_COLUMN } from './price-terms.ts'
import { readTitleAliases, saveTitleAliases } from './title-alias-store.ts'
import type { ResolvedSubject } from './title-worker.ts'
import { startTitleWorkers } from './title-workers-service.ts'
import { createVariantAdder, type PendingPriceRow, type VariantAdder } from './variant-adder-service.ts'

/** Worker threads have to learn all names first, which pays for lists of this size. */
const MIN_BYTES_FOR_WORKERS = 1_000_000
/** Blocks whose titles are resolved ahead of the rows that are being read. */
const BLOCKS_AHEAD = 12
/** Share of amounts that are wide ranges, from which the operator is asked. */
const MIN_WIDE_RANGES = 0.1
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
    [THESE_DEVICES_ONLY]:
      'use the prices for the devices of the list only; without it own prices also move devices like them',
    'confirm-amounts': 'import prices that move your own by more than a third; without it they are rejected',
  },
  takesSeveralFiles: true,
  async run(source, context) {
    const { db, report, progress, signal } = context
    const options = parsePriceOptions(context.options)
    const rates = createRateLookup(await exchangeRateStore(db).all())
    const { currency } = options.defaults
    const statedColumns = (Object.keys(OPTION_OF_COLUMN) as PriceColumn[]).filter(
      (column) => options.defaults[column] !== undefined,
    )
    if (currency && !rates.currencies.includes(currency)) throw missingRate('currency', currency, rates.currencies)
    let devices: readonly Device[] = await readAllDevices(db)
    let firstPriceOf = firstPricesOf([], context.now())
    const assigned = new Map([...(await readTitleAliases(db, context.organizationId)), ...options.assigned])
    const preview = context.dryRun ? createPreviewBuilder(options.grades) : undefined
    const isOwnList = context.organizationId !== ''
    const effect = context.dryRun || isOwnList ? createPriceEffect(context) : undefined
    if (!context.dryRun && isOwnList && context.options[THESE_DEVICES_ONLY]) await markLocal(db, context.runId)
    const batches = await openPriceBatches(context, () => firstPriceOf, effect)
    const listingIdOf = createListingIdGenerator()
    // The common market has no organization whose devices these could be.
    const learner = context.organizationId === '' ? undefined : createTacLearner(db)
    let fileColumns: readonly FileColumn[] = []
    let unreadSheet: UnrecognisedColumnsError | undefined
    /** What other sheets say about the prices. */
    const remarks: string[] = []
    let rowsRead = 0
    let variantsAdded = 0
    let tacsLearned = 0

    const showColumns: OnColumns = (columns) => {
      preview?.setColumns(columns)
      fileColumns = columns
      report.setColumns(columns.map(({ name }) => name))
    }

    function showPartialPreview(): void {
      const partialPreview = preview?.build()
      if (partialPreview && partialPreview.columns.length > 0) context.onPreview(partialPreview)
    }

    const matchText = (model: string) => matcherOf(devices)({ ...NO_SUBJECT, model })

    const deviceOf = (text: string): string | null => {
      const match = matchText(text)
      if (!('problem' in match)) return match.deviceId
      return match.base?.deviceId ?? (match.problem === STORAGE_MISSING ? text : null)
    }

    const findDeviceInName = () =>
      deviceInName(source.name, devices, (phrase) => {
        const match = matchText(phrase)
        const subject = 'problem' in match ? match.base : match
        return subject ? [subject.deviceId] : []
      })

    async function openTable(file: ByteSource): Promise<PriceTable> {
      try {
        const table = await openPriceTable(file, context, options.map, showColumns, {
          needsModel: options.defaults.model === undefined,
          isDeviceInName: () => findDeviceInName() !== null,
          deviceOf,
          stated: statedColumns,
        })
        preview?.setLayout(table.layout)
        for (const [column, title] of Object.entries(table.layout.overruled ?? {})) {
          const option = OPTION_OF_COLUMN[column as PriceColumn] ?? column
          context.notify(
            `${file.name}: the option ${option} counts in place of the column ${title}.`,
            reason('note_option_overrules', { name: file.name, option, column: title }),
          )
        }
        return table
      } catch (error) {
        preview?.setLayout(error instanceof UnrecognisedColumnsError ? error : { names: {} })
        showPartialPreview()
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
      const columnsOf = ({ layout: { names, implied } }: PriceTable) => JSON.stringify([names, implied])
      const isLike = table && (!first || columnsOf(first) === columnsOf(table))
      if (isLike) return table
      if (!table) remarks.push(...(await firstLinesOf(file)))
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

    /** Cells that name devices may be titles in a column that is not recognised. */
    function deviceOfFile() {
      const name = findDeviceInName()
      return name === null
        ? null
        : { name, isSure: !fileColumns.some(({ examples }) => examples.some((text) => deviceOf(text) !== null)) }
    }

    /** Asks about the whole file before any row could be rejected for what the file does not say. */
    async function askAboutTerms(file: ByteSource, table: PriceTable): Promise<PriceList> {
      const first = await table.blocks.next()
      const firstBlock: readonly CellRow[] = first.done ? [] : first.value
      const heading = [...table.titles, ...remarks].join('\n')
      const { layout } = table
      const rows = firstBlock.flatMap(({ cells }) => cells ?? []).slice(0, SAMPLE_ROWS)
      const samples = examineSamples(
        rows,
        layout,
        { file: source.name, heading, columns: fileColumns.map(({ name }) => name) },
        {
          ...{ options, rates, assigned, now: context.now(), defaultMarket: context.defaultMarket },
          firstPriceOf: firstPricesOf(devices, context.now()),
          findSubject: matcherOf(devices),
        },
      )
      const facts = {
        file: nameWithFolder(source.name),
        columns: fileColumns.map(({ name }) => name),
        heading,
        sheet: file.sheet ?? '',
        layout,
        samples: rows,
        options,
        defaultMarket: context.defaultMarket,
        isPlausibleIn: samples.isPlausibleIn,
        isSellingLevel: samples.isSellingLevel,
        doubtfulDate:
          samples.isDateDoubtful && !layout.names.date && !layout.names.listedOn && !options.defaults.date
            ? samples.date
            : null,
        deviceInName: hasDeviceColumn(layout) || options.defaults.model !== undefined ? null : deviceOfFile(),
      }
      const termQuestions = findPriceQuestions(facts)
      const guessed = (name: PriceQuestion['name']) => termQuestions.find((question) => question.name === name)?.guess
      const side = options.defaults.side ?? layout.implied.side ?? guessed('side') ?? 'ask'
      const isUnitOpen = options.unit === undefined && context.options['confirm-amounts'] === undefined
      const level = isUnitOpen
        ? await measureLevel(
            samples.rowsIn(guessed('currency') ?? null, side),
            devices,
            firstPricesOf(devices, context.now()),
            context,
          )
        : null
      const questions = [
        ...termQuestions,
        ...levelQuestion(level),
        ...(context.options.range === undefined && samples.wideRanges >= MIN_WIDE_RANGES
          ? [{ name: 'range' as const, guess: 'low', isSure: false }]
          : []),
      ]
      const words =
        Object.keys(layout.names).length > 0 ? (sureAnswers(termQuestions.filter(({ isSure }) => isSure)) ?? {}) : {}
      const terms = decideTerms({
        options,
        fromProfile: new Set(context.profileOptions),
        layout,
        words,
        usual: {
          source: marketFromFileName(source.name),
          date: samples.date,
          market: context.defaultMarket,
          currency: samples.usualCurrency ?? null,
        },
      })
      preview?.setTerms(questions, assumeTerms(facts), terms)
      const answers = context.acceptsGuesses ? sureAnswers(questions) : undefined
      if (questions.length > 0 && answers) {
        const told = questions.map(({ name, guess }) => `${name} ${guess}`)
        context.notify(`${file.name} is read as: ${told.join(', ')}. Set the options if that is wrong.`)
      } else if (questions.length > 0) {
        showPartialPreview()
        throw new OpenPriceQuestionsError(file.name, questions)
      }
      context.notify(`${file.name}: ${describeTerms(terms)}.`)
      context.onSummary?.({ columns: columnsReadAs(fileColumns, layout), terms })
      async function* allBlocks() {
        yield firstBlock
        yield* table.blocks
      }
      const { date, dateOrder, usualCurrency } = samples
      return { file, table: { ...table, blocks: allBlocks() }, date, dateOrder, usualCurrency, answers }
    }

    function noteMissingDates({ name }: ByteSource, date: string): void {
      const isToday = date === dayOf(context.now())
      context.notify(
        `${name} has no column with dates: its prices count as of ${isToday ? 'today' : date}.`,
        isToday ? reason('note_no_dates', { name }) : reason('note_date_of_file', { name, date }),
      )
    }

    async function readList({ file, table, date, dateOrder, usualCurrency, answers }: PriceList): Promise<void> {
      const { layout, blocks, rawFields } = table
      if (layout.names.date === undefined && options.defaults.date === undefined) noteMissingDates(file, date)
      firstPriceOf = firstPricesOf(devices, context.now())
      const rules = {
        isWithoutVat: (options.vat ?? layout.vat) === 'excluded',
        vatRate: layout.vatRate,
        unit: layout.unit,
        isPerLot: layout.isPerLot,
        statedUnit: options.unit,
        rates,
        firstPriceOf,
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
      const adder = createVariantAdder(context, devices)
      const isLong = (file.totalBytes ?? 0) >= MIN_BYTES_FOR_WORKERS
      // Workers do not report missing sizes, which the adder of all sizes needs.
      const workers =
        isLong && layout.names.model && !context.options['add-variants'] ? startTitleWorkers(devices) : undefined
      let readRow = createPriceRowParser({ ...rules, findSubject: matcherOf(devices) })

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
        batches.add({ line, parsed, listingId: listingIdOf(parsed), fields: () => rawFields(raw) })
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
          await batches.writeIfFull()
        }
      } finally {
        workers?.stop()
      }
      if (!adder.hasRequests() || signal.aborted) return
      const { devices: updatedDevices, rows, added } = await adder.finish()
      variantsAdded += added
      devices = updatedDevices
      readRow = createPriceRowParser({ ...rules, findSubject: matcherOf(devices) })
      for (const row of rows) addRow(row, undefined)
    }

    // All headers are read first: an archive with one bad file is rejected as a whole.
    const tables: { readonly file: ByteSource; readonly table: PriceTable }[] = []
    for (const file of source.members ?? [source]) {
      const table = file.sheet === undefined ? await openTable(file) : await openSheet(file, tables[0]?.table)
      if (table) tables.push({ file, table })
      if (file === (source.members ?? [source])[0]) remarks.push(...(file.remarks ?? []))
    }
    if (unreadSheet && tables.length === 0) throw unreadSheet
    const terms = [...remarks, ...tables.flatMap(({ table }) => table.titles)]
    const lists: PriceList[] = []
    for (const { file, table } of tables) {
      const layout = withTerms(table.layout, terms)
      lists.push(await askAboutTerms(file, { ...table, layout }))
    }
    for (const list of lists) if (!signal.aborted) await readList(list)
    await batches.finish()
    if (!context.dryRun) {
      await saveTitleAliases(db, context.organizationId, options.assigned, context.now())
      await pruneReplaced(db, context.now())
      const origin = { organizationId: context.organizationId, importId: context.runId, now: context.now() }
      tacsLearned = (await learner?.finish(origin)) ?? 0
      if (batches.isCommon && !signal.aborted)
        await repriceAfterImport(
          pricingStore(db, context.defaultMarket),
          registryOf(devices),
          batches.written(),
          context.now(),
        )
    }
    if (preview && effect) context.onPreview(preview.build(await effect.measure(devices)))
    const others = !preview && effect && !signal.aborted ? (await effect.measure(devices)).others : undefined
    const alsoMoved = others ? formatAlsoMoved(others) : ''
    if (alsoMoved !== '') context.notify(alsoMoved)
    if (signal.aborted && !context.dryRun) throw importStopped(batches.written(), null, 'observations')
    return {
      ...{ rows: rowsRead, ...batches.counts() },
      ...((context.options['add-variants'] || variantsAdded > 0) && { variants_added: variantsAdded }),
      ...(tacsLearned > 0 && { tacs_learned: tacsLearned }),
      ...(others &&
        others.devices > 0 && { also_moved_devices: others.devices, also_moved_percent: others.averagePercent }),
    }
  },
}

/** The lines of a sheet that is no price list, such as the terms of delivery. */
async function firstLinesOf(file: ByteSource): Promise<readonly string[]> {
  for await (const rows of readCsvBlocks(
    decodeText(file, () => {}),
    file.name,
  ))
    return rows.slice(0, MAX_HEADER_LINES).map(({ fields }) => fields.join(' ').trim())
  return []
}

/** A file or sheet whose open questions are answered. */
type PriceList = {
  readonly file: ByteSource
  readonly table: PriceTable
  /** Day of prices without a date. */
  readonly date: string
  readonly dateOrder: DateOrder | undefined
  readonly usualCurrency: string | undefined
  /** What the file says in other words. */
  readonly answers: PriceOptions['defaults'] | undefined
}

const NO_SUBJECT = { variantId: '', sku: '', partNumber: '', make: '', model: '', storage: '', ram: '', color: '' }

const matcherOf = memoizeWeak((devices: readonly Device[]) => createSubjectMatcher(devices))

const firstPricesOf = (devices: readonly Device[], now: number): FirstPriceRanges =>
  createFirstPriceRanges(registryOf(devices), now)

const registryOf = memoizeWeak((devices: readonly Device[]): DeviceRegistry => {
  const byId = new Map(devices.map((device) => [device.id, device]))
  const byCategory = Map.groupBy(devices, ({ category }) => category)
  return {
    findDevice: (id) => byId.get(id),
    findVariant: () => undefined,
    listDevicesOfCategory: (category) => (byCategory.get(category) ?? []).toSorted(compareInListOrder),
  }
})

const MAX_COLUMNS_TOLD = 100
const MAX_TITLE_CHARS = 100

/** What each column of the file was taken for. */
const columnsReadAs = (columns: readonly FileColumn[], { names }: ColumnLayout) =>
  columns.slice(0, MAX_COLUMNS_TOLD).map(({ name }) => ({
    name: name.slice(0, MAX_TITLE_CHARS),
    field: PRICE_COLUMN_NAMES.find((field) => names[field]?.trim() === name) ?? null,
  }))

/** Whether a column names the device of each row. */
const hasDeviceColumn = ({ names: { variant, sku, partNumber, model } }: ColumnLayout) =>
  [variant, sku, partNumber, model].some((name) => name !== undefined)
