/** The CSV we write: RFC 4180, and safe to open in a spreadsheet. */

/** A spreadsheet runs a cell that begins like this as a formula. */
const FORMULA = /^'*[=+\-@\t\r\n]/
const GUARDED = /^'+[=+\-@\t\r\n]/

/** Guards a cell with an apostrophe where a spreadsheet would run it; `withoutGuard` gives the same text back. */
export function withGuard(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text
}

export function withoutGuard(text: string): string {
  return GUARDED.test(text) ? text.slice(1) : text
}

export function csvLine(fields: readonly string[]): string {
  return `${fields.map((field) => quoted(withGuard(field))).join(',')}\n`
}

function quoted(field: string): string {
  return /[",\n\r]|^\s|\s$/.test(field) ? `"${field.replaceAll('"', '""')}"` : field
}
