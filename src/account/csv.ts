/** A cell that a spreadsheet would run as a formula gets an apostrophe in front, so that it stays text. */
const FORMULA = /^[=+\-@\t\r]/

export function csvCell(value: string | number | boolean | null): string {
  const text = value === null ? '' : String(value)
  const safe = typeof value === 'string' && FORMULA.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export const csvLine = (cells: readonly (string | number | boolean | null)[]) => `${cells.map(csvCell).join(',')}\r\n`
