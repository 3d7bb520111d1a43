type Rows = readonly (readonly string[])[]

/** A table with columns as wide as their widest cell. */
export function formatTextTable(headings: readonly string[], rows: Rows): string {
  return formatLines(headings, rows, () => 'left').join('\n')
}

/** A table of figures with a rule; all columns but the first are right-aligned. */
export function formatNumberTable(headings: readonly string[], rows: Rows): string {
  const [headingLine = '', ...body] = formatLines(headings, rows, (column) => (column === 0 ? 'left' : 'right'))
  const rule = columnWidths(headings, rows).map((width) => '-'.repeat(width))
  return [headingLine, rule.join('  '), ...body].join('\n')
}

function columnWidths(headings: readonly string[], rows: Rows): number[] {
  return headings.map((heading, column) => Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)))
}

function formatLines(headings: readonly string[], rows: Rows, side: (column: number) => 'left' | 'right'): string[] {
  const widths = columnWidths(headings, rows)
  const pad = (cell: string, column: number) =>
    side(column) === 'left' ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)
  return [headings, ...rows].map((cells) => cells.map(pad).join('  ').trimEnd())
}

/** A table of items; `columns` maps each heading to the cell of an item. */
export function formatItemTable<Item>(
  items: readonly Item[],
  columns: Readonly<Record<string, (item: Item) => string>>,
): string {
  const rows = items.map((item) => Object.values(columns).map((toCell) => toCell(item)))
  return formatTextTable(Object.keys(columns), rows)
}
