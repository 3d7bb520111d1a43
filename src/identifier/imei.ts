import { luhnDigit } from './check-digit.ts'
import { type Identifier, isCheckDigitValid } from './identifier.ts'

/** 14, 15 or 16 decimal digits; the caller has checked the form. */
export function imeiFromDigits(digits: string): Identifier {
  const key = digits.length === 14 ? digits : digits.slice(0, 14)
  // An IMEISV has a software version instead of the check digit, so it cannot be verified.
  if (digits.length === 16) {
    return { type: 'imei', form: 'imeisv', text: digits, key, checkDigit: null, expectedCheckDigit: null }
  }
  return {
    type: 'imei',
    form: digits.length === 14 ? 'imei14' : 'imei',
    text: digits,
    key,
    checkDigit: digits.length === 15 ? digits.charAt(14) : null,
    expectedCheckDigit: luhnDigit(key),
  }
}

/** The 15 digits including the correct check digit. */
export function imeiWithCheckDigit(key: string): string {
  return key + luhnDigit(key)
}

/**
 * Type allocation code: make and model. Legacy: the layout before April 2004, with 6 digits and a final assembly code of
 * 2. The digits do not tell which layout is used.
 */
export const splitImei = (key: string) => ({ tac: key.slice(0, 8), legacyTac: key.slice(0, 6) })

/** Never allocated: a single repeated digit, or the digits in ascending order. */
export function isNeverAllocated(key: string): boolean {
  const first = key.charAt(0)
  return key === first.repeat(key.length) || '012345678901234567890'.includes(key)
}

/** Examples that standards, encyclopaedias and manuals print, and that people copy into forms. */
const SAMPLES: ReadonlySet<string> = new Set(['49015420323751', '35824005111111', '12345678901234', '35209900176148'])

export function isSampleImei(identifier: Identifier): boolean {
  return identifier.type === 'imei' && SAMPLES.has(identifier.key) && isCheckDigitValid(identifier)
}
