/** Tables that stand beside each other with the same titles: `Model, Price, , Model, Price` is one table with twice the rows. */
import { columnKey } from './column-key.ts'
import { MAX_HEADER_LINES } from './table-lines.ts'
import type { TableRow } from './table-row.ts'
import { isWideTitle, type SplitLines } from './wide-columns.ts'

type Blocks = {
  readonly index: number
  readonly from: number
  readonly width: number
  readonly count: number
  /** The first titles differ, such as `Apple, Price, , Samsung, Price`: what is below names devices. */
  readonly isByGroup: boolean
}

const MIN_TITLES = 2

/** Writes the tables below each other; null if the lines hold a single one. */
export function sideBySideSplitter(lines: readonly TableRow[]): SplitLines | null {
  const found = findBlocks(lines)
  if (!found) return null
  const { index, from, width, count, isByGroup } = found
  const headerLine = lines[index]?.line ?? 0
  const partOf = ({ line, fields }: TableRow, block: number): TableRow => {
    const start = from + block * width
    return { line, fields: Array.from({ length: width }, (_, at) => fields[start + at] ?? '') }
  }
  const isFilled = ({ fields }: TableRow) => fields.some((cell) => cell.trim() !== '')
  const partsOf = (row: TableRow): TableRow[] => {
    if (row.line < headerLine) return [row]
    if (row.line === headerLine) return [isByGroup ? withFirst(partOf(row, 0), 'model') : partOf(row, 0)]
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
      const isByGroup = !isRepeated && isGrouped(keys.slice(from, last + 1), block, lines.slice(index + 1), from)
      const endsWhole =
        last - from + 1 + block.toReversed().findIndex((key) => key !== '') ===
        width * Math.ceil((last - from + 1) / width)
      if (
        titles.length < MIN_TITLES ||
        new Set(titles).size < titles.length ||
        !(isRepeated || isByGroup) ||
        !endsWhole
      )
        continue
      if (titles.every((title) => /^\d/.test(title))) continue
      return { index, from, width, count: Math.ceil((last - from + 1) / width), isByGroup }
    }
  }
  return null
}

const MIN_NAMES = 0.6

/** Whether only the first titles of the blocks differ, and the cells below them are names. */
function isGrouped(
  keys: readonly string[],
  block: readonly string[],
  below: readonly TableRow[],
  from: number,
): boolean {
  const { length: width } = block
  const starts = keys.flatMap((_, at) => (at % width === 0 ? [at] : []))
  const isAlike = keys.every((key, at) => at % width === 0 || key === block[at % width])
  if (!isAlike || starts.some((at) => keys[at] === '' || isWideTitle(keys[at] ?? ''))) return false
  const cells = below.flatMap(({ fields }) => starts.flatMap((at) => fields[from + at]?.trim() || []))
  const names = cells.filter((cell) => /\p{L}{2}/u.test(cell) && /\d/.test(cell))
  return cells.length > 0 && names.length >= cells.length * MIN_NAMES
}

const withFirst = ({ line, fields }: TableRow, title: string): TableRow => ({
  line,
  fields: [title, ...fields.slice(1)],
})
