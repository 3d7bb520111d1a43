/** Cells of a spreadsheet as text, with merged cells filled in. */
import type { TableRow } from '../../tables/table-row.ts'

/** One column of merged cells; rows and columns count from 0. Only the first row holds the value. */
export type MergedCells = { readonly column: number; readonly fromRow: number; readonly toRow: number }

/** Days without a time are written as days; line breaks would shift the line numbers. */
export function sheetCellText(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = value instanceof Date ? value.toISOString().replace(/T00:00:00\.000Z$/, '') : String(value)
  return text.replace(/[\r\n]+/g, ' ')
}

/** A model that is merged over the rows of its storage sizes counts for all of them. Rows are passed in their order. */
export function withMergedCells(merges: readonly MergedCells[]): (row: number, cells: string[]) => string[] {
  const textByMerge = new Map<MergedCells, string>()
  return (row, cells) => {
    for (const merge of merges) {
      if (row === merge.fromRow) textByMerge.set(merge, cells[merge.column] ?? '')
      if (row <= merge.fromRow || row > merge.toRow) continue
      while (cells.length < merge.column) cells.push('')
      cells[merge.column] = textByMerge.get(merge) ?? ''
    }
    return cells
  }
}

/** Whether a sheet has at least two rows of two cells. */
export const hasTable = (rows: readonly (readonly string[])[]) =>
  rows.filter((cells) => cells.filter((cell) => cell.trim() !== '').length > 1).length > 1

/** More merged cells than a list has; further ones are not filled. */
export const MAX_MERGES = 2_000

type SheetRows = {
  readonly rows: readonly (readonly unknown[])[]
  readonly merges?: readonly { readonly startRow: number; readonly endRow: number; readonly startCol: number }[]
}

/** The rows of a sheet that are not empty. */
export function filledRows({ rows, merges = [] }: SheetRows): TableRow[] {
  const vertical = merges.filter(({ startRow, endRow }) => endRow > startRow).slice(0, MAX_MERGES)
  const fillMerged = withMergedCells(
    vertical.map(({ startRow, endRow, startCol }) => ({ column: startCol, fromRow: startRow, toRow: endRow })),
  )
  const lines = rows.map((cells, row) => ({ line: row + 1, fields: fillMerged(row, Array.from(cells, sheetCellText)) }))
  return lines.filter(({ fields }) => fields.some((cell) => cell.trim() !== ''))
}
