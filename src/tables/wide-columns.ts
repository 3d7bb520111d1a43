/** Lists with a column per grade, per storage size or per both: `Model, A, B, C` or `Model, 64GB, 128GB`. */
import { parseCondition } from '../catalog/grade-words.ts'
import { foldText } from '../lib/fold-text.ts'
import { meaningOfSign, parseAmount } from './amount.ts'
import { columnKey } from './column-key.ts'
import { COLUMN_KEYS } from './column-words.ts'
import { PRICE_QUALIFIERS } from './price-title.ts'
import { isSumLine, MAX_HEADER_LINES } from './table-lines.ts'
import type { TableRow } from './table-row.ts'

type Figure = 'price' | 'quantity' | 'unknown'

/** A column whose title names a grade or a size. */
type WideColumn = {
  readonly at: number
  readonly grade: string
  readonly storage: string
  readonly figure: Figure
  /** What else the title says about the price: its currency, or who pays it. */
  readonly price: string
}

type WideHeader = {
  readonly line: number
  /** First line of a header of two lines. */
  readonly firstLine: number
  readonly titles: readonly string[]
  readonly columns: readonly WideColumn[]
}

export type SplitLines = (lines: readonly TableRow[]) => TableRow[]

/** Turns each line of a wide price list into a row per price; null if the table has no such columns. */
export function widePriceSplitter(lines: readonly TableRow[]): SplitLines | null {
  const header = findWideHeader(lines)
  return header && splitter(header, 'price')
}

/** The same for a list of devices, whose figures may be quantities; null also if that is uncertain. */
export function wideDeviceSplitter(lines: readonly TableRow[]): SplitLines | null {
  const header = findWideHeader(lines)
  const figure = header && figureOf(header, lines)
  return figure ? splitter(header, figure) : null
}

const MIN_COLUMNS = 2
/** Share of lines with a figure, and of figures among the cells. */
const MIN_PRICED_LINES = 0.5
const MIN_AMOUNTS = 0.7

const isFigure = (cell: string | undefined) => /\d/.test(cell ?? '')
const isKnown = (title: string, column: 'condition' | 'storage' | 'amount') =>
  COLUMN_KEYS[column].includes(columnKey(title))

function findWideHeader(lines: readonly TableRow[]): WideHeader | null {
  const first = lines.slice(0, MAX_HEADER_LINES)
  for (const [index, { line, fields }] of first.entries()) {
    const below = lines[index + 1]
    const grouped = below && groupedTitles(fields, below.fields)
    const candidates = [
      ...(grouped ? [{ line: below.line, firstLine: line, titles: grouped }] : []),
      { line, firstLine: line, titles: fields },
    ]
    for (const candidate of candidates) {
      const columns = wideColumns(candidate.titles)
      if (columns && isPriced({ ...candidate, columns }, lines)) return { ...candidate, columns }
    }
  }
  return null
}

/** A line of sizes above a line of grades, each for several columns; undefined if the first line is no such line. */
function groupedTitles(groups: readonly string[], titles: readonly string[]): string[] | undefined {
  const isGroup = (text: string) => readTitle(text) !== null
  if (groups.filter((group) => isGroup(group)).length < MIN_COLUMNS) return undefined
  if (titles.filter((title) => isGroup(title) || readTokens(title) !== null).length < MIN_COLUMNS) return undefined
  let group = ''
  return titles.map((title, at) => {
    const own = groups[at]?.trim() ?? ''
    if (own !== '') group = isGroup(own) ? own : ''
    return title.trim() === '' ? '' : `${group} ${title}`.trim()
  })
}

/** The wide columns of a header; null if it has fewer than two, or two for the same grade and size. */
function wideColumns(titles: readonly string[]): WideColumn[] | null {
  const named = titles.flatMap((title, at) => {
    const parsed = readTitle(title)
    return parsed ? [{ at, ...parsed }] : []
  })
  const bare = titles.flatMap((title, at) =>
    BARE_SIZES.has(title.trim())
      ? [{ at, grade: '', storage: `${title.trim()}GB`, figure: 'unknown' as const, price: '' }]
      : [],
  )
  const columns: readonly WideColumn[] = named.length === 0 ? bare : named
  const keys = columns.map(({ grade, storage, figure }) => `${foldText(grade)}|${storage}|${figure === 'quantity'}`)
  if (columns.length < MIN_COLUMNS || new Set(keys).size < keys.length) return null
  // "64GB" beside "Good" are cells of a row.
  if (!columns.every(({ storage }) => storage !== '') && !columns.every(({ grade }) => grade !== '')) return null
  // With a column of grades, `new_price` beside `price` is what the device cost when it was new.
  const others = titles.filter((_, at) => columns.every((column) => column.at !== at))
  if (columns.some(({ grade }) => grade !== '') && others.some((title) => isKnown(title, 'condition'))) return null
  if (columns.some(({ storage }) => storage !== '') && others.some((title) => isKnown(title, 'storage'))) return null
  return [...columns]
}

/** A line of a usual list may name two grades, but the cells below are then not amounts. */
function isPriced({ line, columns }: WideHeader, lines: readonly TableRow[]): boolean {
  const below = lines.filter((row) => row.line > line)
  const cellsOf = ({ fields }: TableRow) => columns.map(({ at }) => fields[at]?.trim() ?? '').filter(isFigure)
  const priced = below.map(cellsOf).filter(({ length }) => length > 0)
  const cells = priced.flat()
  const amounts = cells.filter((cell) => !('problem' in parseAmount(cell)))
  return (
    priced.length > 0 &&
    priced.length >= below.length * MIN_PRICED_LINES &&
    amounts.length >= cells.length * MIN_AMOUNTS
  )
}

const SIZE = /(?<![\d.,])(?:(\d{1,4})\s?(gb|go|tb|to|гб|тб)|(16|32|64|128|256|512)\s?g|([1248])\s?t)(?!\p{L})/iu
const BARE_SIZES = new Set(['16', '32', '64', '128', '256', '512', '1024'])
/** Words of titles such as `trade in value` stand alone here. */
const SIDE_WORDS = [COLUMN_KEYS.quotedPrice, COLUMN_KEYS.soldPrice, COLUMN_KEYS.shopSells, COLUMN_KEYS.askedPrice]
const MIN_WORD = 3
const PRICE_WORDS = new Set([
  ...COLUMN_KEYS.amount,
  ...PRICE_QUALIFIERS,
  ...SIDE_WORDS.flat()
    .flatMap((words) => words.split(' '))
    .filter((word) => word.length >= MIN_WORD && parseCondition(word) === undefined),
  ...COLUMN_KEYS.offered.filter((word) => word.startsWith('sell')),
])
const QUANTITY_WORDS = new Set(COLUMN_KEYS.quantity)

/** What the title of a wide column says; null if it names neither a grade nor a size, or something else too. */
function readTitle(title: string): Omit<WideColumn, 'at'> | null {
  const [size = '', digits, unit = '', gigabytes, terabytes] = SIZE.exec(title) ?? []
  const isTerabytes = terabytes !== undefined || /^[tт]/i.test(unit)
  const storage = size === '' ? '' : `${digits ?? gigabytes ?? terabytes}${isTerabytes ? 'TB' : 'GB'}`
  const tokens = readTokens(title.replace(size, ' '), true)
  if (!tokens || (storage === '' && tokens.grade === '')) return null
  return { storage, ...tokens }
}

/** Whether a title names a grade or a size. */
export const isWideTitle = (title: string) => readTitle(title) !== null

/** The words of a title without its size: about the price, the quantity and, if allowed, a grade. */
function readTokens(title: string, mayHaveGrade = false): Pick<WideColumn, 'grade' | 'figure' | 'price'> | null {
  const words = title
    .replace(/-(?=\p{L}{2})/gu, ' ')
    .split(/[\s_()[\]:;]+/)
    .filter((word) => word !== '' && word !== '-')
  const isPriceWord = (word: string) =>
    PRICE_WORDS.has(columnKey(word)) || meaningOfSign(word.toLowerCase()) !== undefined
  const isQuantityWord = (word: string) => QUANTITY_WORDS.has(columnKey(word))
  const grade = words.filter((word) => !isPriceWord(word) && !isQuantityWord(word)).join(' ')
  if (grade !== '' && !(mayHaveGrade && parseCondition(grade))) return null
  const price = words.filter(isPriceWord).join(' ')
  const figure = words.some(isQuantityWord) ? 'quantity' : price === '' ? 'unknown' : 'price'
  return { grade, figure, price }
}

function splitter(
  { line: headerLine, firstLine, titles, columns }: WideHeader,
  usual: 'price' | 'quantity',
): SplitLines {
  const isWide = (at: number) => columns.some((column) => column.at === at)
  const others = titles.flatMap((title, at) => (isWide(at) || isKnown(title, 'amount') || isUnnamed(at) ? [] : [at]))
  function isUnnamed(at: number) {
    // The corner of a matrix is often empty.
    return titles[at]?.trim() === '' && at > 0
  }
  const figures = columns.map((column) => ({ ...column, figure: column.figure === 'unknown' ? usual : column.figure }))
  const has = (field: 'grade' | 'storage') => figures.some((column) => column[field] !== '')
  const hasFigure = (figure: Figure) => figures.some((column) => column.figure === figure)
  const prices = [...new Set(figures.flatMap(({ figure, price }) => (figure === 'price' ? [price] : [])))]
  const priceTitle = prices.length === 1 && prices[0] !== '' ? toPriceTitle(prices[0] as string) : 'price'
  const header = [
    ...others.map((at) => titles[at]?.trim() || 'model'),
    ...(has('grade') ? ['condition'] : []),
    ...(has('storage') ? ['storage'] : []),
    ...(hasFigure('price') ? [priceTitle] : []),
    ...(hasFigure('quantity') ? ['quantity'] : []),
  ]
  const rowsOf = (line: TableRow): TableRow[] => {
    if (line.line < headerLine) return line.line < firstLine ? [line] : []
    if (line.line === headerLine) return [{ line: line.line, fields: header }]
    if (isSumLine(line.fields)) return []
    const own = others.map((at) => line.fields[at] ?? '')
    const cellOf = ({ at }: { at: number }) => {
      const cell = line.fields[at]?.trim() ?? ''
      return isFigure(cell) ? cell : ''
    }
    const pairs = Map.groupBy(figures, ({ grade, storage }) => `${foldText(grade)}|${storage}`)
    return [...pairs.values()].flatMap((pair) => {
      const [{ grade, storage }] = pair as [(typeof figures)[number]]
      const cellOfFigure = (figure: Figure) => {
        const column = pair.find((candidate) => candidate.figure === figure)
        return column ? cellOf(column) : ''
      }
      const [price, quantity] = [cellOfFigure('price'), cellOfFigure('quantity')]
      const isOffered = (price !== '' || !hasFigure('price')) && !/^0+([.,]0+)?$/.test(quantity)
      if (!isOffered || (price === '' && quantity === '')) return []
      const fields = [
        ...own,
        ...(has('grade') ? [grade] : []),
        ...(has('storage') ? [storage] : []),
        ...(hasFigure('price') ? [price] : []),
        ...(hasFigure('quantity') ? [quantity] : []),
      ]
      return [{ line: line.line, fields }]
    })
  }
  return (block) => block.flatMap(rowsOf)
}

/** `USD` alone is not the title of a price. */
const toPriceTitle = (words: string) =>
  COLUMN_KEYS.amount.some((key) => columnKey(words).split(' ').includes(key)) ? words : `price ${words}`

/** Amounts have a sign, cents or a price in the title; quantities add up to a column of totals. Null if nothing says. */
function figureOf({ line, titles, columns }: WideHeader, lines: readonly TableRow[]): 'price' | 'quantity' | null {
  if (columns.some(({ figure }) => figure === 'quantity')) return 'price'
  if (columns.some(({ figure }) => figure === 'price')) return 'price'
  if (titles.some((title) => isKnown(title, 'amount'))) return 'quantity'
  const below = lines.filter((row) => row.line > line)
  const cells = below.flatMap(({ fields }) => columns.map(({ at }) => fields[at]?.trim() ?? '').filter(isFigure))
  if (cells.some((cell) => /\p{Sc}|[.,](?:\d\d|-)$/u.test(cell))) return 'price'
  const numberOf = (cell = '') => Number(cell.trim() || 0)
  const isTotal = (at: number) =>
    below.filter(({ fields }) => numberOf(fields[at]) === columns.reduce((sum, it) => sum + numberOf(fields[it.at]), 0))
      .length >=
    below.length * MIN_AMOUNTS
  const hasTotal = titles.some((_, at) => columns.every((column) => column.at !== at) && isTotal(at))
  return hasTotal ? 'quantity' : null
}
