import { isDigits, luhnDigit, meidCheckDigit } from './check-digit.ts'
import { type Identifier, type InvalidIdentifier, invalidIdentifier } from './identifier.ts'

const MAX_MANUFACTURER = 0xffffffff
const MAX_SERIAL = 0xffffff
// Four times as fast as `toString(16)`, which matters for batches of decimal MEIDs.
const BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0').toUpperCase())

function hexOf(twoBytes: number): string {
  return `${BYTES[twoBytes >>> 8]}${BYTES[twoBytes & 0xff]}`
}

/** 14 upper-case hexadecimal characters, or 15 with the check digit. */
export function meidFromHex(hex: string): Identifier {
  const key = hex.slice(0, 14)
  return {
    type: 'meid',
    form: 'hexadecimal',
    text: hex,
    key,
    checkDigit: hex.length === 15 ? hex.charAt(14) : null,
    expectedCheckDigit: meidCheckDigit(key),
  }
}

/** 18 decimal digits, or 19 with the check digit. */
export function meidFromDecimal(digits: string): Identifier | InvalidIdentifier {
  const manufacturer = Number(digits.slice(0, 10))
  const serial = Number(digits.slice(10, 18))
  if (manufacturer > MAX_MANUFACTURER) {
    return invalidIdentifier(`a decimal MEID, whose first ten digits are at most ${MAX_MANUFACTURER}`)
  }
  if (serial > MAX_SERIAL) {
    return invalidIdentifier(`a decimal MEID, whose eleventh to eighteenth digits are at most ${MAX_SERIAL}`)
  }
  return {
    type: 'meid',
    form: 'decimal',
    text: digits,
    key: hexOf(manufacturer >>> 16) + hexOf(manufacturer & 0xffff) + hexOf(serial >>> 8) + BYTES[serial & 0xff],
    checkDigit: digits.length === 19 ? digits.charAt(18) : null,
    expectedCheckDigit: luhnDigit(digits.slice(0, 18)),
  }
}

/** MEIDs start at A0; 99 is shared with IMEIs, and a MEID of decimal digits only is the 14 digits of an IMEI. */
export function isMeidRegion(hex: string): boolean {
  return isDigits(hex.slice(0, 14)) || hex >= 'A0' || hex.startsWith('99')
}
