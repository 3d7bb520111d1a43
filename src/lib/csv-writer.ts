/** The CSV we write: RFC 4180, and safe to open in a spreadsheet. */

/** A spreadsheet runs a cell that begins like this as a formula. */
const FORMULA_START = /^'*[=+\-@\t\r\n]/
const GUARDED_FORMULA = /^'+[=+\-@\t\r\n]/

/** Guards a cell with an apostrophe where a spreadsheet would run it; `withoutGuard` gives the same text back. */
export function guardFormula(text: string): string {
  return FORMULA_START.test(text) ? `'${text}` : text
}

export function unguardFormula(text: string): string {
  return GUARDED_FORMULA.test(text) ? text.slice(1) : text
}

export function formatCsvLine(fields: readonly string[]): string {
  return `${fields.map((field) => quote(guardFormula(field))).join(',')}\n`
}

function quote(field: string): string {
  return /[",\n\r]|^\s|\s$/.test(field) ? `"${field.replaceAll('"', '""')}"` : field
}
