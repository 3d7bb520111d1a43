type Rows = readonly (readonly string[])[]

/** A table with columns as wide as their widest cell. */
export function formatTextTable(heads: readonly string[], rows: Rows): string {
  return formatLines(heads, rows, () => 'left').join('\n')
}

/** A table of figures with a rule; all columns but the first are right-aligned. */
export function formatNumberTable(heads: readonly string[], rows: Rows): string {
  const [head = '', ...body] = formatLines(heads, rows, (at) => (at === 0 ? 'left' : 'right'))
  const rule = columnWidths(heads, rows).map((width) => '-'.repeat(width))
  return [head, rule.join('  '), ...body].join('\n')
}

function columnWidths(heads: readonly string[], rows: Rows): number[] {
  return heads.map((head, at) => Math.max(head.length, ...rows.map((row) => row[at]?.length ?? 0)))
}

function formatLines(heads: readonly string[], rows: Rows, side: (column: number) => 'left' | 'right'): string[] {
  const widths = columnWidths(heads, rows)
  const padded = (cell: string, at: number) =>
    side(at) === 'left' ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)
  return [heads, ...rows].map((cells) => cells.map(padded).join('  ').trimEnd())
}

/** A table of items by column heading and what the column shows of an item. */
export function formatItemTable<Item>(
  items: readonly Item[],
  columns: Readonly<Record<string, (item: Item) => string>>,
): string {
  const rows = items.map((item) => Object.values(columns).map((cellOf) => cellOf(item)))
  return formatTextTable(Object.keys(columns), rows)
}
