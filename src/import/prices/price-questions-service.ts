/** The second step of an import of prices: decides what holds for all rows, and asks about what nothing says before any row is read. */
import type { DateOrder } from '../../tables/date.ts'
import type { ByteSource } from '../read/byte-source-service.ts'
import { measureLevel } from './known-prices-service.ts'
import { type ColumnLayout, type FileColumn, PRICE_COLUMN_NAMES } from './price-columns.ts'
import { marketFromFileName, nameWithFolder } from './price-file-name.ts'
import {
  deviceOf,
  findDeviceInName,
  firstPricesOf,
  matcherOf,
  type PriceImport,
  showPartialPreview,
} from './price-import-service.ts'
import type { PriceOptions } from './price-options.ts'
import {
  assumeTerms,
  findPriceQuestions,
  levelQuestion,
  OpenPriceQuestionsError,
  type PriceQuestion,
  sureAnswers,
} from './price-questions.ts'
import { examineSamples } from './price-samples.ts'
import type { CellRow, PriceTable } from './price-table.ts'
import type { FileTable } from './price-tables-service.ts'
import { decideTerms, describeTerms } from './price-terms.ts'

/** Share of amounts that are wide ranges, from which the operator is asked. */
const MIN_WIDE_RANGES = 0.1
/** Rows by which it is decided what a file does not say. */
const SAMPLE_ROWS = 500

/** A file or sheet whose open questions are answered. */
export type PriceList = {
  readonly file: ByteSource
  readonly table: PriceTable
  /** Day of prices without a date. */
  readonly date: string
  readonly dateOrder: DateOrder | undefined
  readonly usualCurrency: string | undefined
  /** What the file says in other words. */
  readonly answers: PriceOptions['defaults'] | undefined
}

/** Throws the questions that are open. */
export async function ask(run: PriceImport, tables: readonly FileTable[]): Promise<readonly PriceList[]> {
  const lists: PriceList[] = []
  for (const table of tables) lists.push(await askAboutTerms(run, table))
  return lists
}

/** Cells that name devices may be titles in a column that is not recognised. */
function deviceOfFile(run: PriceImport) {
  const name = findDeviceInName(run)
  return name === null
    ? null
    : { name, isSure: !run.fileColumns.some(({ examples }) => examples.some((text) => deviceOf(run, text) !== null)) }
}

/** Asks about the whole file before any row could be rejected for what the file does not say. */
async function askAboutTerms(run: PriceImport, { file, table }: FileTable): Promise<PriceList> {
  const { source, context, options, rates, assigned, remarks, fileColumns, devices, preview } = run
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
    deviceInName: hasDeviceColumn(layout) || options.defaults.model !== undefined ? null : deviceOfFile(run),
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
    showPartialPreview(run)
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
