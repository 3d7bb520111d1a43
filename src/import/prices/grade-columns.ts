/** Price lists with a column per grade: `Model, A, B, C`. */
import { parseCondition } from '../../catalog/grade-words.ts'
import { COLUMN_WORDS } from '../read/column-words.ts'
import type { CsvRow } from '../read/csv-reader.ts'
import { columnKey } from '../read/header.ts'
import { MAX_HEADER_LINES } from '../read/table-lines.ts'

const MIN_GRADES = 2
const FIGURE = /\d/
const CONDITION_COLUMNS = new Set(COLUMN_WORDS.condition.map(columnKey))

/** Turns each line into a row per grade; null if the table has no columns of grades. */
export function gradeColumnSplitter(lines: readonly CsvRow[]): ((lines: readonly CsvRow[]) => CsvRow[]) | null {
  const header = lines.slice(0, MAX_HEADER_LINES).find((line) => gradesOf(line).length >= MIN_GRADES)
  if (!header) return null
  // With a column of grades, `new_price` beside `price` is what the device cost when it was new.
  if (header.fields.some((title) => CONDITION_COLUMNS.has(columnKey(title)))) return null
  const grades = gradesOf(header)
  const below = lines.filter(({ line }) => line > header.line)
  // A line of a usual list may name two grades, but the lines below it then have no figures there.
  const isPriced = ({ fields }: CsvRow) => grades.some((at) => FIGURE.test(fields[at] ?? ''))
  if (below.length === 0 || below.filter(isPriced).length < below.length / 2) return null
  const others = header.fields.flatMap((title, at) => (grades.includes(at) || title.trim() === '' ? [] : [at]))
  const rowsOf = (line: CsvRow): CsvRow[] => {
    const own = others.map((at) => line.fields[at] ?? '')
    if (line.line === header.line) return [{ line: line.line, fields: [...own, 'condition', 'price'] }]
    return grades.flatMap((at) => {
      const price = line.fields[at]?.trim() ?? ''
      return price === '' ? [] : [{ line: line.line, fields: [...own, gradeOf(header.fields[at] ?? ''), price] }]
    })
  }
  return (block) => block.filter(({ line }) => line >= header.line).flatMap(rowsOf)
}

/** `A`, `Good`, or `used_price`. */
const gradeOf = (title: string) => title.replace(/[ _-]?(?:price|preis|prix|precio)$/i, '').trim()

const gradesOf = ({ fields }: CsvRow) => fields.flatMap((title, at) => (parseCondition(gradeOf(title)) ? [at] : []))
