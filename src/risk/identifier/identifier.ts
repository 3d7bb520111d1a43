import type { IdentifierType } from '../../contract/lookups.ts'

/**
 * How it was written: `imei14` is an IMEI without its check digit, `imeisv` one with a software version instead,
 * `near-imei` a text that was probably meant to be an IMEI, `other-number` a part number, model code or the like. The
 * last two have the type of a serial number.
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
   * What two spellings of one device share: 14 digits of an IMEI (the check digit and the software version are no part
   * of its identity), 14 hexadecimal characters of a MEID, 8 of an ESN, the whole of a serial number. Always text:
   * a number would lose its leading zeros.
   */
  readonly key: string
  /** The check digit that was sent, null where none was. */
  readonly checkDigit: string | null
  /** The check digit that belongs there, null where the form has none. */
  readonly expectedCheckDigit: string | null
}

/** A text that cannot be an identifier of the wanted kind; `expected` completes the sentence "expected …". */
export type InvalidIdentifier = { readonly unreadable: true; readonly expected: string }

export function isInvalidIdentifier(parsed: Identifier | InvalidIdentifier): parsed is InvalidIdentifier {
  return 'unreadable' in parsed
}

export function invalidIdentifier(expected: string): InvalidIdentifier {
  return { unreadable: true, expected }
}

/** True also where there is nothing to check. */
export function isCheckDigitValid(identifier: Identifier): boolean {
  return identifier.checkDigit === null || identifier.checkDigit === identifier.expectedCheckDigit
}
