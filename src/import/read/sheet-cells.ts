/** Cells of a spreadsheet as text, with merged cells filled in. */

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
