/** CSV output: RFC 4180, safe to open in a spreadsheet. */

/** Without it spreadsheets assume Windows-1252. */
export const BYTE_ORDER_MARK = '\uFEFF'

/** A spreadsheet runs a cell with this start as a formula, those of East Asian languages also with a full-width sign. */
const FORMULA_START = /^'*[=+\-@\t\r\n＝＋－＠]/
const GUARDED_FORMULA = /^'+[=+\-@\t\r\n＝＋－＠]/

/** Escapes a formula with an apostrophe; `unguardFormula` reverses it. */
export function guardFormula(text: string): string {
  return FORMULA_START.test(text) ? `'${text}` : text
}

export function unguardFormula(text: string): string {
  return GUARDED_FORMULA.test(text) ? text.slice(1) : text
}

export type CsvStyle = { readonly delimiter: ',' | ';'; readonly decimal: '.' | ',' }

/** For programs, and for spreadsheets of languages with a decimal point. */
const PLAIN_STYLE: CsvStyle = { delimiter: ',', decimal: '.' }

/** Style that spreadsheets expect in a language: a decimal comma goes with semicolons between columns. */
export const csvStyleOf = (language: string): CsvStyle =>
  new Intl.NumberFormat(language).format(0.5).includes(',') ? { delimiter: ';', decimal: ',' } : PLAIN_STYLE

/** Numbers are not escaped: a negative number is not a formula. */
export function formatCsvLine(fields: readonly (string | number)[], style = PLAIN_STYLE): string {
  const cells = fields.map((field) =>
    typeof field === 'number' ? String(field).replace('.', style.decimal) : quote(guardFormula(field), style),
  )
  return `${cells.join(style.delimiter)}\n`
}

function quote(field: string, { delimiter }: CsvStyle): string {
  return /["\n\r]|^\s|\s$/.test(field) || field.includes(delimiter) ? `"${field.replaceAll('"', '""')}"` : field
}
