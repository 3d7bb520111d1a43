/** Exports of web shops: options in pairs of columns, and a title on the first line of a product only. */
import { COLUMN_KEYS } from '../read/column-words.ts'
import type { CsvRow } from '../read/csv-reader.ts'
import { cellText, columnKey } from '../read/header.ts'

const OPTION_KEYS: ReadonlySet<string> = new Set(
  (['condition', 'storage', 'color', 'ram', 'carrier'] as const).flatMap((column) => COLUMN_KEYS[column]),
)
const VALUE_TITLE = /^(.+) values?(?: s)?$/

/** `Option1 Value` has the title that all cells of `Option1 Name` have, such as `Condition`, if it is one of ours. */
export function titlesOfOptions(titles: readonly string[], below: readonly CsvRow[]): readonly string[] {
  const keys = titles.map(columnKey)
  return titles.map((title, at) => {
    const [, option] = VALUE_TITLE.exec(keys[at] ?? '') ?? []
    const nameAt = option === undefined ? -1 : keys.indexOf(`${option} name`)
    const names = new Set(below.map(({ fields }) => cellText(fields, nameAt)).filter(Boolean))
    const [name = ''] = names
    return names.size === 1 && OPTION_KEYS.has(columnKey(name)) && !keys.includes(columnKey(name)) ? name : title
  })
}

/** Gives further lines of a product the cells of its first one; they have the same `handle`. Lines must come in their order. */
export function productFiller(keys: readonly string[], productColumns: readonly number[]): (row: CsvRow) => CsvRow {
  const handleAt = keys.indexOf('handle')
  if (handleAt < 0) return (row) => row
  let first: CsvRow | undefined
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
