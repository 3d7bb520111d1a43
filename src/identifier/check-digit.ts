const ZERO = 48
const HEX = '0123456789ABCDEF'

// Value of a doubled digit, so that the loops below neither branch nor divide.
const DOUBLED = Uint8Array.of(0, 2, 4, 6, 8, 1, 3, 5, 7, 9)
const HEX_DOUBLED = Uint8Array.from({ length: 16 }, (_, digit) => (digit < 8 ? digit * 2 : digit * 2 - 15))

/** The Luhn digit of a string of decimal digits. */
export function luhnDigit(digits: string): string {
  let sum = 0
  for (let at = digits.length - 1; at >= 0; at -= 2) sum += DOUBLED[digits.charCodeAt(at) - ZERO] ?? 0
  for (let at = digits.length - 2; at >= 0; at -= 2) sum += digits.charCodeAt(at) - ZERO
  return HEX.charAt((10 - (sum % 10)) % 10)
}

function hexValue(code: number): number {
  return code < 65 ? code - ZERO : code - 55
}

/** The same in base 16, as MEIDs with a letter use it. */
export function hexLuhnDigit(hex: string): string {
  let sum = 0
  for (let at = hex.length - 1; at >= 0; at -= 2) sum += HEX_DOUBLED[hexValue(hex.charCodeAt(at))] ?? 0
  for (let at = hex.length - 2; at >= 0; at -= 2) sum += hexValue(hex.charCodeAt(at))
  return HEX.charAt((16 - (sum % 16)) % 16)
}

/** A MEID of decimal digits only has the check digit of an IMEI. */
export function meidCheckDigit(hex: string): string {
  return isDigits(hex) ? luhnDigit(hex) : hexLuhnDigit(hex)
}

/** The smallest alphabet that contains all characters of a text; letters are upper case. */
export type Alphabet = 'decimal' | 'hexadecimal' | 'alphanumeric' | 'other'

export function detectAlphabet(text: string): Alphabet {
  let alphabet: Alphabet = 'decimal'
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code >= ZERO && code <= 57) continue
    if (code < 65 || code > 90) return 'other'
    if (code > 70) alphabet = 'alphanumeric'
    else if (alphabet === 'decimal') alphabet = 'hexadecimal'
  }
  return text === '' ? 'other' : alphabet
}

export function isDigits(text: string): boolean {
  return detectAlphabet(text) === 'decimal'
}
