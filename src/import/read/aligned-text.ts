/** Tables in plain text whose columns are aligned with blanks, as they are copied from a PDF or a terminal. */

export type SplitLine = (line: string) => string[]

type Token = { readonly text: string; readonly from: number; readonly to: number }

const MIN_COLUMNS = 3
const MIN_LINES = 3
const MIN_SHARE = 0.6

/** Cells are two blanks or more apart. */
const tokensOf = (line: string): Token[] =>
  [...line.matchAll(/\S+(?: \S+)*/g)].map((match) => ({
    text: match[0],
    from: match.index,
    to: match.index + match[0].length,
  }))

/** Splits lines at the columns of the first ones; null if these are not aligned. */
export function alignedLineSplitter(head: string): SplitLine | null {
  if (/[\t"]/.test(head)) return null
  const lines = head.split('\n').map(tokensOf)
  const filled = lines.filter(({ length }) => length > 0)
  const rows = filled.filter(({ length }) => length >= MIN_COLUMNS)
  if (rows.length < MIN_LINES || rows.length < filled.length * MIN_SHARE) return null
  // Pretty-printed CSV has delimiters at the edges of its cells.
  if (rows.some((row) => row.some(({ text }) => /^[,;|]|[,;|]$/.test(text)))) return null
  const columns = columnsOf(rows)
  if (columns.length < MIN_COLUMNS || columns.length < Math.max(...rows.map(({ length }) => length))) return null
  return (line) => {
    const tokens = tokensOf(line)
    if (tokens.length === 1) return [tokens[0]?.text ?? '']
    const fields = columns.map(() => '')
    for (const token of tokens) {
      const at = columns.reduce(
        (best, column, each) => (distance(column, token) < distance(columns[best] as Column, token) ? each : best),
        0,
      )
      fields[at] = fields[at] === '' ? token.text : `${fields[at]} ${token.text}`
    }
    return fields
  }
}

type Column = { readonly from: number; readonly to: number }

/** Blanks between a cell and a column; 0 or less if they share a place. */
const distance = (column: Column, { from, to }: Token) => Math.max(column.from - to, from - column.to)

/** Places at which some row has a character, without gaps. */
function columnsOf(rows: readonly (readonly Token[])[]): Column[] {
  const columns: { from: number; to: number }[] = []
  for (const { from, to } of rows.flat().toSorted((a, b) => a.from - b.from)) {
    const last = columns.at(-1)
    if (last && from < last.to) last.to = Math.max(last.to, to)
    else columns.push({ from, to })
  }
  return columns
}
