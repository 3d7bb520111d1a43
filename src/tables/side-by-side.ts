/** Tables that stand beside each other with the same titles: `Model, Price, , Model, Price` is one table with twice the rows. */
import { columnKey } from './column-key.ts'
import { MAX_HEADER_LINES } from './table-lines.ts'
import type { TableRow } from './table-row.ts'
import type { SplitLines } from './wide-columns.ts'

type Blocks = { readonly index: number; readonly from: number; readonly width: number; readonly count: number }

const MIN_TITLES = 2

/** Writes the tables below each other; null if the lines hold a single one. */
export function sideBySideSplitter(lines: readonly TableRow[]): SplitLines | null {
  const found = findBlocks(lines)
  if (!found) return null
  const { index, from, width, count } = found
  const headerLine = lines[index]?.line ?? 0
  const partOf = ({ line, fields }: TableRow, block: number): TableRow => {
    const start = from + block * width
    return { line, fields: Array.from({ length: width }, (_, at) => fields[start + at] ?? '') }
  }
  const isFilled = ({ fields }: TableRow) => fields.some((cell) => cell.trim() !== '')
  const partsOf = (row: TableRow): TableRow[] => {
    if (row.line < headerLine) return [row]
    if (row.line === headerLine) return [partOf(row, 0)]
    const parts = Array.from({ length: count }, (_, block) => partOf(row, block)).filter(isFilled)
    // A line of text stands in the first cell.
    return parts.length > 0 ? parts : [row]
  }
  return (block) => block.flatMap(partsOf)
}

function findBlocks(lines: readonly TableRow[]): Blocks | null {
  for (const [index, { fields }] of lines.slice(0, MAX_HEADER_LINES).entries()) {
    const keys = fields.map(columnKey)
    const from = keys.findIndex((key) => key !== '')
    const last = keys.findLastIndex((key) => key !== '')
    for (let width = MIN_TITLES; from >= 0 && from + width <= last; width++) {
      const block = keys.slice(from, from + width)
      const titles = block.filter((key) => key !== '')
      const isRepeated = keys.slice(from, last + 1).every((key, at) => key === block[at % width])
      const endsWhole =
        last - from + 1 + block.toReversed().findIndex((key) => key !== '') ===
        width * Math.ceil((last - from + 1) / width)
      if (titles.length < MIN_TITLES || new Set(titles).size < titles.length || !isRepeated || !endsWhole) continue
      if (titles.every((title) => /^\d/.test(title))) continue
      return { index, from, width, count: Math.ceil((last - from + 1) / width) }
    }
  }
  return null
}
