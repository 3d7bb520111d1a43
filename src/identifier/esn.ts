import { type Identifier, type InvalidIdentifier, invalidIdentifier } from './identifier.ts'

const MAX_MANUFACTURER = 0xff
const MAX_SERIAL = 0xffffff

/** 8 upper-case hexadecimal characters. */
export function esnFromHex(hex: string): Identifier {
  return { type: 'esn', form: 'hexadecimal', text: hex, key: hex, checkDigit: null, expectedCheckDigit: null }
}

export function isEsnDecimal(digits: string): boolean {
  return Number(digits.slice(0, 3)) <= MAX_MANUFACTURER && Number(digits.slice(3)) <= MAX_SERIAL
}

/** 11 decimal digits. */
export function esnFromDecimal(digits: string): Identifier | InvalidIdentifier {
  if (!isEsnDecimal(digits)) {
    return invalidIdentifier(
      `a decimal ESN, whose first three digits are at most ${MAX_MANUFACTURER} and last eight at most ${MAX_SERIAL}`,
    )
  }
  const manufacturer = Number(digits.slice(0, 3)).toString(16).padStart(2, '0')
  const serial = Number(digits.slice(3)).toString(16).padStart(6, '0')
  const key = (manufacturer + serial).toUpperCase()
  return { type: 'esn', form: 'decimal', text: digits, key, checkDigit: null, expectedCheckDigit: null }
}

/** Manufacturer 80 marks a hash of a MEID. It is not unique: it never identifies a device and never clears one. */
export function isPseudoEsn(hex: string): boolean {
  return hex.startsWith('80')
}
