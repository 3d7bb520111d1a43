import { parseCsv } from '../../src/import/read/csv-reader.ts'

/** Small CSV files of the judge, read whole: the cells of each row by the name of their column. */
export function readTable(text: string): Record<string, string>[] {
  const [header = [], ...rows] = parseCsv(text)
  return rows
    .filter((cells) => cells.length === header.length)
    .map((cells) => Object.fromEntries(header.map((name, at) => [name.trim().toLowerCase(), cells[at] ?? ''])))
}
