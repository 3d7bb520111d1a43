import { parseCsv } from '../../src/import/read/csv-reader.ts'

/** Parses a small CSV file into records by column name. */
export function readTable(text: string): Record<string, string>[] {
  const [header = [], ...rows] = parseCsv(text)
  return rows
    .filter((cells) => cells.length === header.length)
    .map((cells) => Object.fromEntries(header.map((name, at) => [name.trim().toLowerCase(), cells[at] ?? ''])))
}
