export type CellRange = { readonly cell: number; readonly from: number; readonly to: number }

/** Row ranges of the cells that have rows. Columns of observations are sorted by cell. */
export function cellRanges({ size, cell }: { readonly size: number; readonly cell: Int32Array }): CellRange[] {
  const ranges: CellRange[] = []
  for (let from = 0; from < size; ) {
    let to = from + 1
    while (to < size && cell[to] === cell[from]) to += 1
    ranges.push({ cell: cell[from]!, from, to })
    from = to
  }
  return ranges
}
