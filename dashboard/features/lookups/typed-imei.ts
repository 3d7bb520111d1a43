import { luhnDigit } from '../../../src/identifier/check-digit.ts'

/** Local check of an IMEI while it is typed. */
export type TypedImei =
  | { readonly state: 'nothing' }
  /** Digits, but fewer than an IMEI has. */
  | { readonly state: 'short'; readonly missing: number }
  /** Fourteen digits; the check digit can be computed. */
  | { readonly state: 'without_check_digit'; readonly whole: string }
  | { readonly state: 'right' }
  | { readonly state: 'mistyped' }

const IMEI_DIGITS = 15
/** Shorter input may not be an IMEI at all. */
const MIN_DIGITS_FOR_HINT = 8

export function checkTypedImei(text: string): TypedImei {
  const digits = text.replace(/^\s*imei\s*:?/i, '').replace(/[\s./-]/g, '')
  if (!/^\d+$/.test(digits) || digits.length < MIN_DIGITS_FOR_HINT || digits.length > IMEI_DIGITS) {
    return { state: 'nothing' }
  }
  const body = digits.slice(0, IMEI_DIGITS - 1)
  if (digits.length < IMEI_DIGITS - 1) return { state: 'short', missing: IMEI_DIGITS - digits.length }
  if (digits.length === IMEI_DIGITS - 1) return { state: 'without_check_digit', whole: body + luhnDigit(body) }
  return { state: luhnDigit(body) === digits.charAt(IMEI_DIGITS - 1) ? 'right' : 'mistyped' }
}

export type ListedIdentifier = { readonly identifier: string; readonly model?: string }

/**
 * The identifiers of a pasted list: one per line, or separated by commas, semicolons or tabs, without repeats. A line that
 * begins with an IMEI may name its model, as in a table.
 */
export function parseIdentifierList(text: string): ListedIdentifier[] {
  const listed = new Map<string, ListedIdentifier>()
  for (const line of text.split(/[\n\r]+/)) {
    const cells = line
      .split(/[,;\t]+/)
      .map((cell) => cell.trim())
      .filter(Boolean)
    const [first = '', ...others] = cells
    const model = /^\d{14,16}$/.test(first.replace(/[\s./-]/g, '')) ? others.filter(looksLikeModel).join(' ') : ''
    for (const cell of cells) {
      if (cell === first && model) listed.set(first, { identifier: first, model })
      else if (!(model && looksLikeModel(cell)) && !listed.has(cell)) listed.set(cell, { identifier: cell })
    }
  }
  return [...listed.values()]
}

/** Words with letters; a serial number is one long word. */
const looksLikeModel = (cell: string) => /\p{L}/u.test(cell) && (/\s/.test(cell) || cell.length < 8)
