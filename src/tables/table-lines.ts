/** Tells the lines of a table apart: the header, rows, titles between rows, and sums. */
import { foldPattern, foldText } from '../lib/fold-text.ts'
import { columnKey } from './column-key.ts'
import type { TableRow } from './table-row.ts'

/** Reports have a title, a date and blank lines above the header. */
export const MAX_HEADER_LINES = 20

/** The line among the first ones that `score` rates highest, the first of equals; −1 if it rates none above 0. */
export function findHeaderLine(
  rows: readonly TableRow[],
  score: (fields: readonly string[], index: number) => number,
): number {
  let best = { index: -1, score: 0 }
  for (const [index, { fields }] of rows.slice(0, MAX_HEADER_LINES).entries()) {
    const rated = score(fields, index)
    if (rated > best.score) best = { index, score: rated }
  }
  return best.index
}

export type LineKind = 'row' | 'title' | 'sum' | 'header'

/** A line that is not a row of the table. */
export type SkippedLine = { readonly line: number; readonly kind: Exclude<LineKind, 'row'>; readonly text: string }

const SUM_WORDS = foldPattern(
  /^(?:(?:zwischen|gesamt|end)?summe|gesamt|insgesamt|(?:sub|grand)?[ -]?total(?:e|en|s|t)?|totaal|sum|sums|somme|suma|soma|razem|ogolem|lacznie|is viso|viso|bendra suma|tong(?: cong)?|합계|총계|총합|合計|小計|總計|小计|总计|celkem|ukupno|osszesen|итого|всего|合计|総計|toplam)(?![\p{L}\d])/u,
)
/** An amount, a count or a percentage, with a sign or a short unit on either side. */
const FIGURE = /^(?:\p{Sc}|[A-Z]{3})?\s*-?\d[\d.,'’\s]*(?:\p{Sc}|%|-|\p{L}{1,10}\.?)?$/u
/** Longer text in a single cell is a sentence about the list, such as terms of delivery. */
const SENTENCE_WORDS = 7

/** Positions of columns, by which lines are told apart. */
export type LinePositions = {
  /** Columns that name a device. A line with a cell there is a row, unless it is a sum or a sentence in a single cell. */
  readonly identifying: readonly number[]
  /** Whether a long text names a device rather than terms of the list. */
  readonly isDevice?: (text: string) => boolean
  /** Column that numbers the rows, if there is one. */
  readonly reference?: number | undefined
}

const isFilled = (text: string | undefined) => text !== undefined && text.trim() !== ''
const isFigure = (text: string) => FIGURE.test(text)

/** "Total" and figures. */
export function isSumLine(fields: readonly string[]): boolean {
  const first = fields.findIndex(isFilled)
  return (
    first >= 0 &&
    isEveryFilled(fields, first + 1, isFigure) &&
    SUM_WORDS.test(foldText((fields[first] as string).trim()))
  )
}

export function createLineClassifier(
  header: readonly string[],
  { identifying, isDevice, reference }: LinePositions,
): (fields: readonly string[]) => LineKind {
  return (fields) => {
    const first = fields.findIndex(isFilled)
    if (first < 0) return 'title'
    const namesDevice = identifying.some((at) => isFilled(fields[at]))
    const hasMore = fields.findIndex((text, at) => at > first && isFilled(text)) >= 0
    // Lists have millions of rows: the first comparison settles most of them.
    if (hasMore && isEveryFilled(fields, 0, (text, at) => columnKey(text) === columnKey(header[at] ?? '')))
      return 'header'
    const firstText = (fields[first] as string).trim()
    if (isSumLine(fields)) return 'sum'
    if (!namesDevice && first !== reference && isEveryFilled(fields, first, isFigure)) return 'sum'
    if (hasMore) return 'row'
    return !namesDevice || (isSentence(firstText, header.length) && isDevice?.(firstText) !== true) ? 'title' : 'row'
  }
}

function isEveryFilled(fields: readonly string[], from: number, test: (text: string, at: number) => boolean): boolean {
  for (let at = from; at < fields.length; at++) {
    const text = fields[at]?.trim() ?? ''
    if (text !== '' && !test(text, at)) return false
  }
  return true
}

const isSentence = (text: string, columns: number) =>
  columns > 1 && (/[:!]$/.test(text) || text.split(/\s+/).length >= SENTENCE_WORDS)
