/** What the cells of a column can be, and the fields that price lists and device lists share. */
import cellWords from '../../data/aliases/cell-words.json' with { type: 'json' }
import { parseCondition } from '../catalog/grade-words.ts'
import { isModelWord } from '../catalog/matching/model-words.ts'
import { foldText } from '../lib/fold-text.ts'
import { memoize } from '../lib/memoize.ts'
import { gigabytesFromText } from '../text/sizes.ts'
import { meaningOfSign, parseAmount } from './amount.ts'
import { type Decoy, isNamed, NEVER, shareOf, type TableColumn } from './assign-columns.ts'
import { parseDate } from './date.ts'
import { isSizeCell, readSizePair } from './size-cell.ts'

/** The device that a text names, by an id or the text itself; null if it names none. */
export type DeviceOf = (text: string) => string | null

const isAmount = (cell: string) => {
  const amount = parseAmount(cell)
  return !('problem' in amount) && amount.value > 0
}

/** An amount that cannot be a count, a size or a number of something. */
const isMoney = (cell: string) => {
  const amount = parseAmount(cell)
  return (
    !('problem' in amount) &&
    (amount.currency !== null || amount.sharedBy !== undefined || /[.,](?:\d\d|-)$/.test(cell))
  )
}

const isGrade = (cell: string) => parseCondition(cell) !== undefined

/** A bare number may be a day of a spreadsheet, but also something else. */
const isDate = (cell: string) =>
  /\D/.test(cell) && (['dmy', 'mdy', 'ymd'] as const).some((order) => parseDate(cell, order) !== undefined)

const isCurrency = (cell: string) =>
  /^[A-Z]{3}$|^\p{Sc}$/u.test(cell) && meaningOfSign(cell.toLowerCase()) !== undefined

const isIdentifier = (cell: string) => /^[\d\s./-]+$/.test(cell) && /^\d{14,17}$/.test(cell.replace(/[\s./-]/g, ''))

const isCount = (cell: string) => /^\d{1,6}$/.test(cell)

/** A size, or those from which the buyer chooses: `128GB|256GB`. */
const isSize = (cell: string, isBareAllowed: boolean) =>
  isSizeCell(cell, isBareAllowed) || cell.split(/[|,;/]/).every((size) => isSizeCell(size.trim(), isBareAllowed))

/** No device has that much memory, except workstations. */
const MAX_MEMORY_GB = 32
const isMemory = (cell: string) => {
  const gigabytes = gigabytesFromText(cell)
  return readSizePair(cell) === null && gigabytes !== null && gigabytes <= MAX_MEMORY_GB
}

export const fits = {
  amount: (column: TableColumn) => shareOf(column, isAmount),
  money: (column: TableColumn) => shareOf(column, isMoney),
  grade: (column: TableColumn) => shareOf(column, isGrade),
  date: (column: TableColumn) => shareOf(column, isDate),
  currency: (column: TableColumn) => shareOf(column, isCurrency),
  identifier: (column: TableColumn) => shareOf(column, isIdentifier),
  memory: (column: TableColumn) => shareOf(column, isMemory),
  /** Bare numbers count where the name is or resembles that of storage. */
  size: (column: TableColumn) => shareOf(column, (cell) => isSize(cell, true)),
  sizeAlone: (column: TableColumn) => shareOf(column, (cell) => isSize(cell, false)),
  /** Of things, not answers: some cell is more than 1. */
  counts: (column: TableColumn) =>
    column.cells.some((cell) => isCount(cell) && Number(cell) > 1) ? shareOf(column, isCount) : 0,
} as const

/** The columns of amounts whose cells are those of another column without the same VAT. */
export function columnsWithoutVat(columns: readonly TableColumn[]): ReadonlySet<number> {
  const amounts = columns.flatMap(({ at, cells, rows }) => {
    if (cells.length < MIN_VAT_ROWS || cells.length < rows) return []
    const values = cells.map((cell) => parseAmount(cell)).map((amount) => ('problem' in amount ? 0 : amount.value))
    return values.every((value) => value > 0) ? [{ at, values }] : []
  })
  const isVatOf = (net: readonly number[], gross: readonly number[]) => {
    const [factor = 1] = net
      .map((value, at) => (gross[at] ?? 0) / value)
      .toSorted((a, b) => a - b)
      .slice(net.length >> 1)
    const percent = Math.round((factor - 1) * 200) / 2
    // Cents are rounded.
    const isPair = (value: number, at: number) => Math.abs((gross[at] ?? 0) / value / (1 + percent / 100) - 1) < 0.001
    return percent >= MIN_VAT_PERCENT && percent <= MAX_VAT_PERCENT && new Set(net).size > 1 && net.every(isPair)
  }
  return new Set(
    amounts.flatMap(({ at, values }) => (amounts.some((other) => isVatOf(values, other.values)) ? [at] : [])),
  )
}
const MIN_VAT_ROWS = 3
const MIN_VAT_PERCENT = 5
const MAX_VAT_PERCENT = 27

/** Without a catalogue: model words beside a number. */
const looksLikeDevice = memoize(5_000, (text: string): string | null => {
  const words = text.split(/[\s,/()_-]+/)
  return words.some(isModelWord) && /\d/.test(text) ? foldText(text).replace(/\s+/g, ' ').trim() : null
})

/** Cells by which it is decided which column names the device. */
const NAMED_CELLS = 60

type Naming = { readonly share: number; readonly devices: number; readonly length: number }

/** How well each column names devices: a column of few values beside one of many titles is a search word. */
export function deviceFits(columns: readonly TableColumn[], deviceOf: DeviceOf = looksLikeDevice) {
  const naming = new Map(columns.map((column) => [column.at, namingOf(column, deviceOf)]))
  const most = Math.max(1, ...[...naming.values()].map(({ devices }) => devices))
  const longest = Math.max(1, ...[...naming.values()].filter(({ share }) => share >= 0.5).map(({ length }) => length))
  const of = ({ at }: TableColumn) => naming.get(at) ?? { share: 0, devices: 0, length: 0 }
  return {
    /** Whether no other column names as many devices as this one does in short texts. */
    isBest(column: TableColumn): boolean {
      const { share, devices, length } = of(column)
      const isLess = (other: TableColumn) => other.at === column.at || of(other).devices < devices
      return share >= 0.5 && length < MAX_TITLE_CHARS && columns.every(isLess)
    },
    fit(column: TableColumn): number {
      const { share, devices } = of(column)
      return share * (0.3 + (0.7 * devices) / most)
    },
    /** "Apple iPhone 13 128GB Blue" says more than "iPhone 13"; a description that names few devices says less. */
    preference(column: TableColumn): number {
      const { share, devices, length } = of(column)
      if (share === 0) return 0
      return (share >= 0.5 && devices * 3 <= most ? -8 : 0) + (devices >= most * 0.9 ? length / longest : 0)
    },
  }
}

function namingOf({ cells }: TableColumn, deviceOf: DeviceOf): Naming {
  const texts = sampled(cells, NAMED_CELLS).filter((cell) => /\p{L}/u.test(cell))
  if (texts.length === 0) return { share: 0, devices: 0, length: 0 }
  const named = texts.flatMap((text) => deviceOf(text.slice(0, MAX_NAME_CHARS)) ?? [])
  return {
    share: named.length / Math.min(cells.length, NAMED_CELLS),
    devices: new Set(named).size,
    length: texts.reduce((sum, text) => sum + Math.min(text.length, MAX_TITLE_CHARS), 0) / texts.length,
  }
}
const MAX_NAME_CHARS = 300
const MAX_TITLE_CHARS = 80

const NOTHING = new Set(cellWords.nothing)

/** Whether a cell says that nothing is known: `-`, `N/A`. */
export const isNothing = (cell: string) => NOTHING.has(foldText(cell).trim())

/** Some of the cells, from the whole column. */
export function sampled<Cell>(cells: readonly Cell[], most: number): readonly Cell[] {
  if (cells.length <= most) return cells
  return Array.from({ length: most }, (_, at) => cells[Math.floor((at * cells.length) / most)] as Cell)
}

/** A price, day or number of something else. */
export const DECOYS: readonly Decoy[] = [
  { words: 'otherPrice', fit: fits.amount },
  { words: 'otherDate', fit: fits.date },
  { words: 'otherCount', fit: fits.counts },
]

/** A column `sold` of yes and no says which listings were sold; one of numbers counts units. */
export const soldFlagFit =
  (isAnswer: (cell: string) => boolean) =>
  (column: TableColumn): number => {
    if (!isNamed(column, 'soldFlag')) return shareOf(column, isAnswer)
    const isWhole = column.cells.length > 0 && column.cells.every(isAnswer)
    const isNumber = column.cells.every(isCount)
    return isWhole && (!isNumber || new Set(column.cells).size > 1) ? 1 : NEVER
  }
