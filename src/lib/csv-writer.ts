/** CSV output: RFC 4180, safe to open in a spreadsheet. */

/** Without it spreadsheets assume Windows-1252. */
export const BYTE_ORDER_MARK = '\uFEFF'

/** A spreadsheet runs a cell with this start as a formula, those of East Asian languages also with a full-width sign. */
const FORMULA_START = /^'*[=+\-@\t\r\n＝＋－＠]/
const GUARDED_FORMULA = /^'+[=+\-@\t\r\n＝＋－＠]/

/**
 * The same after a separator or a line end inside of a text: a spreadsheet that expects another separator than the file has
 * starts a cell there, and quotes do not prevent it. A sign alone, as in "199,-", is no formula.
 */
const INNER_FORMULA = /([,;\t\r\n]["']*)(?=[=@＝＠]|[+\-＋－][\w(=+\-@'"＝＋－＠])/g
const GUARDED_INNER_FORMULA = /([,;\t\r\n]["']*)'(?=[=@＝＠]|[+\-＋－][\w(=+\-@'"＝＋－＠])/g

/** Escapes formulas with an apostrophe; `unguardFormula` reverses it. */
export function guardFormula(text: string): string {
  const guarded = text.replace(INNER_FORMULA, "$1'")
  return FORMULA_START.test(text) ? `'${guarded}` : guarded
}

export function unguardFormula(text: string): string {
  const unguarded = GUARDED_FORMULA.test(text) ? text.slice(1) : text
  return unguarded.replace(GUARDED_INNER_FORMULA, '$1')
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
