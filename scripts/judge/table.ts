/** Small CSV files of the judge, read whole: quoted fields, one header line. */
export function readTable(text: string): Record<string, string>[] {
  const rows: string[][] = []
  let row: string[] = []
  let field = ''
  let quoted = false
  for (let i = 0; i < text.length; i += 1) {
    const letter = text[i] as string
    if (quoted) {
      if (letter !== '"') field += letter
      else if (text[i + 1] === '"') {
        field += '"'
        i += 1
      } else quoted = false
    } else if (letter === '"') quoted = true
    else if (letter === ',') {
      row.push(field)
      field = ''
    } else if (letter === '\n') {
      row.push(field)
      rows.push(row)
      row = []
      field = ''
    } else if (letter !== '\r') field += letter
  }
  if (field || row.length) {
    row.push(field)
    rows.push(row)
  }
  const header = rows.shift() ?? []
  return rows
    .filter((cells) => cells.length === header.length)
    .map((cells) => Object.fromEntries(header.map((name, at) => [name.trim().toLowerCase(), cells[at] ?? ''])))
}
