/** The columns of a list of devices: which there are, and where a list has them. */
import cellWords from '../../data/aliases/cell-words.json' with { type: 'json' }
import { withEnglishTitles } from '../appraisal/sheet-words.ts'
import { isModelWord } from '../catalog/matching/model-words.ts'
import { LIST_COLUMNS, type ListColumn } from '../contract/device-list-columns.ts'
import { unguardFormula } from '../lib/csv-writer.ts'
import { foldText } from '../lib/fold-text.ts'
import { meaningOfSign } from '../tables/amount.ts'
import {
  assignColumns,
  type Field,
  isNamed,
  type Schema,
  shareOf,
  type TableColumn,
  tableColumns,
  titleKeys,
} from '../tables/assign-columns.ts'
import { columnKey } from '../tables/column-key.ts'
import { COLUMN_KEYS, type NamedColumn } from '../tables/column-words.ts'
import { DECOYS, deviceFits, fits } from '../tables/fields.ts'
import { withoutQualifiers } from '../tables/price-title.ts'
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
  lock: ['lock', 'unlockedAnswer'],
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

const SAMPLE_ROWS = 150

/** Finds the header among the first lines and the field of each column. A list without a header gets guessed columns. */
export function detectListLayout(rows: readonly TableRow[]): ListLayout {
  const headerIndex = findHeaderLine(rows, (fields, index) => {
    const named = nameColumns(fields).filter((column) => column !== null).length
    // A single word may stand in any line; only in the first one it is the header of a list with one column.
    return index === 0 || named > 1 ? named : 0
  })
  const hasHeader = headerIndex >= 0
  const firstRow = headerIndex + 1
  const samples = rows.slice(firstRow, firstRow + SAMPLE_ROWS)
  const width = Math.max(0, ...samples.slice(0, 20).map(({ fields }) => fields.length))
  const header = hasHeader ? (rows[headerIndex]?.fields ?? []) : Array.from({ length: width }, () => '')
  const columns = assignListColumns(header, (at) => samples.map(({ fields }) => fields[at] ?? ''))
  return { header, hasHeader, firstRow, columns: hasHeader ? withRemarks(columns, header, samples) : columns }
}

/** The fields of columns by their names alone. */
export const nameColumns = (header: readonly string[]): ColumnAssignment => assignListColumns(header, () => [])

function assignListColumns(
  header: readonly string[],
  cellsOf: (at: number) => readonly string[],
): readonly (ListColumn | null)[] {
  const titles = withEnglishTitles(header.map((title) => title.trim()))
  const columns = tableColumns(titles, cellsOf, (title) => titleKeys(title, withoutQualifiers))
  const { fields } = assignColumns(columns, listFields(columns))
  if (fields.includes('text')) return fields
  // In a list without another name the description names the device, without a header the first column of words.
  const description = columns.find(
    (column) => isNamed(column, 'description') && [null, 'notes'].includes(fields[column.at] ?? null),
  )
  const named = description ?? columns.find((column) => isUnnamedText(column) && fields[column.at] === null)
  return named ? fields.with(named.at, 'text') : fields
}

const isUnnamedText = (column: TableColumn) => column.title === '' && shareOf(column, isWords) > 0.5

function listFields(columns: readonly TableColumn[]): Schema<ListColumn> {
  const device = deviceFits(columns)
  const special: Partial<Record<ListColumn, Omit<Field<ListColumn>, 'name' | 'words'>>> = {
    identifier: { fit: fits.identifier, byCells: 8, misfit: 0 },
    text: {
      fit: (column) => Math.max(device.fit(column), shareOf(column, isWords) / 2),
      ...{ fitAlone: device.fit, preference: device.preference, byCells: 11, minFit: 0.35, misfit: 0 },
    },
    condition: { fit: fits.grade, byCells: 8, minFit: 0.6, misfit: 0 },
    storage: { fit: fits.size, fitAlone: fits.sizeAlone, byCells: 8, minFit: 0.8, misfit: 0 },
    ram: { fit: fits.memory },
    asking_price: { fit: fits.amount, fitAlone: fits.money, byCells: 7, minFit: 0.7 },
    currency: { fit: fits.currency, byCells: 8, minFit: 1 },
  }
  return {
    fields: LIST_COLUMNS.map((name) => ({ name, words: COLUMN_SOURCES[name], ...special[name] })),
    decoys: DECOYS,
  }
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

const isWords = (cell: string) => /\p{L}{3}/u.test(cell)

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
  const isUnlockedColumn = COLUMN_KEYS.unlockedAnswer.includes(columnKey(header[positions.get('lock') ?? -1] ?? ''))
  return (fields, column) => {
    if (column === 'currency' && titleCurrency !== '') return titleCurrency
    const cell = unguardFormula(fields[positions.get(column) ?? -1]?.trim() ?? '')
    if (column !== 'lock' || !isUnlockedColumn) return cell
    const answer = foldText(cell)
    return YES.has(answer) ? 'unlocked' : NO.has(answer) ? 'locked' : cell
  }
}

const YES = new Set(cellWords.yes)
const NO = new Set(cellWords.no)

/** The currency of a title, else its sign that several currencies share, such as `$`. */
function currencyOfTitle(title = ''): string {
  const words = columnKey(title).split(' ')
  const meanings = words.map(meaningOfSign)
  const only = meanings.find((meaning) => meaning && !meaning.sharedBy)?.currency
  return only ?? words[meanings.findIndex((meaning) => meaning?.sharedBy)] ?? ''
}
