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

export function esnToDecimal(hex: string): string {
  const manufacturer = Number.parseInt(hex.slice(0, 2), 16)
  const serial = Number.parseInt(hex.slice(2, 8), 16)
  return String(manufacturer).padStart(3, '0') + String(serial).padStart(8, '0')
}

/** Manufacturer 80 marks a hash of a MEID. It is not unique: it never identifies a device and never clears one. */
export function isPseudoEsn(hex: string): boolean {
  return hex.startsWith('80')
}

// Codes without a single manufacturer (bbayles.com/index/cdma_hardware_id); most of them use a 14-bit manufacturer code.
const RESERVED = new Set([...Array.from({ length: 19 }, (_, code) => code), 128, 250, 255])
const LONG_CODE = new Set([...Array.from({ length: 18 }, (_, code) => code), 250, 255])

export type EsnManufacturer = { readonly code: number; readonly bits: 8 | 14; readonly reserved: boolean }

export function esnManufacturer(hex: string): EsnManufacturer {
  const shortCode = Number.parseInt(hex.slice(0, 2), 16)
  const reserved = RESERVED.has(shortCode)
  if (!LONG_CODE.has(shortCode)) return { code: shortCode, bits: 8, reserved }
  return { code: Number.parseInt(hex.slice(0, 4), 16) >> 2, bits: 14, reserved }
}
