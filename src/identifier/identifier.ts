import type { IdentifierType } from '../contract/lookups.ts'

/**
 * Spelling of the input: `imei14` is an IMEI without its check digit, `imeisv` one with a software version instead,
 * `near-imei` a text that was probably meant to be an IMEI, `other-number` a part number, model code or the like. The
 * last two have the type `serial`.
 */
export type IdentifierForm =
  | 'imei'
  | 'imei14'
  | 'imeisv'
  | 'near-imei'
  | 'other-number'
  | 'hexadecimal'
  | 'decimal'
  | 'serial'

export type Identifier = {
  readonly type: IdentifierType
  readonly form: IdentifierForm
  /** As sent, without separators and label, upper case. */
  readonly text: string
  /**
   * Same for all spellings of one device: 14 digits of an IMEI (without check digit and software version),
   * 14 hexadecimal characters of a MEID, 8 of an ESN, the whole serial number. A string, to keep leading zeros.
   */
  readonly key: string
  /** The check digit of the input; null if it has none. */
  readonly checkDigit: string | null
  /** The correct check digit; null if the form has none. */
  readonly expectedCheckDigit: string | null
}

/** A text that cannot be an identifier of the expected type; `expected` completes the sentence "expected …". */
export type InvalidIdentifier = { readonly unreadable: true; readonly expected: string }

export function isInvalidIdentifier(parsed: Identifier | InvalidIdentifier): parsed is InvalidIdentifier {
  return 'unreadable' in parsed
}

export function invalidIdentifier(expected: string): InvalidIdentifier {
  return { unreadable: true, expected }
}

/** Also true without a check digit. */
export function isCheckDigitValid(identifier: Identifier): boolean {
  return identifier.checkDigit === null || identifier.checkDigit === identifier.expectedCheckDigit
}
