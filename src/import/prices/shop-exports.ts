/** Exports of web shops: options in pairs of columns, reduced prices, and a title on the first line of a product only. */

import { columnKey } from '../../tables/column-key.ts'
import { COLUMN_KEYS } from '../../tables/column-words.ts'
import { MAX_HEADER_LINES } from '../../tables/table-lines.ts'
import type { TableRow } from '../../tables/table-row.ts'
import type { SplitLines } from '../../tables/wide-columns.ts'
import { cellText } from '../read/header.ts'

const OPTIONS = ['condition', 'storage', 'color', 'ram', 'carrier'] as const
type Option = (typeof OPTIONS)[number]

const OPTION_BY_KEY: ReadonlyMap<string, Option> = new Map(
  OPTIONS.flatMap((option) => COLUMN_KEYS[option].map((key) => [key, option] as const)),
)
const NAME_TITLE = /^(.+) (?:name|nom|nombre|nome|nazwa|naam)$/
const VALUE_TITLE = /^(.+) (?:value|wert|valeur|valor|valore|wartosc|waarde)(?: ?(?:s|e|es|i))?$/

/**
 * Adds a column for each option that pairs such as `Option1 Name` and `Option1 Value` hold: products differ in which option is
 * the first. A name stands on the first line of a product, whose lines have the same `handle`. Null if there are no such pairs.
 */
export function optionColumns(lines: readonly TableRow[]): SplitLines | null {
  const header = lines.slice(0, MAX_HEADER_LINES).find(({ fields }) => pairsOf(fields).length > 0)
  if (!header) return null
  const pairs = pairsOf(header.fields)
  const keys = header.fields.map(columnKey)
  const named = new Set(keys.map((key) => OPTION_BY_KEY.get(key)))
  const below = lines.filter(({ line }) => line > header.line)
  const options = OPTIONS.filter(
    (option) =>
      !named.has(option) &&
      below.some(({ fields }) => pairs.some(({ nameAt }) => optionOf(cellText(fields, nameAt)) === option)),
  )
  if (options.length === 0) return null
  const width = header.fields.length
  const handleAt = keys.indexOf('handle')
  let handle: string | undefined
  let names: readonly string[] = []
  const rowOf = (row: TableRow): TableRow => {
    if (row.line < header.line) return row
    const fields = Array.from({ length: width }, (_, at) => row.fields[at] ?? '')
    if (row.line === header.line) return { ...row, fields: [...fields, ...options] }
    const isSameProduct = handleAt >= 0 && handle === cellText(fields, handleAt)
    names = pairs.map(({ nameAt }, at) => cellText(fields, nameAt) || (isSameProduct ? (names[at] ?? '') : ''))
    handle = cellText(fields, handleAt)
    const values = options.map((option) => {
      const pair = pairs[names.findIndex((name) => optionOf(name) === option)]
      return pair ? cellText(fields, pair.valueAt) : ''
    })
    return { ...row, fields: [...fields, ...values] }
  }
  return (block) => block.map(rowOf)
}

const optionOf = (name: string) => OPTION_BY_KEY.get(columnKey(name))

function pairsOf(titles: readonly string[]): { readonly nameAt: number; readonly valueAt: number }[] {
  const keys = titles.map(columnKey)
  return keys.flatMap((key, valueAt) => {
    const [, option] = VALUE_TITLE.exec(key) ?? []
    const nameAt = option === undefined ? -1 : keys.findIndex((other) => NAME_TITLE.exec(other)?.[1] === option)
    return nameAt < 0 ? [] : [{ nameAt, valueAt }]
  })
}

const isTitleOf = (words: 'reducedPrice' | 'usualPrice', title: string) => COLUMN_KEYS[words].includes(columnKey(title))

/** The column with the price of rows whose reduced price is empty; −1 if there is none. */
export function usualPriceColumn(titles: readonly string[], amount: string | undefined): number {
  if (amount === undefined || !isTitleOf('reducedPrice', amount)) return -1
  return titles.findIndex((title) => isTitleOf('usualPrice', title))
}

/** Gives further lines of a product the cells of its first one; they have the same `handle`. Lines must come in their order. */
export function productFiller(keys: readonly string[], productColumns: readonly number[]): (row: TableRow) => TableRow {
  const handleAt = keys.indexOf('handle')
  if (handleAt < 0) return (row) => row
  let first: TableRow | undefined
  return (row) => {
    if (!first || cellText(row.fields, handleAt) !== cellText(first.fields, handleAt)) {
      first = row
      return row
    }
    const { fields: product } = first
    const isMissing = (at: number) => productColumns.includes(at) && cellText(row.fields, at) === ''
    return { ...row, fields: row.fields.map((cell, at) => (isMissing(at) ? (product[at] ?? '') : cell)) }
  }
}
