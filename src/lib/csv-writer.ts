/** CSV output: RFC 4180, safe to open in a spreadsheet. */

/** Without it spreadsheets read the file as Windows-1252. */
export const BYTE_ORDER_MARK = '\uFEFF'

/** A spreadsheet runs a cell with this start as a formula. */
const FORMULA_START = /^'*[=+\-@\t\r\n]/
const GUARDED_FORMULA = /^'+[=+\-@\t\r\n]/

/** Escapes a formula with an apostrophe; `unguardFormula` reverses it. */
export function guardFormula(text: string): string {
  return FORMULA_START.test(text) ? `'${text}` : text
}

export function unguardFormula(text: string): string {
  return GUARDED_FORMULA.test(text) ? text.slice(1) : text
}

/** Numbers are written as they are: a negative one is no formula. */
export function formatCsvLine(fields: readonly (string | number)[]): string {
  return `${fields.map((field) => (typeof field === 'number' ? field : quote(guardFormula(field)))).join(',')}\n`
}

function quote(field: string): string {
  return /[",\n\r]|^\s|\s$/.test(field) ? `"${field.replaceAll('"', '""')}"` : field
}
