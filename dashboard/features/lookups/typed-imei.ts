import { luhnDigit } from '../../../src/risk/identifier/check-digit.ts'

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

/** The identifiers of a pasted list: one a line, or parted by commas or semicolons; empty lines and repeats are left out. */
export function parseIdentifierList(text: string): string[] {
  return [...new Set(text.split(/[\n\r,;\t]+/).map((line) => line.trim()))].filter(Boolean)
}
