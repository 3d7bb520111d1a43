/** The columns of a list of devices: which there are, and where a list has them. */
import { withEnglishTitles } from '../appraisal/sheet-words.ts'
import { parseCondition } from '../catalog/grade-words.ts'
import { isModelWord } from '../catalog/matching/model-words.ts'
import { LIST_COLUMNS, type ListColumn } from '../contract/device-list-columns.ts'
import { unguardFormula } from '../lib/csv-writer.ts'
import { foldText } from '../lib/fold-text.ts'
import { meaningOfSign, parseAmount } from '../tables/amount.ts'
import { columnKey, shortColumnKey } from '../tables/column-key.ts'
import { resemblesColumn } from '../tables/column-resemblance.ts'
import { COLUMN_KEYS, type NamedColumn } from '../tables/column-words.ts'
import { withoutQualifiers } from '../tables/price-title.ts'
import { isSizeCell, readSizePair } from '../tables/size-cell.ts'
import { createLineClassifier, findHeaderLine, type LineKind } from '../tables/table-lines.ts'
import type { TableRow } from '../tables/table-row.ts'

/** Words of each column. */
const COLUMN_SOURCES = {
  identifier: ['imei'],
  serial: ['serial'],
  variant_id: ['variant'],
  device_id: ['deviceId'],
  text: ['model'],
  make: ['make'],
  condition: ['condition'],
  defects: ['defects'],
  storage: ['storage'],
  color: ['color'],
  ram: ['ram'],
  lock: ['lock'],
  carrier: ['carrier'],
  battery: ['battery'],
  quantity: ['quantity'],
  asking_price: ['amount'],
  currency: ['currency'],
  notes: ['notes', 'description'],
  reference: ['reference', 'listing', 'sku'],
} as const satisfies Record<ListColumn, readonly NamedColumn[]>

/** Columns that name the device. */
export const IDENTIFYING_COLUMNS: readonly ListColumn[] = ['text', 'identifier', 'serial', 'device_id', 'variant_id']

/** The field of each column of a file; null if it is not used. */
export type ColumnAssignment = readonly (ListColumn | null)[]

export type ListLayout = {
  /** Titles of the columns; empty texts if the list has no header. */
  readonly header: readonly string[]
  readonly hasHeader: boolean
  /** Position of the first line below the header. */
  readonly firstRow: number
  readonly columns: ColumnAssignment
}

const SAMPLE_ROWS = 20

/** Finds the header among the first lines and the field of each column. A list without a header gets guessed columns. */
export function detectListLayout(rows: readonly TableRow[]): ListLayout {
  const headerIndex = findHeaderLine(rows, (fields, index) => {
    const named = nameColumns(fields).filter((column) => column !== null).length
    // A single word may stand in any line; only in the first one it is the header of a list with one column.
    return index === 0 || named > 1 ? named : 0
  })
  if (headerIndex >= 0) {
    const header = rows[headerIndex]?.fields ?? []
    const firstRow = headerIndex + 1
    const samples = rows.slice(firstRow, firstRow + SAMPLE_ROWS)
    const graded = withSizes(withGrades(nameColumns(header), samples), header, samples)
    const columns = withRemarks(withDevice(graded, header, samples), header, samples)
    return { header, hasHeader: true, firstRow, columns }
  }
  const samples = rows.slice(0, SAMPLE_ROWS)
  const columns = withSizes(guessColumns(samples), [], samples)
  return { header: columns.map(() => ''), hasHeader: false, firstRow: 0, columns }
}

/** Share of the cells of a column that are grades. */
const MIN_GRADE_SHARE = 0.6

/** Without a column that is named so, the one with the most grades is the condition. */
function withGrades(columns: ColumnAssignment, samples: readonly TableRow[]): ColumnAssignment {
  if (columns.includes('condition')) return columns
  const graded = columns.flatMap((column, at) => {
    const cells = samples.map(({ fields }) => fields[at]?.trim() ?? '').filter(Boolean)
    const grades = cells.filter((cell) => parseCondition(cell)).length
    return column === null && grades > cells.length * MIN_GRADE_SHARE ? [{ at, grades }] : []
  })
  const [best, second] = graded.toSorted((a, b) => b.grades - a.grades)
  // Remarks such as "cracked screen" stand in a few rows.
  return best && best.grades > (second?.grades ?? 0) ? columns.with(best.at, 'condition') : columns
}

/** Share of the cells of a column that are storage sizes. */
const MIN_SIZE_SHARE = 0.8

/** Without a column that is named so, the only one of storage sizes: without a size the offer is that of the smallest. */
function withSizes(
  columns: ColumnAssignment,
  header: readonly string[],
  samples: readonly TableRow[],
): ColumnAssignment {
  if (columns.includes('storage')) return columns
  const sized = columns.flatMap((column, at) => {
    const cells = samples.map(({ fields }) => fields[at]?.trim() ?? '').filter(Boolean)
    const isNamed = header[at] === undefined || resemblesColumn(header[at], 'storage')
    const isSized = cells.filter((cell) => isSizeCell(cell, isNamed)).length >= cells.length * MIN_SIZE_SHARE
    return column === null && cells.length > 0 && isSized ? [at] : []
  })
  // `RAM/ROM` begins like a column of memory.
  const memory = columns.indexOf('ram')
  const isPair = samples.some(({ fields }) => readSizePair(fields[memory] ?? ''))
  const [only = isPair ? memory : -1, ...others] = sized
  return only < 0 || others.length > 0 ? columns : columns.with(only, 'storage')
}

/** Share of the cells of a column that can be names of devices, or IMEIs. */
const MIN_DEVICE_SHARE = 0.5
/** Columns whose names no list has, such as `Nazwa urządzenia`, and what their cells are. */
const RESEMBLING = [
  { column: 'identifier', source: 'imei', isCell: isNumberLikeImei, others: ['identifier', 'serial'] },
  { column: 'text', source: 'model', isCell: isWords, others: ['text', 'device_id', 'variant_id'] },
] as const satisfies readonly {
  readonly column: ListColumn
  readonly source: NamedColumn
  readonly isCell: (cell: string) => boolean
  readonly others: readonly ListColumn[]
}[]

/** Without columns that are named so, the only one whose name resembles that of the device, or of the IMEI. */
function withDevice(
  columns: ColumnAssignment,
  header: readonly string[],
  samples: readonly TableRow[],
): ColumnAssignment {
  return RESEMBLING.reduce((before: ColumnAssignment, { column, source, isCell, others }) => {
    if (others.some((other) => before.includes(other))) return before
    const fitting = header.flatMap((title, at) => {
      const cells = samples.map(({ fields }) => fields[at]?.trim() ?? '').filter(Boolean)
      const fits = cells.filter(isCell).length > cells.length * MIN_DEVICE_SHARE
      return before[at] === null && fits && resemblesColumn(title, source) ? [at] : []
    })
    return fitting.length === 1 ? before.with(fitting[0] as number, column) : before
  }, columns)
}

/** No column of words is lost: the one with most words whose name says nothing is read as remarks, the next one as faults. */
function withRemarks(
  columns: ColumnAssignment,
  header: readonly string[],
  samples: readonly TableRow[],
): ColumnAssignment {
  if (!columns.some((column) => column !== null && IDENTIFYING_COLUMNS.includes(column))) return columns
  const wordsIn = (at: number) =>
    samples.reduce((sum, { fields }) => sum + (fields[at]?.match(/\p{L}{2,}/gu)?.length ?? 0), 0)
  const worded = columns
    .flatMap((column, at) => (column === null && header[at]?.trim() !== '' ? [{ at, words: wordsIn(at) }] : []))
    .filter(({ words }) => words > 0)
    .toSorted((a, b) => b.words - a.words)
  const free = (['notes', 'defects'] as const).filter((column) => !columns.includes(column))
  return columns.map((column, at) => column ?? free[worded.findIndex((each) => each.at === at)] ?? null)
}

export function nameColumns(header: readonly string[]): ColumnAssignment {
  const titles = withEnglishTitles(header.map((title) => title.trim()))
  const keys = titles.map(columnKey)
  const shortKeys = titles.map(shortColumnKey)
  const columns: (ListColumn | null)[] = header.map(() => null)
  const take = (column: ListColumn, words: readonly string[], candidates: readonly string[]) => {
    if (columns.includes(column)) return
    for (const word of words) {
      const at = candidates.findIndex((key, position) => key === word && columns[position] === null)
      if (at < 0) continue
      columns[at] = column
      return
    }
  }
  const wordsOf = (column: ListColumn) => [
    ...COLUMN_SOURCES[column].flatMap((source) => COLUMN_KEYS[source]),
    ...(column === 'lock' ? UNLOCKED_TITLES : []),
  ]
  for (const column of LIST_COLUMNS) take(column, wordsOf(column), keys)
  take('asking_price', wordsOf('asking_price'), keys.map(withoutQualifiers))
  for (const column of LIST_COLUMNS) take(column, wordsOf(column), shortKeys)
  // In a list without another name the description names the device.
  const description = keys.findIndex(
    (key, at) => COLUMN_KEYS.description.includes(key) && [null, 'notes'].includes(columns[at] ?? null),
  )
  if (description >= 0 && !columns.includes('text')) columns[description] = 'text'
  return columns
}

/** In a column with such a title "yes" means that the device is not locked. */
const UNLOCKED_TITLES: readonly string[] = [
  ...['unlocked', 'sim free', 'simlockfrei', 'netzfrei', 'entsperrt', 'desimlocke', 'debloque', 'libre', 'liberado'],
  ...['desbloqueado', 'bez simlocka', 'bez simlocku', 'neuzblokuotas'],
]
const YES = /^(?:yes|y|ja|j|oui|si|sim|tak|taip|x|1|true|✓|✔)$/
const NO = /^(?:no|n|nein|non|nao|nie|ne|0|false)$/

/** Without a header: the columns of identifiers and of grades, and the first column of words. */
function guessColumns(rows: readonly TableRow[]): ColumnAssignment {
  const width = Math.max(0, ...rows.map(({ fields }) => fields.length))
  const share = (at: number, fits: (cell: string) => boolean) =>
    rows.filter(({ fields }) => fits(fields[at]?.trim() ?? '')).length / Math.max(1, rows.length)
  const positions = Array.from({ length: width }, (_, at) => at)
  const identifier = positions.find((at) => share(at, isNumberLikeImei) > 0.5)
  const text = positions.find((at) => at !== identifier && share(at, isWords) > 0.5)
  const condition = positions.find(
    (at) => at !== identifier && at !== text && share(at, (cell) => parseCondition(cell) !== undefined) > 0.5,
  )
  const price = positions.filter((at) => at !== identifier && share(at, isMoney) > 0.5)
  const fieldOf = (at: number) =>
    at === identifier
      ? 'identifier'
      : at === text
        ? 'text'
        : at === condition
          ? 'condition'
          : at === price[0] && price.length === 1
            ? 'asking_price'
            : null
  return positions.map(fieldOf)
}

function isNumberLikeImei(cell: string): boolean {
  return /^[\d\s./-]+$/.test(cell) && /^\d{14,17}$/.test(cell.replace(/[\s./-]/g, ''))
}

/** An amount that cannot be a count, a size or a number of something. */
function isMoney(cell: string): boolean {
  const amount = parseAmount(cell)
  return !('problem' in amount) && (amount.currency !== null || amount.sharedBy !== undefined)
}

function isWords(cell: string): boolean {
  return /\p{L}{3}/u.test(cell)
}

/** Tells rows from titles and sums by the columns that name a device. */
/** "iPhone 13 128GB with a crack in the corner", unlike "Prices are valid for 7 days, iPhones without box". */
function beginsWithDevice(text: string): boolean {
  const [first = '', ...others] = text.split(/[\s,]+/).slice(0, MAX_WORDS_BEFORE_MODEL)
  return !/[:!]$/.test(text) && [first, ...others].some(isModelWord) && others.some((word) => /\d/.test(word))
}
const MAX_WORDS_BEFORE_MODEL = 4

export function createRowClassifier(
  { header, hasHeader }: Pick<ListLayout, 'header' | 'hasHeader'>,
  columns: ColumnAssignment,
): (fields: readonly string[]) => LineKind {
  const identifying = columns.flatMap((column, at) => (column && IDENTIFYING_COLUMNS.includes(column) ? [at] : []))
  const reference = columns.indexOf('reference')
  return createLineClassifier(hasHeader ? header : [], {
    identifying,
    isDevice: beginsWithDevice,
    reference: reference < 0 ? undefined : reference,
  })
}

/**
 * The trimmed cell of a field; empty if the list does not have it. Downloads escape formulas with an apostrophe. Without a
 * column for it, the currency is the one that the title of the prices names, such as `Preis (€)`.
 */
export function createCellGetter(
  columns: ColumnAssignment,
  header: readonly string[] = [],
): (fields: readonly string[], column: ListColumn) => string {
  const positions = new Map(columns.flatMap((column, at) => (column ? [[column, at] as const] : [])))
  const titleCurrency = positions.has('currency') ? '' : currencyOfTitle(header[positions.get('asking_price') ?? -1])
  const isUnlockedColumn = UNLOCKED_TITLES.includes(columnKey(header[positions.get('lock') ?? -1] ?? ''))
  return (fields, column) => {
    if (column === 'currency' && titleCurrency !== '') return titleCurrency
    const cell = unguardFormula(fields[positions.get(column) ?? -1]?.trim() ?? '')
    if (column !== 'lock' || !isUnlockedColumn) return cell
    const answer = foldText(cell)
    return YES.test(answer) ? 'unlocked' : NO.test(answer) ? 'locked' : cell
  }
}

/** The currency of a title, else its sign that several currencies share, such as `$`. */
function currencyOfTitle(title = ''): string {
  const words = columnKey(title).split(' ')
  const meanings = words.map(meaningOfSign)
  const only = meanings.find((meaning) => meaning && !meaning.sharedBy)?.currency
  return only ?? words[meanings.findIndex((meaning) => meaning?.sharedBy)] ?? ''
}
